import type { DocumentKind, Entry, Link } from "../model.ts";
import { DUMPS, MANIFESTS } from "./kinds.ts";
import { brief, linkName, RESOURCESYNC_ONLY, type Rule, section } from "./rule.ts";

const PATCH = "http://www.openarchives.org/rs/terms/patch";

const PATCHED: readonly DocumentKind[] = [
  "change-list",
  "change-dump",
  "change-dump-manifest",
  "change-notification",
];
const REPRESENTATION = ["encoding", "hash", "length", "type"] as const;
const ALL = [...REPRESENTATION, "modified", "path", "pri"] as const;

/** What links from entries to related resources say, by their relation. */
export const RELATION_RULES: readonly Rule[] = [
  {
    id: "contents-place",
    severity: "must",
    source: `${section("7")}, 11.1 and 13.1`,
    profiles: RESOURCESYNC_ONLY,
    entry(entry, { kind }, report) {
      if (kind === undefined || DUMPS.includes(kind) || !has(entry, "contents")) return;
      report("rs:ln rel=contents", `A ${kind} points at no packages. Leave the link out.`);
    },
  },
  {
    id: "contents-type",
    severity: "should",
    source: `${section("11.1")} and 13.1 (a manifest is XML)`,
    profiles: RESOURCESYNC_ONLY,
    entry(entry, _, report) {
      for (const { type } of linksOf(entry, "contents")) {
        if (type === undefined || /^(application|text)\/xml\b|\+xml\b/.test(type)) continue;
        report(
          "rs:ln rel=contents@type",
          `A manifest is XML, not ${brief(type)}. Write application/xml.`,
        );
      }
    },
  },
  {
    id: "duplicate",
    severity: "should",
    source: section("14.2"),
    profiles: RESOURCESYNC_ONLY,
    ...entryLinks("duplicate", (link, report) => {
      for (const name of REPRESENTATION) {
        if (link[name] === undefined) continue;
        report(`@${name}`, `A mirror has the ${name} of the resource itself. Leave it out here.`);
      }
    }),
  },
  {
    id: "alternate-type",
    severity: "should",
    source: section("14.3"),
    profiles: RESOURCESYNC_ONLY,
    ...entryLinks("alternate", (link, report) => {
      if (link.type === undefined)
        report("@type", "The representation's type is not told. Add type.");
    }),
  },
  {
    id: "patch-type",
    severity: "must",
    source: section("14.4"),
    profiles: RESOURCESYNC_ONLY,
    ...entryLinks(PATCH, (link, report) => {
      if (link.type === undefined)
        report("@type", "Nobody can apply a patch of unknown type. Add type.");
    }),
  },
  {
    id: "patch-place",
    severity: "must",
    source: section("14.4"),
    profiles: RESOURCESYNC_ONLY,
    entry(entry, { kind }, report) {
      if (kind === undefined || PATCHED.includes(kind) || !has(entry, PATCH)) return;
      report(`rs:ln rel=${PATCH}`, `A ${kind} tells no changes to patch. Leave the link out.`);
    },
  },
  {
    id: "patch-path",
    severity: "must",
    source: section("14.4"),
    profiles: RESOURCESYNC_ONLY,
    kinds: ["change-dump-manifest"],
    ...entryLinks(PATCH, (link, report) => {
      if (link.path === undefined)
        report("@path", "The patch's place in the package is not told. Add path.");
    }),
  },
  {
    id: "memento-once",
    severity: "should",
    source: section("14.6"),
    profiles: RESOURCESYNC_ONLY,
    entry(entry, _, report) {
      if (linksOf(entry, "memento").length < 2) return;
      report("rs:ln rel=memento", "Several versions are linked. Link the last one, and a timemap.");
    },
  },
  {
    id: "memento-modified",
    severity: "should",
    source: section("14.6"),
    profiles: RESOURCESYNC_ONLY,
    ...entryLinks("memento", (link, report) => {
      if (link.modified === undefined)
        report("@modified", "The version's time is not told. Add modified.");
    }),
  },
  {
    id: "timegate",
    severity: "should",
    source: section("14.6"),
    profiles: RESOURCESYNC_ONLY,
    ...entryLinks("timegate", (link, report) => {
      for (const name of ALL) {
        if (link[name] === undefined) continue;
        report(`@${name}`, `${name} means nothing for a TimeGate. Leave it out.`);
      }
    }),
  },
  {
    id: "path-place",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    entry({ metadata, links }, { kind }, report) {
      if (kind === undefined || MANIFESTS.includes(kind)) return;
      const message = `A ${kind} is no manifest: there is no package the path is in. Leave it out.`;
      if (metadata?.path !== undefined) report("rs:md@path", message);
      for (const link of links ?? []) {
        if (link.path !== undefined) report(`${linkName(link)}@path`, message);
      }
    },
  },
];

function linksOf({ links }: Entry, rel: string): readonly Link[] {
  return links?.filter((link) => link.rel === rel) ?? [];
}

function has({ links }: Entry, rel: string): boolean {
  return links?.some((link) => link.rel === rel) ?? false;
}

type LinkCheck = (link: Link, report: (attribute: string, message: string) => void) => void;

function entryLinks(rel: string, check: LinkCheck): Pick<Rule, "entry"> {
  return {
    entry({ links }, _, report) {
      for (const link of links ?? []) {
        if (link.rel === rel) {
          check(link, (attribute, message) => report(`${linkName(link)}${attribute}`, message));
        }
      }
    },
  };
}
