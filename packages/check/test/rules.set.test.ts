import type { ParsedDocument } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { judgeDocuments } from "../src/rules/index.ts";
import { SET_SCOPE } from "../src/rules/judge.ts";
import { all, append, at, type Edit, link, md, on, own, SITE, site, unlink } from "./rules.site.ts";

/** Each rule; the document of the site that is edited, and how; where the breach is found. */
const CASES: readonly (readonly [string, string, Edit, string, string])[] = [
  ["target-kind", at("changelist.xml"), wrong, at("capabilitylist.xml"), "entry 2, loc"],
  ["target-kind", at("capabilitylist.xml"), wrong, at("changelist-1.xml"), "rs:ln rel=up"],
  ["target-kind", at("changelist.xml"), wrong, at("changelist-1.xml"), "rs:ln rel=index"],
  ["target-kind", at("changelist-2.xml"), wrong, at("changelist.xml"), "entry 2, loc"],
  [
    "target-kind",
    at("pages-manifest.xml"),
    wrong,
    at("resourcedump-1.xml"),
    "entry 1, rs:ln rel=contents",
  ],
  ["target-missing", at("changelist.xml"), list("gone.xml"), at("changelist.xml"), "entry 3, loc"],
  [
    "target-missing",
    at("changelist-1.xml"),
    all(unlink("up"), link({ rel: "up", href: at("gone.xml") })),
    at("changelist-1.xml"),
    "rs:ln rel=up",
  ],
  ["up-lists", `${SITE}/.well-known/resourcesync`, bare, at("capabilitylist.xml"), "rs:ln rel=up"],
  ["up-lists", at("capabilitylist.xml"), bare, at("changelist.xml"), "rs:ln rel=up"],
  ["up-lists", at("capabilitylist.xml"), bare, at("changelist-1.xml"), "rs:ln rel=up"],
  ["index-lists", at("changelist.xml"), bare, at("changelist-1.xml"), "rs:ln rel=index"],
  [
    "index-link",
    at("changelist-1.xml"),
    unlink("index"),
    at("changelist-1.xml"),
    "rs:ln rel=index",
  ],
  [
    "index-times",
    at("changelist-1.xml"),
    own({ from: on("05:00:00") }),
    at("changelist.xml"),
    "entry 1, rs:md@from",
  ],
  [
    "index-times",
    at("changelist-1.xml"),
    own({ until: undefined }),
    at("changelist.xml"),
    "entry 1, rs:md@until",
  ],
  [
    "index-times",
    at("resourcelist-1.xml"),
    own({ at: on("18:00:01") }),
    at("resourcelist.xml"),
    "entry 1, rs:md@at",
  ],
  [
    "index-until",
    at("changelist-2.xml"),
    own({ until: on("14:00:00") }),
    at("changelist.xml"),
    "entry 2, rs:md@until",
  ],
  [
    "contents-times",
    at("changes-manifest.xml"),
    own({ from: on("05:00:00") }),
    at("changedump-1.xml"),
    "entry 1, rs:md@from",
  ],
  [
    "log-consistent",
    at("changelist-1.xml"),
    md(3, { change: "created" }),
    at("changelist-1.xml"),
    "entry 3, rs:md@change",
  ],
  [
    "log-consistent",
    at("changelist-2.xml"),
    append({
      loc: at("ivy.html"),
      metadata: { change: "updated", datetime: on("14:00:00") },
    }),
    at("changelist-2.xml"),
    "entry 3, rs:md@change",
  ],
  [
    "snapshot-agrees",
    at("resourcelist-1.xml"),
    append({ loc: at("ivy.html") }),
    at("changelist-2.xml"),
    "entry 1, loc",
  ],
  ["snapshot-agrees", at("resourcelist-1.xml"), bare, at("changelist-1.xml"), "entry 3, loc"],
  [
    "dump-agrees",
    at("pages-manifest.xml"),
    (document) => ({ ...document, entries: document.entries.slice(1) }),
    at("resourcedump.xml"),
    "document",
  ],
  ["list-host", at("changelist-1.xml"), abroad, at("changelist-1.xml"), "entry 1, loc"],
  [
    "manifest-changes",
    at("changes-manifest.xml"),
    (document) => ({ ...document, entries: document.entries.slice(0, -1) }),
    at("changes-manifest.xml"),
    "document",
  ],
  [
    "descriptions-grouped",
    at("changelist-2.xml"),
    own({ capability: "description", from: undefined }),
    at("changelist-2.xml"),
    "document",
  ],
  [
    "notification-sequence",
    "notification 2",
    own({ from: on("12:00:01") }),
    "notification 2",
    "rs:md@from",
  ],
  [
    "notification-sequence",
    "notification 2",
    own({ from: on("11:59:59") }),
    "notification 2",
    "rs:md@from",
  ],
  [
    "ifcc-describes-agree",
    at("capabilitylist.xml"),
    all(unlink("describes"), link({ rel: "describes", href: `${SITE}/gallery/` })),
    at("capabilitylist.xml"),
    "rs:ln rel=describes",
  ],
  [
    "ifcc-change-list-index",
    at("changelist.xml"),
    (document) => ({ ...document, root: "urlset" }),
    at("capabilitylist.xml"),
    "entry 2, loc",
  ],
];

