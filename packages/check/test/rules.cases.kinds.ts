import type { Breaking } from "./rules.cases.ts";
import { append, at, entry, md, on, own, unlink, WELL_FORMED } from "./rules.site.ts";

const ENTRIES_OF_DESCRIPTION = WELL_FORMED["source-description"].document.entries;
const ELSEWHERE = at("sources.xml");

/** Breaches of what one kind of document keeps. */
export const KIND_CASES: readonly Breaking[] = [
  ["description", "source-description", own({ capability: "resourcelist" }), "rs:md@capability"],
  ["well-known", "source-description", (d) => d, "document", ELSEWHERE],
  ["well-known", "source-description-index", (d) => d, "document", ELSEWHERE],
  ["describedby", "source-description", (d) => ({ ...d, links: [] }), "rs:ln rel=describedby"],
  ["describedby", "capability-list", unlink("describedby"), "rs:ln rel=describedby"],
  [
    "entry-describedby",
    "source-description",
    unlink("describedby"),
    "entry 1, rs:ln rel=describedby",
  ],
  [
    "description-entry",
    "source-description",
    md(1, { capability: undefined }),
    "entry 1, rs:md@capability",
  ],
  [
    "description-entry",
    "source-description",
    md(1, { capability: "changelist" }),
    "entry 1, rs:md@capability",
  ],
  [
    "capability-entry",
    "capability-list",
    md(1, { capability: undefined }),
    "entry 1, rs:md@capability",
  ],
  [
    "capability-entry-known",
    "capability-list",
    md(1, { capability: "description" }),
    "entry 1, rs:md@capability",
  ],
  [
    "capability-once",
    "capability-list",
    md(3, { capability: "resourcelist" }),
    "entry 3, rs:md@capability",
  ],
  ["hub", "capability-list", unlink("hub"), "entry 5, rs:ln rel=hub"],
  [
    "lastmod-omitted",
    "capability-list",
    entry(1, (e) => ({ ...e, lastmod: on("06:00:00") })),
    "entry 1, lastmod",
  ],
  [
    "lastmod-omitted",
    "source-description",
    entry(1, (e) => ({ ...e, lastmod: on("06:00:00") })),
    "entry 1, lastmod",
  ],

  ["package-metadata", "resource-dump", md(1, { type: undefined }), "entry 1, rs:md@type"],
  ["package-metadata", "change-dump", md(2, { length: undefined }), "entry 2, rs:md@length"],
  ["package-zip", "change-dump", md(1, { type: "application/x-tar" }), "entry 1, rs:md@type"],
  ["package-format", "change-dump", md(2, { type: "application/x-tar" }), "entry 2, rs:md@type"],
  ["bitstream-path", "resource-dump-manifest", md(1, { path: undefined }), "entry 1, rs:md@path"],
  ["bitstream-path", "change-dump-manifest", md(2, { change: "updated" }), "entry 2, rs:md@path"],
  [
    "bitstream-once",
    "resource-dump-manifest",
    md(2, { path: "/pages/fern.html" }),
    "entry 2, rs:md@path",
  ],
  ["bitstream-type", "resource-dump-manifest", md(1, { type: undefined }), "entry 1, rs:md@type"],
  ["notification-interval", "change-notification", own({ until: undefined }), "rs:md@until"],
  ["notification-interval", "change-notification", own({ from: undefined }), "rs:md@from"],

  ["ifcc-well-known", "source-description", (d) => d, "document", ELSEWHERE],
  [
    "ifcc-entry-describes",
    "source-description",
    unlink("describes"),
    "entry 1, rs:ln rel=describes",
  ],
  ["ifcc-describes", "capability-list", unlink("describes"), "rs:ln rel=describes"],
  [
    "ifcc-describes-once",
    "source-description",
    append(...ENTRIES_OF_DESCRIPTION),
    "entry 2, rs:ln rel=describes",
  ],
  ["ifcc-change-list", "capability-list", md(2, { capability: "news" }), "document"],
  ["ifcc-datetime", "change-list", md(2, { datetime: undefined }), "entry 2, rs:md@datetime"],
];
