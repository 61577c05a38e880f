import type { DocumentKind, Entry, Head, Link, Metadata, ParsedDocument } from "@rs-emit/documents";

/** Where the documents of the well-formed site stand. */
export const SITE = "https://moss.example";

const ABOUT: Link = { rel: "describedby", href: `${SITE}/about.xml` };
const COLLECTION: Link = { rel: "describes", href: `${SITE}/garden/` };
const UP: Link = { rel: "up", href: at("capabilitylist.xml") };
const HASH = `sha-256:${"0f".repeat(32)}`;

/** A URL of the garden, the site's one collection. */
export function at(path: string): string {
  return `${SITE}/garden/${path}`;
}

/** An instant of the first of October. */
export function on(time: string): string {
  return `2026-10-01T${time}Z`;
}

/** When the site is judged, UTC seconds: some hours after its last document. */
export const NOW = Date.parse(on("20:00:00")) / 1000;

function urlset(metadata: Metadata, links: readonly Link[], entries: readonly Entry[]) {
  return { root: "urlset", metadata, links, comments: [], entries } satisfies ParsedDocument;
}

function index(metadata: Metadata, entries: readonly Entry[]) {
  return {
    root: "sitemapindex",
    metadata,
    links: [UP],
    comments: [],
    entries,
  } satisfies ParsedDocument;
}

function under(name: string): readonly Link[] {
  return [UP, { rel: "index", href: at(name) }];
}

function change(path: string, kind: string, time: string): Entry {
  return { loc: at(path), metadata: { change: kind, datetime: on(time) } };
}

function bitstream(path: string, metadata: Metadata, file = path): Entry {
  return { loc: at(path), metadata: { ...metadata, type: "text/html", path: `/pages/${file}` } };
}

function zipped(path: string, manifest: string, times: Metadata): Entry {
  const contents = { rel: "contents", href: at(manifest), type: "application/xml" };
  const metadata = { ...times, type: "application/zip", length: "4096" };
  return { loc: at(path), metadata, links: [contents] };
}

const FIRST = { from: on("06:00:00"), until: on("12:00:00") };
const OPEN = { from: on("12:00:00") };
const TAKEN = { at: on("18:00:00"), completed: on("18:00:09") };

/**
 * One document of every kind, keeping every rule, and all of them together: the parts of a site
 * with one collection. `source-description-index` stands for itself.
 */
export const WELL_FORMED: Record<DocumentKind, { url: string; document: ParsedDocument }> = {
  "source-description": {
    url: `${SITE}/.well-known/resourcesync`,
    document: urlset(
      { capability: "description" },
      [ABOUT],
      [
        {
          loc: at("capabilitylist.xml"),
          metadata: { capability: "capabilitylist" },
          links: [COLLECTION, ABOUT],
        },
      ],
    ),
  },
  "source-description-index": {
    url: `${SITE}/.well-known/resourcesync`,
    document: {
      ...index({ capability: "description" }, [{ loc: at("sources-1.xml") }]),
      links: [],
    },
  },
  "capability-list": {
    url: at("capabilitylist.xml"),
    document: urlset(
      { capability: "capabilitylist" },
      [{ rel: "up", href: `${SITE}/.well-known/resourcesync` }, COLLECTION, ABOUT],
      [
        { loc: at("resourcelist.xml"), metadata: { capability: "resourcelist" } },
        { loc: at("changelist.xml"), metadata: { capability: "changelist" } },
        { loc: at("resourcedump.xml"), metadata: { capability: "resourcedump" } },
        { loc: at("changedump.xml"), metadata: { capability: "changedump" } },
        {
          loc: at("channel"),
          metadata: { capability: "change-notification" },
          links: [{ rel: "hub", href: "https://hub.example/" }],
        },
      ],
    ),
  },
  "resource-list-index": {
    url: at("resourcelist.xml"),
    document: index({ capability: "resourcelist", ...TAKEN }, [
      { loc: at("resourcelist-1.xml"), metadata: TAKEN },
    ]),
  },
  "resource-list": {
    url: at("resourcelist-1.xml"),
    document: urlset({ capability: "resourcelist", ...TAKEN }, under("resourcelist.xml"), [
      {
        loc: at("fern.html"),
        lastmod: on("07:00:00"),
        changefreq: "monthly",
        priority: "0.5",
        metadata: { hash: HASH, length: "120", type: "text/html" },
        links: [{ rel: "alternate", href: at("fern.txt"), type: "text/plain", pri: "1" }],
      },
      { loc: at("moss.html"), metadata: { hash: HASH, length: "99", type: "text/html" } },
    ]),
  },
  "resource-dump-index": {
    url: at("resourcedump.xml"),
    document: index({ capability: "resourcedump", ...TAKEN }, [
      { loc: at("resourcedump-1.xml"), metadata: TAKEN },
    ]),
  },
  "resource-dump": {
    url: at("resourcedump-1.xml"),
    document: urlset({ capability: "resourcedump", ...TAKEN }, under("resourcedump.xml"), [
      zipped("pages.zip", "pages-manifest.xml", TAKEN),
    ]),
  },
  "resource-dump-manifest": {
    url: at("pages-manifest.xml"),
    document: urlset(
      { capability: "resourcedump-manifest", ...TAKEN },
      [UP],
      [bitstream("fern.html", {}), bitstream("moss.html", {})],
    ),
  },
  "change-list-index": {
    url: at("changelist.xml"),
    document: index({ capability: "changelist", from: on("06:00:00") }, [
      { loc: at("changelist-1.xml"), metadata: FIRST },
      { loc: at("changelist-2.xml"), metadata: OPEN },
    ]),
  },
  "change-list": {
    url: at("changelist-1.xml"),
    document: urlset({ capability: "changelist", ...FIRST }, under("changelist.xml"), [
      change("fern.html", "created", "06:00:00"),
      change("ivy.html", "created", "07:00:00"),
      change("fern.html", "updated", "07:00:00"),
    ]),
  },
  "change-dump-index": {
    url: at("changedump.xml"),
    document: index({ capability: "changedump", from: on("06:00:00") }, [
      { loc: at("changedump-1.xml"), metadata: { from: on("06:00:00") } },
    ]),
  },
  "change-dump": {
    url: at("changedump-1.xml"),
    document: urlset({ capability: "changedump", from: on("06:00:00") }, under("changedump.xml"), [
      zipped("changes-1.zip", "changes-manifest.xml", FIRST),
      { loc: at("changes-2.zip"), metadata: { ...OPEN, type: "application/zip", length: "7" } },
    ]),
  },
  "change-dump-manifest": {
    url: at("changes-manifest.xml"),
    document: urlset(
      { capability: "changedump-manifest", ...FIRST },
      [UP],
      [
        bitstream("fern.html", { change: "created", datetime: on("06:00:00") }),
        change("reed.html", "deleted", "07:00:00"),
        bitstream("ivy.html", { change: "created", datetime: on("07:00:00") }),
        bitstream("fern.html", { change: "updated", datetime: on("07:00:00") }, "fern-2.html"),
      ],
    ),
  },
  "change-notification": {
    url: "notification 1",
    document: urlset(
      { capability: "change-notification", ...FIRST },
      [UP],
      [change("fern.html", "created", "06:00:00")],
    ),
  },
};