/** Makes a document of a kind that nothing in the site expects there. */
function wrong(document: ParsedDocument): ParsedDocument {
  return own({ capability: "wishlist" })(document);
}

/** Takes all entries out. */
function bare(document: ParsedDocument): ParsedDocument {
  return { ...document, entries: [] };
}

/** Moves all resources to another host. */
function abroad(document: ParsedDocument): ParsedDocument {
  const entries = document.entries.map((one) => ({
    ...one,
    loc: one.loc.replace("moss.", "fern."),
  }));
  return { ...document, entries };
}

function list(path: string): Edit {
  return append({ loc: at(path), metadata: { from: on("20:00:00") } });
}

function edited(url: string, edit: Edit): ReadonlyMap<string, ParsedDocument> {
  return new Map(
    [...site()].map(([each, document]) => [each, each === url ? edit(document) : document]),
  );
}

test("a well-formed site breaks no rule", () => {
  expect(judgeDocuments(site())).toEqual([]);
});

describe("a rule on documents together is broken", () => {
  test.each(CASES)("%s: %s", (rule, url, edit, document, where) => {
    expect(judgeDocuments(edited(url, edit))).toContainEqual(
      expect.objectContaining({ rule, document, where }),
    );
  });

  test("and every rule has such a case", () => {
    const broken = new Set(CASES.map(([rule]) => rule));
    expect(SET_SCOPE.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });
});

describe("what is allowed", () => {
  test("an entry of another host beside entries of the own one", () => {
    const loc = "https://fern.example/ivy.html";
    const found = judgeDocuments(edited(at("resourcelist-1.xml"), append({ loc })));
    expect(found.map(({ rule }) => rule)).toEqual(["dump-agrees"]);
  });

  test("a change that a package without its manifest may hold", () => {
    const open = append({ loc: at("changes-3.zip"), metadata: { from: on("06:30:00") } });
    const documents = new Map(edited(at("changedump-1.xml"), open));
    const manifest = documents.get(at("changes-manifest.xml"));
    if (manifest === undefined) throw new Error("the site has no manifest");
    documents.set(at("changes-manifest.xml"), {
      ...manifest,
      entries: manifest.entries.slice(0, -1),
    });
    const rules = judgeDocuments(documents).map(({ rule }) => rule);
    expect(rules).not.toContain("manifest-changes");
  });

  test("links may lead out of a set that is not all of a publication", () => {
    const urls = [at("changelist.xml"), at("changelist-1.xml")];
    const some = new Map([...site()].filter(([url]) => urls.includes(url)));
    expect(judgeDocuments(some, { complete: false })).toEqual([]);
    expect(judgeDocuments(some).map(({ rule }) => rule)).toContain("target-missing");
  });

  test("a change after the snapshot may contradict it", () => {
    const later = append({
      loc: at("fern.html"),
      metadata: { change: "deleted", datetime: on("18:00:01") },
    });
    expect(judgeDocuments(edited(at("changelist-2.xml"), later))).toEqual([]);
  });

  test("a URL is the same in every spelling", () => {
    const spelled = (document: ParsedDocument) => ({
      ...document,
      links: document.links.map((each) => ({ ...each, href: each.href.replace("moss", "MOSS") })),
    });
    expect(judgeDocuments(edited(at("changelist-1.xml"), spelled))).toEqual([]);
  });

  test("Source Descriptions may lie under an index", () => {
    const documents = site();
    const home = `${SITE}/.well-known/resourcesync`;
    const description = documents.get(home);
    if (description === undefined) throw new Error("the site has no Source Description");
    documents.set(at("sources-1.xml"), link({ rel: "index", href: home })(description));
    documents.set(home, {
      root: "sitemapindex",
      metadata: { capability: "description" },
      links: [],
      comments: [],
      entries: [{ loc: at("sources-1.xml") }],
    });
    expect(judgeDocuments(documents)).toEqual([]);
  });
});
