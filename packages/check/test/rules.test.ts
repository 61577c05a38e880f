import { describe, expect, test } from "vitest";
import { FINDINGS_PER_RULE, judge, judgeDocument } from "../src/rules/index.ts";
import { DOCUMENT_SCOPE } from "../src/rules/judge.ts";
import { CASES } from "./rules.cases.ts";
import { all, append, at, md, NOW, own, root, unlink, WELL_FORMED } from "./rules.site.ts";

describe("a well-formed document breaks no rule", () => {
  test.each(Object.entries(WELL_FORMED))("%s", (_, { url, document }) => {
    expect(judgeDocument(document, { url, now: NOW })).toEqual([]);
  });
});

describe("a rule is broken", () => {
  for (const [rule, kind, edit, where, elsewhere] of CASES) {
    test(`${rule}: ${kind}, ${where}`, () => {
      const { document, url } = WELL_FORMED[kind];
      const findings = judgeDocument(edit(document), { url: elsewhere ?? url, now: NOW });
      expect(findings).toContainEqual(expect.objectContaining({ rule, where }));
    });
  }

  test("and every rule has such a case", () => {
    const broken = new Set(CASES.map(([rule]) => rule));
    expect(DOCUMENT_SCOPE.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([]);
  });

  test("and every rule has a name of its own", () => {
    const ids = DOCUMENT_SCOPE.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("what is allowed", () => {
  test("a path with any character that is no line break of XML", () => {
    const { document } = WELL_FORMED["resource-dump-manifest"];
    expect(judgeDocument(md(1, { path: "/pages/a\u2028b\u2029c.html" })(document))).toEqual([]);
  });

  const { document: list } = WELL_FORMED["change-list"];

  test("a change without datetime is skipped when the order is judged", () => {
    const skipped = md(2, { datetime: undefined })(list);
    expect(judgeDocument(skipped, { profile: ["resourcesync"] })).toEqual([]);
  });

  test("lastmod tells no order and no interval", () => {
    const old = { loc: at("old.html"), lastmod: "1999-01-01T00:00:00Z" };
    const change = { change: "created", datetime: "2026-10-01T08:00:00Z" };
    expect(judgeDocument(append({ ...old, metadata: change })(list))).toEqual([]);
  });

  test("a date is within an interval that begins or ends on that day", () => {
    const rules = judgeDocument(md(1, { datetime: "2026-10-01" })(list)).map(({ rule }) => rule);
    expect(rules).toEqual(["datetime-full"]);
  });

  test("one change far in the future does not put those after it out of order", () => {
    const future = md(1, { datetime: "2027-01-01T00:00:00Z" })(list);
    const found = judgeDocument(future).filter(({ rule }) => rule === "change-order");
    expect(found.map(({ where }) => where)).toEqual(["entry 2, rs:md@datetime"]);
  });

  test("a notification need not lead up", () => {
    expect(judgeDocument(unlink("up")(WELL_FORMED["change-notification"].document))).toEqual([]);
  });

  test("a Capability List may name capabilities of other specifications", () => {
    const archive = md(1, { capability: "resourcelist-archive" });
    expect(judgeDocument(archive(WELL_FORMED["capability-list"].document))).toEqual([]);
  });

  test("a document of another specification is judged by what holds for every document", () => {
    const archive = own({
      capability: "resourcelist-archive",
      at: undefined,
      completed: undefined,
    });
    const { document } = WELL_FORMED["resource-list"];
    expect(judgeDocument(archive(document))).toEqual([]);
  });

  test("a part of a Source Description may stand anywhere", () => {
    const { document } = WELL_FORMED["source-description"];
    const part = { ...document, links: [...document.links, { rel: "index", href: at("all") }] };
    expect(judgeDocument(part, { url: at("sources-1.xml") })).toEqual([]);
  });

  test("a plain sitemap is judged by what holds for every document", () => {
    const sitemap = all(own({ capability: undefined, at: undefined, completed: undefined }));
    const { document } = WELL_FORMED["resource-list"];
    const rules = judgeDocument(sitemap(document)).map(({ rule }) => rule);
    expect(rules).toEqual(["capability"]);
  });
});

describe("findings", () => {
  test("say what, where, why and by which text", () => {
    const url = at("changelist-1.xml");
    const broken = md(2, { change: "moved" })(WELL_FORMED["change-list"].document);
    expect(judgeDocument(broken, { url })).toEqual([
      {
        rule: "change",
        severity: "must",
        document: url,
        where: "entry 2, rs:md@change",
        what: '"moved" is no change.',
        why: "A change of no known kind is ignored, so it is lost.",
        cure: "Write created, updated or deleted.",
        source: "ResourceSync 1.1, section 7; IFCC-0001, Change Lists",
      },
    ]);
  });

  test("of one rule are counted past the first ones", () => {
    const pages = Array.from({ length: 1_500 }, () => ({ loc: "page" }));
    const { document } = WELL_FORMED["resource-list"];
    const findings = judgeDocument({ ...document, entries: pages });
    const loc = findings.filter(({ rule }) => rule === "loc");
    expect(loc).toHaveLength(FINDINGS_PER_RULE + 1);
    expect(loc.at(-1)).toMatchObject({
      where: "document",
      what: "1,480 more places break this rule.",
    });
  });

  test("are of the texts asked for", () => {
    const bare = unlink("describes")(WELL_FORMED["capability-list"].document);
    expect(judgeDocument(bare, { profile: ["resourcesync"] })).toEqual([]);
    expect(judgeDocument(bare, { profile: ["ifcc-0001"] })).toHaveLength(1);
    const index = root("sitemapindex")(WELL_FORMED["resource-dump-manifest"].document);
    expect(judgeDocument(index, { profile: ["ifcc-0001"] })).toEqual([]);
  });

  test("of a stream are those of the whole", () => {
    const broken = md(2, { change: "moved" })(WELL_FORMED["change-list"].document);
    const judgement = judge(broken);
    for (const entry of broken.entries) judgement.entry(entry);
    expect(judgement.end()).toEqual(judgeDocument(broken));
  });
});
