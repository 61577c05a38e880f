import type { DocumentKind, Link } from "@rs-emit/documents";
import type { Breaking } from "./rules.cases.ts";
import { all, at, entryLink, link, md, on, unlink } from "./rules.site.ts";

const UPWARD: readonly DocumentKind[] = [
  "capability-list",
  "resource-list",
  "resource-list-index",
  "resource-dump",
  "resource-dump-index",
  "resource-dump-manifest",
  "change-list",
  "change-list-index",
  "change-dump",
  "change-dump-index",
  "change-dump-manifest",
];
const PATCH: Link = { rel: "http://www.openarchives.org/rs/terms/patch", href: at("fern.diff") };

function duplicate(values: Partial<Link>): Link {
  return { ...values, rel: "duplicate", href: "https://mirror.example/fern.html" };
}

function memento(version: string): Link {
  return { rel: "memento", href: at(version), modified: on("06:00:00") };
}

/** Breaches of what links keep. */
export const LINK_CASES: readonly Breaking[] = [
  ["rel", "resource-list", link({ rel: "Goes To", href: at("rights.html") }), "rs:ln rel=Goes To"],
  [
    "rel",
    "resource-list",
    entryLink(1, { rel: "", href: at("rights.html") }),
    "entry 1, rs:ln rel=",
  ],
  [
    "rel",
    "resource-list",
    entryLink(1, { rel: "zebra", href: at("a") }),
    "entry 1, rs:ln rel=zebra",
  ],
  [
    "contents-place",
    "resource-dump",
    link({ rel: "contents", href: at("m") }),
    "rs:ln rel=contents",
  ],
  ["patch-place", "change-list", link({ ...PATCH, type: "a/b" }), `rs:ln rel=${PATCH.rel}`],
  ["href", "resource-list", link({ rel: "license", href: "rights" }), "rs:ln rel=license@href"],
  [
    "pri",
    "resource-list",
    entryLink(1, duplicate({ pri: "0" })),
    "entry 1, rs:ln rel=duplicate@pri",
  ],
  [
    "pri",
    "resource-list",
    entryLink(1, duplicate({ pri: "1000000" })),
    "entry 1, rs:ln rel=duplicate@pri",
  ],
  ...UPWARD.map((kind): Breaking => ["up", kind, unlink("up"), "rs:ln rel=up"]),
  ["navigation-once", "resource-list", link({ rel: "up", href: at("other.xml") }), "rs:ln rel=up"],
  [
    "index-of-index",
    "change-list-index",
    link({ rel: "index", href: at("all.xml") }),
    "rs:ln rel=index",
  ],

  [
    "contents-place",
    "change-list",
    entryLink(1, { rel: "contents", href: at("m.xml") }),
    "entry 1, rs:ln rel=contents",
  ],
  [
    "contents-type",
    "resource-dump",
    all(unlink("contents"), entryLink(1, { rel: "contents", href: at("m"), type: "text/html" })),
    "entry 1, rs:ln rel=contents@type",
  ],
  [
    "duplicate",
    "resource-list",
    entryLink(1, duplicate({ length: "120" })),
    "entry 1, rs:ln rel=duplicate@length",
  ],
  [
    "alternate-type",
    "resource-list",
    entryLink(1, { rel: "alternate", href: at("fern.pdf") }),
    "entry 1, rs:ln rel=alternate@type",
  ],
  ["patch-type", "change-list", entryLink(1, PATCH), `entry 1, rs:ln rel=${PATCH.rel}@type`],
  [
    "patch-place",
    "resource-list",
    entryLink(1, { ...PATCH, type: "text/x-diff" }),
    `entry 1, rs:ln rel=${PATCH.rel}`,
  ],
  [
    "patch-path",
    "change-dump-manifest",
    entryLink(1, { ...PATCH, type: "text/x-diff" }),
    `entry 1, rs:ln rel=${PATCH.rel}@path`,
  ],
  [
    "memento-once",
    "change-list",
    entryLink(1, memento("1"), memento("2")),
    "entry 1, rs:ln rel=memento",
  ],
  [
    "memento-modified",
    "change-list",
    entryLink(1, { rel: "memento", href: at("1") }),
    "entry 1, rs:ln rel=memento@modified",
  ],
  [
    "timegate",
    "change-list",
    entryLink(1, { rel: "timegate", href: at("gate"), type: "text/html" }),
    "entry 1, rs:ln rel=timegate@type",
  ],
  ["path-place", "resource-list", md(1, { path: "/fern.html" }), "entry 1, rs:md@path"],
  [
    "path-place",
    "change-list",
    entryLink(1, { ...PATCH, type: "text/x-diff", path: "/p" }),
    `entry 1, rs:ln rel=${PATCH.rel}@path`,
  ],
];
