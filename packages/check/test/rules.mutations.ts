import type { DocumentKind } from "@rs-emit/documents";
import {
  append,
  at,
  type Edit,
  entry,
  entryLink,
  md,
  on,
  own,
  reverse,
  root,
  unlink,
} from "./rules.site.ts";

/** A requirement, a valid document, the edit that breaks it, and its URL where that is the breach. */
export type Mutation = readonly [id: string, kind: DocumentKind, edit: Edit, url?: string];

const nameless = own({ capability: undefined });
const PATCH = { rel: "http://www.openarchives.org/rs/terms/patch", href: at("fern.diff") };
const RS = "http://www.openarchives.org/rs/terms/";

/** Takes the loc of the first entry away. */
const homeless = entry(1, (each) => ({ ...each, loc: "" }));

function foreign(name: string): Edit {
  return (document) => ({
    ...document,
    metadata: { ...document.metadata, foreign: [{ namespace: RS, name, value: "x" }] },
  });
}

/** For each requirement that a single document can break, an edit that breaks it. */
export const MUTATIONS: readonly Mutation[] = [
  ["I8", "source-description", (document) => document, at("sources.xml")],
  ["I9", "source-description", nameless],
  ["I10", "source-description", md(1, { capability: undefined })],
  ["I11", "source-description", unlink("describes")],
  ["I17", "capability-list", unlink("up")],
  ["I18", "capability-list", unlink("describes")],
  ["I20", "capability-list", nameless],
  ["I21", "capability-list", md(2, { capability: "resourcelist" })],
  ["I24", "change-list", unlink("up")],
  ["I25a", "change-list", nameless],
  ["I25b", "change-list", own({ from: undefined })],
  ["I27", "change-list", md(1, { change: undefined })],
  ["I28", "change-list", md(1, { datetime: undefined })],

  ["R34", "resource-list", foreign("at")],
  ["R35", "resource-list", foreign("mood")],
  ["R36", "resource-list", nameless],
  ["R43", "resource-list", homeless],
  ["R46", "change-list", md(1, { change: "renamed" })],
  ["R47", "change-list", md(3, { datetime: on("12:00:01") })],
  ["R50b", "resource-list", md(1, { length: "1,024" })],
  [
    "R51",
    "resource-list",
    entryLink(1, { rel: "alternate", href: at("fern.pdf"), path: "/f.pdf" }),
  ],
  ["R53a", "resource-list", entryLink(1, { rel: "license", href: "" })],
  ["R53b", "resource-list", entryLink(1, { rel: "", href: at("licence.html") })],
  ["R56", "resource-list", entryLink(1, { rel: "See Also", href: at("ivy.html") })],
  ["R65", "capability-list", md(3, { capability: "changelist" })],
  ["R67a", "capability-list", nameless],
  ["R67b", "capability-list", unlink("up")],
  ["R67d", "capability-list", homeless],
  ["R67e", "capability-list", md(1, { capability: undefined })],
  ["R70a", "resource-list", nameless],
  ["R70b", "resource-list", own({ at: undefined })],
  ["R70c", "resource-list", unlink("up")],
  ["R70d", "resource-list", homeless],
  ["R74b", "resource-list-index", nameless],
  ["R74c", "resource-list-index", own({ at: undefined })],
  ["R74d", "resource-list-index", unlink("up")],
  ["R74e", "resource-list-index", homeless],
  ["R76a", "resource-dump", nameless],
  ["R76b", "resource-dump", own({ at: undefined })],
  ["R76c", "resource-dump", unlink("up")],
  ["R76f", "resource-dump", homeless],
  ["R82a", "resource-dump-manifest", nameless],
  ["R82b", "resource-dump-manifest", own({ at: undefined })],
  ["R82c", "resource-dump-manifest", unlink("up")],
  ["R82d", "resource-dump-manifest", homeless],
  ["R82e", "resource-dump-manifest", md(1, { path: undefined })],
  ["R83", "change-list", reverse],
  ["R85a", "change-list", nameless],
  ["R85b", "change-list", own({ from: undefined })],
  ["R85d", "change-list", unlink("up")],
  ["R86a", "change-list", homeless],
  ["R86b", "change-list", md(1, { change: undefined })],
  ["R92b", "change-list-index", reverse],
  ["R93a", "change-list-index", nameless],
  ["R93b", "change-list-index", own({ from: undefined })],
  ["R93c", "change-list-index", unlink("up")],
  ["R93d", "change-list-index", homeless],
  ["R95a", "change-dump", nameless],
  ["R95b", "change-dump", own({ from: undefined })],
  ["R95c", "change-dump", unlink("up")],
  ["R95e", "change-dump", homeless],
  ["R100a", "change-dump-manifest", nameless],
  ["R100b", "change-dump-manifest", own({ from: undefined })],
  ["R100c", "change-dump-manifest", unlink("up")],
  ["R100d", "change-dump-manifest", reverse],
  ["R100e", "change-dump-manifest", md(1, { change: undefined })],
  ["R100f", "change-dump-manifest", md(1, { path: undefined })],
  ["R100g", "change-dump-manifest", homeless],
  ["R107a", "change-list", entryLink(3, PATCH)],
  ["R117", "change-list", own({ from: undefined })],

  ["N6", "change-notification", append({ loc: at("old.html"), metadata: changedAt("05:00:00") })],
  ["N7a", "change-notification", nameless],
  ["N7b", "change-notification", own({ from: undefined })],
  ["N7c", "change-notification", own({ until: undefined })],
  ["N11a", "change-notification", homeless],
  ["N11b", "change-notification", md(1, { change: undefined })],
  ["N13", "change-notification", root("sitemapindex")],
  ["N30b", "capability-list", unlink("hub")],

  [
    "P4",
    "resource-list",
    (document) => ({
      ...document,
      passedOver: [{ form: "bare", name: "id", where: "line 4, entry 1, url@id" }],
    }),
  ],
  ["T13a", "resource-list", append({ loc: at("i".repeat(2_048)) })],
  ["T13b", "resource-list", append({ loc: "ivy.html" })],
];

/** For each requirement that documents break together, the one that is edited, by its URL. */
export const SET_MUTATIONS: readonly (readonly [id: string, url: string, edit: Edit])[] = [
  ["I16", at("capabilitylist.xml"), own({ capability: "resourcelist", at: on("06:00:00") })],
  ["I23", at("changelist.xml"), own({ capability: "resourcelist", at: on("06:00:00") })],
  ["R58", "https://moss.example/.well-known/resourcesync", without],
  ["R62", at("changelist-2.xml"), own({ capability: "description", from: undefined })],
  ["R66", at("resourcelist-1.xml"), append({ loc: at("ivy.html") })],
  ["R78b", at("changes-manifest.xml"), own({ from: on("05:00:00") })],
  ["R93f", at("changelist-2.xml"), own({ until: on("14:00:00") })],
  [
    "R96",
    at("changes-manifest.xml"),
    (document) => ({ ...document, entries: document.entries.slice(0, -1) }),
  ],
  ["N8", "notification 2", own({ from: on("12:00:01") })],
];

function without(document: Parameters<Edit>[0]): ReturnType<Edit> {
  return { ...document, entries: [] };
}

function changedAt(time: string) {
  return { change: "updated", datetime: on(time) };
}