/** The whole site: every document above but the index of descriptions, and what they point at. */
export function site(): Map<string, ParsedDocument> {
  const documents = Object.entries(WELL_FORMED)
    .filter(([kind]) => kind !== "source-description-index")
    .map(([, { url, document }]) => [url, document] as const);
  const rest = urlset({ capability: "changelist", ...OPEN }, under("changelist.xml"), [
    change("ivy.html", "deleted", "12:00:00"),
    change("moss.html", "created", "13:00:00"),
  ]);
  const later = { capability: "change-notification", ...OPEN, until: on("13:00:00") };
  return new Map<string, ParsedDocument>([
    ...documents,
    [at("changelist-2.xml"), rest],
    ["notification 2", urlset(later, [UP], [change("ivy.html", "deleted", "12:00:00")])],
  ]);
}

/** A small change to a document. */
export type Edit = (document: ParsedDocument) => ParsedDocument;

/** Sets values of the document's own `rs:md`, or removes those that are `undefined`. */
export function own(values: Values): Edit {
  return (document) => ({ ...document, metadata: merged(document.metadata, values) });
}

/** Sets or removes values of an entry's `rs:md`; entries count from 1. */
export function md(number: number, values: Values): Edit {
  return entry(number, ({ metadata, ...rest }) => ({
    ...rest,
    metadata: merged(metadata ?? {}, values),
  }));
}

export function entry(number: number, change: (entry: Entry) => Entry): Edit {
  return (document) => ({
    ...document,
    entries: document.entries.map((each, at) => (at + 1 === number ? change(each) : each)),
  });
}

/** Adds an entry, or an entry again. */
export function append(...entries: readonly Entry[]): Edit {
  return (document) => ({ ...document, entries: [...document.entries, ...entries] });
}

/** Adds a link of the document's own. */
export function link(...links: readonly Link[]): Edit {
  return (document) => ({ ...document, links: [...document.links, ...links] });
}

/** Adds a link to an entry. */
export function entryLink(number: number, ...links: readonly Link[]): Edit {
  return entry(number, (each) => ({ ...each, links: [...(each.links ?? []), ...links] }));
}

/** Removes the links of a relation, the document's own and its entries'. */
export function unlink(rel: string): Edit {
  const kept = (links: readonly Link[] = []) => links.filter((each) => each.rel !== rel);
  return (document) => ({
    ...document,
    links: kept(document.links),
    entries: document.entries.map((each) => ({ ...each, links: kept(each.links) })),
  });
}

/** Changes the root. */
export function root(name: Head["root"]): Edit {
  return (document) => ({ ...document, root: name });
}

export function all(...edits: readonly Edit[]): Edit {
  return (document) => edits.reduce((edited, edit) => edit(edited), document);
}

/** Puts the entries in the opposite order. */
export const reverse: Edit = (document) => ({
  ...document,
  entries: document.entries.toReversed(),
});

type Values = { readonly [K in Exclude<keyof Metadata, "foreign">]?: string | undefined };

function merged(metadata: Metadata, values: Values): Metadata {
  const { foreign: _, ...texts } = metadata;
  const told = Object.entries({ ...texts, ...values }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(told);
}
