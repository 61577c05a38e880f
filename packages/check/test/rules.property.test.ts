import type { Entry, Link, Metadata, ParsedDocument } from "@rs-emit/documents";
import { formatDatetime } from "@rs-emit/documents";
import fc from "fast-check";
import { expect, test } from "vitest";
import { judge, judgeDocument, judgeDocuments } from "../src/rules/index.ts";
import { at, SITE, site, WELL_FORMED } from "./rules.site.ts";

const START = Date.UTC(2026, 9, 1) / 1000;
const UP: Link = { rel: "up", href: at("capabilitylist.xml") };
const INDEX: Link = { rel: "index", href: at("changelist.xml") };

/** An edit of one of a few pages, some seconds after the last one; and whether a list ends there. */
const edits = fc.array(
  fc.record({
    page: fc.integer({ min: 0, max: 5 }),
    after: fc.integer({ min: 0, max: 90_000 }),
    goes: fc.boolean(),
    closes: fc.boolean(),
  }),
  { maxLength: 40 },
);

type Edits = typeof edits extends fc.Arbitrary<infer T> ? T : never;

interface Log {
  readonly lists: readonly { readonly from: number; readonly entries: Entry[] }[];
  readonly alive: ReadonlySet<string>;
  readonly end: number;
}

/** What a source would log: a page is created, updated and deleted in an order that makes sense. */
function logged(history: Edits): Log {
  const alive = new Set<string>();
  const lists: { from: number; entries: Entry[] }[] = [{ from: START, entries: [] }];
  let now = START;
  for (const { page, after, goes, closes } of history) {
    now += after;
    const loc = at(`${page}.html`);
    const change = alive.has(loc) ? (goes ? "deleted" : "updated") : "created";
    if (change === "deleted") alive.delete(loc);
    else alive.add(loc);
    if (closes) lists.push({ from: now, entries: [] });
    lists.at(-1)?.entries.push({ loc, metadata: { change, datetime: formatDatetime(now) } });
  }
  return { lists, alive, end: now };
}

/** The site after these edits: a log of any number of lists, and the snapshot that fits it. */
function published(history: Edits): Map<string, ParsedDocument> {
  const { lists, alive, end } = logged(history);
  const parts = lists.map(({ from, entries }, part) => {
    const times = interval(from, lists[part + 1]?.from);
    return { url: at(`changelist-${part}.xml`), times, entries };
  });
  const index = { capability: "changelist", from: formatDatetime(START) };
  const snapshot = { capability: "resourcelist", at: formatDatetime(end) };
  const { url, document } = WELL_FORMED["source-description"];
  const top = WELL_FORMED["capability-list"];
  return new Map<string, ParsedDocument>([
    [url, document],
    [top.url, { ...top.document, entries: top.document.entries.slice(0, 2) }],
    [
      at("changelist.xml"),
      {
        ...listing(index, [UP]),
        root: "sitemapindex",
        entries: parts.map((part) => ({ loc: part.url, metadata: part.times })),
      },
    ],
    ...parts.map(({ url, times, entries }): [string, ParsedDocument] => [
      url,
      { ...listing({ capability: "changelist", ...times }, [UP, INDEX]), entries },
    ]),
    [
      at("resourcelist.xml"),
      { ...listing(snapshot, [UP]), entries: [...alive].map((loc) => ({ loc })) },
    ],
  ]);
}

function listing(metadata: Metadata, links: readonly Link[]) {
  return { root: "urlset", metadata, links, comments: [] } as const;
}

function interval(from: number, until: number | undefined): Metadata {
  const begun = { from: formatDatetime(from) };
  return until === undefined ? begun : { ...begun, until: formatDatetime(until) };
}

test("whatever a site's history is, its documents break no rule", () => {
  fc.assert(
    fc.property(edits, (history) => {
      expect(judgeDocuments(published(history))).toEqual([]);
    }),
  );
});

test("a page that is missing from the snapshot is found by its log", () => {
  fc.assert(
    fc.property(edits, (history) => {
      const documents = published(history);
      const list = documents.get(at("resourcelist.xml"));
      if (list === undefined) throw new Error("the site has no Resource List");
      fc.pre(list.entries.length > 0);
      documents.set(at("resourcelist.xml"), { ...list, entries: list.entries.slice(1) });
      const rules = judgeDocuments(documents).map(({ rule }) => rule);
      expect(rules).toEqual(["snapshot-agrees"]);
    }),
  );
});

test("no document makes the rules throw", () => {
  const text = fc.string();
  const metadata = fc.dictionary(
    fc.constantFrom("at", "capability", "change", "datetime", "from", "hash", "path", "until"),
    fc.oneof(text, fc.constantFrom("changelist", "2026", "2026-10-01T00:00:00Z", "deleted")),
  );
  const link = fc.record({ rel: text, href: text, pri: text, type: text });
  const links = fc.array(link, { maxLength: 3 });
  const entry = fc.record({ loc: fc.oneof(text, fc.webUrl()), lastmod: text, metadata, links });
  const document: fc.Arbitrary<ParsedDocument> = fc.record({
    root: fc.constantFrom("urlset", "sitemapindex"),
    metadata,
    links,
    comments: fc.constant([]),
    entries: fc.array(entry, { maxLength: 5 }),
  });
  fc.assert(
    fc.property(document, (broken) => {
      const judgement = judge(broken, { url: SITE });
      for (const each of broken.entries) judgement.entry(each);
      expect(judgement.end()).toEqual(judgeDocument(broken, { url: SITE }));
      judgeDocuments(new Map([...site(), [at("changelist-1.xml"), broken]]));
    }),
  );
});
