import type { PassedOver } from "@rs-emit/documents";
import { RESOURCESYNC } from "@rs-emit/documents";
import type { Breaking } from "./rules.cases.ts";
import { append, at, type Edit, entry, entryLink, md, on, own, root } from "./rules.site.ts";

const prefixed: Edit = (document) => ({
  ...document,
  metadata: {
    ...document.metadata,
    foreign: [{ namespace: RESOURCESYNC, name: "mood", value: "calm" }],
  },
});

function passing(form: PassedOver["form"]): Edit {
  const passed = { form, name: "mood", where: "line 4, entry 1, mood" };
  return (document) => ({ ...document, passedOver: [passed] });
}

const FORMS = {
  "element-known": "element",
  "element-once": "repeated",
  "element-order": "order",
  "element-bare": "bare",
  "attribute-known": "attribute",
  "text-place": "text",
} as const;

/** Breaches of what every document, every entry and every value keeps. */
export const FORM_CASES: readonly Breaking[] = [
  ["capability", "resource-list", own({ capability: undefined }), "rs:md@capability"],
  ...Object.entries(FORMS).map(
    ([rule, form]): Breaking => [rule, "resource-list", passing(form), "line 4, entry 1, mood"],
  ),
  ["capability-known", "resource-list", own({ capability: "resorcelist" }), "rs:md@capability"],
  [
    "capability-known",
    "capability-list",
    md(1, { capability: "dump" }),
    "entry 1, rs:md@capability",
  ],
  ["modified-place", "change-list", md(1, { modified: on("06:00:00") }), "entry 1, rs:md@modified"],
  ["manifest-root", "resource-dump-manifest", root("sitemapindex"), "sitemapindex"],
  ["manifest-root", "change-dump-manifest", root("sitemapindex"), "sitemapindex"],
  ["notification-root", "change-notification", root("sitemapindex"), "sitemapindex"],
  ["capability-list-root", "capability-list", root("sitemapindex"), "sitemapindex"],
  ["document-attributes", "resource-list", own({ hash: "md5:00" }), "rs:md@hash"],
  ["attribute-prefix", "resource-list", prefixed, "@rs:mood"],
  [
    "attribute-prefix",
    "change-list",
    entryLink(1, {
      rel: "alternate",
      href: at("fern.txt"),
      foreign: [{ namespace: RESOURCESYNC, name: "type", value: "text/plain" }],
    }),
    "entry 1, @rs:type",
  ],
  [
    "entries-limit",
    "resource-list",
    append(...Array.from({ length: 49_999 }, (_, page) => ({ loc: at(`${page}.html`) }))),
    "document",
  ],
  ["entry-once", "resource-list", append({ loc: at("fern.html") }), "entry 3, loc"],
  ["entry-once", "change-list-index", append({ loc: at("changelist-1.xml") }), "entry 3, loc"],

  ["loc", "resource-list", append({ loc: "" }), "entry 3, loc"],
  ["loc", "resource-list", append({ loc: "ivy.html" }), "entry 3, loc"],
  ["loc-http", "resource-list", append({ loc: "ftp://moss.example/ivy" }), "entry 3, loc"],
  ["loc-length", "resource-list", append({ loc: at("i".repeat(2048)) }), "entry 3, loc"],
  [
    "changefreq",
    "resource-list",
    entry(1, (e) => ({ ...e, changefreq: "often" })),
    "entry 1, changefreq",
  ],
  ["priority", "resource-list", entry(1, (e) => ({ ...e, priority: "2" })), "entry 1, priority"],

  ["datetime", "resource-list", own({ at: "yesterday" }), "rs:md@at"],
  ["datetime", "change-list", md(2, { datetime: "2026-02-30" }), "entry 2, rs:md@datetime"],
  ["datetime", "resource-list", entry(2, (e) => ({ ...e, lastmod: "soon" })), "entry 2, lastmod"],
  [
    "datetime",
    "change-list",
    entryLink(1, { rel: "memento", href: at("old"), modified: "old" }),
    "entry 1, rs:ln rel=memento@modified",
  ],
  ["datetime-past", "change-list", md(3, { datetime: on("20:01:01") }), "entry 3, rs:md@datetime"],
  ["datetime-past", "resource-list", own({ at: "2026-10-02" }), "rs:md@at"],
  ["datetime-full", "change-list", own({ from: "2026-10-01" }), "rs:md@from"],
  ["datetime-full", "change-list", md(1, { datetime: "2026-10-01" }), "entry 1, rs:md@datetime"],
  [
    "datetime-full",
    "resource-list",
    entry(1, (e) => ({ ...e, lastmod: "2026-10-01T09:00:00+02:00" })),
    "entry 1, lastmod",
  ],
  ["change", "change-list", md(2, { change: "moved" }), "entry 2, rs:md@change"],
  ["hash", "resource-list", md(1, { hash: "0f0f" }), "entry 1, rs:md@hash"],
  ["hash", "resource-list", md(1, { hash: "md5:0f sha-256:x_Y" }), "entry 1, rs:md@hash"],
  ["hash", "resource-list", md(1, { hash: `md5:${"0".repeat(31)}` }), "entry 1, rs:md@hash"],
  ["hash", "resource-list", md(1, { hash: `sha-256:${"0".repeat(62)}` }), "entry 1, rs:md@hash"],
  ["hash-algorithm", "resource-list", md(1, { hash: "sha256:0f0f" }), "entry 1, rs:md@hash"],
  ["length", "resource-list", md(1, { length: "-1" }), "entry 1, rs:md@length"],
  ["type", "resource-list", md(1, { type: "html" }), "entry 1, rs:md@type"],
  [
    "type-registered",
    "resource-list",
    md(1, { type: "text/html; charset=utf-8" }),
    "entry 1, rs:md@type",
  ],
  ["path", "resource-dump-manifest", md(1, { path: "fern.html" }), "entry 1, rs:md@path"],
  ["path", "resource-dump-manifest", md(1, { path: "/pages/" }), "entry 1, rs:md@path"],
  ["path", "resource-dump-manifest", md(1, { path: "/../fern.html" }), "entry 1, rs:md@path"],
];
