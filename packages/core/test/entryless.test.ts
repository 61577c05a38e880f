import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { summarizeBuild } from "../../adapter/src/summary.ts";
import { whatHappened } from "../src/report/words.ts";
import { logOf, TestSite } from "./support/site.ts";

const FIRST = "2026-10-05T12:00:00Z";
const SECOND = "2026-10-06T12:00:00Z";
const THIRD = "2026-11-07T12:00:00Z";
const PAGES = ["index.html", "blog/one/index.html", "blog/two/index.html", "about/index.html"];

/** The official Eleventy starter writes the build time into a comment of every page. */
function build(site: TestSite, time: string, edited = "", text = "Text"): TestSite {
  for (const path of PAGES) {
    const own = path === edited ? "Ferns grow in a new wing of the shrine" : `${text} of ${path}`;
    site.write(
      path,
      `<!doctype html><html lang="en"><head><title>${path}</title></head><body>\n` +
        `<header><a href="/">Home</a></header>\n<main>${own}</main>\n` +
        `<!-- This page was built at ${time} -->\n</body></html>\n`,
      time,
    );
  }
  return site;
}

function written({ documents }: Awaited<ReturnType<TestSite["run"]>>): string[] {
  return documents.filter(({ status }) => status === "written").map(({ path }) => path);
}

function lastmods(site: TestSite): string[] {
  return [...site.read("resourcelist.xml").matchAll(/<lastmod>(.*?)</g)].map(([, at = ""]) => at);
}

describe("a site that is built again, with the time of the build in every page", () => {
  test("has no new entry, and nothing is written but the index and the Resource List", async () => {
    const site = build(new TestSite(), FIRST);
    await site.publish(FIRST);
    const log = logOf(site.folder, site.url);
    const dates = lastmods(site);
    const result = await build(site, SECOND).publish(SECOND);
    expect(result).toMatchObject({ status: "published", datetime: SECOND });
    expect(result.collections).toMatchObject([
      { changes: [], unlogged: { sameMarkup: 4, links: 0 } },
    ]);
    expect(written(result).sort()).toEqual(["changelist.xml", "resourcelist.xml"]);
    expect(logOf(site.folder, site.url)).toEqual(log);
    expect(lastmods(site)).toEqual(dates);
    expect(site.read("resourcelist.xml")).toContain(`at="${SECOND}"`);
    expect(site.read("changelist.xml")).toContain(`emit:publication="${SECOND}"`);
    expect(site.read("changelist.xml")).toContain(`emit:previous="${FIRST}"`);
    expect(whatHappened(result)).toBe(
      "Nothing new in the log: 4 pages differ only in comments, white space or what rs-emit writes, " +
        "published 6 October 2026, 12:00 UTC.",
    );
  });

  test("leaves every byte when it is published once more", async () => {
    const site = build(new TestSite(), FIRST);
    await site.publish(FIRST);
    await build(site, SECOND).publish(SECOND);
    const times = site.times();
    expect(await site.publish(THIRD)).toMatchObject({ status: "unchanged", datetime: SECOND });
    expect(site.times()).toEqual(times);
  });

  test("logs the one page that was edited, and has the hashes of all", async () => {
    const site = build(new TestSite(), FIRST);
    await site.publish(FIRST);
    const result = await build(site, SECOND, "about/index.html").publish(SECOND);
    expect(result.collections[0]).toMatchObject({
      changes: [{ url: `${site.url}about/`, kind: "updated" }],
      unlogged: { sameMarkup: 3 },
    });
    expect(await site.publish(THIRD)).toMatchObject({ status: "unchanged" });
    expect(logOf(site.folder, site.url).slice(4)).toEqual([`${SECOND} updated /about/`]);
  });

  test("keeps its list open past the end of the month, until there is a change", async () => {
    const site = build(new TestSite(), FIRST);
    await site.publish(FIRST);
    const names = () => [...site.files().keys()].filter((path) => path.startsWith("changelist/"));
    const before = site.read("changelist/2026-10.xml");
    await build(site, THIRD).publish(THIRD);
    expect(names()).toEqual(["changelist/2026-10.xml"]);
    expect(site.read("changelist/2026-10.xml")).toBe(before);
    await build(site, THIRD, "about/index.html").publish("2026-11-08T12:00:00Z");
    expect(names()).toEqual(["changelist/2026-10.xml", "changelist/2026-11.xml"]);
  });

  test("logs what other bytes a file of another kind has", async () => {
    const site = build(new TestSite({ include: ["*.svg"] }), FIRST);
    await site.write("a.svg", "<svg><!-- a --></svg>").publish(FIRST);
    const result = await site.write("a.svg", "<svg><!-- b --></svg>", SECOND).publish(SECOND);
    expect(result.collections[0]?.changes).toMatchObject([{ url: `${site.url}a.svg` }]);
  });
});

test("a page published without a markup identity gets one, and is not told as changed", async () => {
  const site = build(new TestSite(), FIRST);
  await site.publish(FIRST);
  const old = site.read("resourcelist.xml").replaceAll(/ emit:markup="[^"]*"/g, "");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const index = site.read("changelist.xml");
  site.write("changelist.xml", index.replace(hash(site.read("resourcelist.xml")), hash(old)));
  site.write("resourcelist.xml", old);
  const renewed = await site.publish(SECOND);
  expect(renewed.collections).toMatchObject([{ changes: [], unlogged: { renewed: 4 } }]);
  const built = await build(site, THIRD).publish(THIRD);
  expect(built.collections).toMatchObject([{ changes: [], unlogged: { sameMarkup: 4 } }]);
});

test("another menu on every page is one line of the summary", async () => {
  const site = build(new TestSite(), FIRST);
  await site.publish(FIRST);
  for (const path of PAGES) site.write(path, site.read(path).replace("Home", "Start"), SECOND);
  const result = await site.publish(SECOND);
  expect(result.collections[0]?.changes).toHaveLength(4);
  expect(summarizeBuild(result)).toEqual([
    "4 minor changes, published 6 October 2026, 12:00 UTC; feeds leave them out: /, /about/, /blog/one/ and 1 more.",
  ]);
});

describe("options that change what is compared", () => {
  const FOURTH = "2026-11-09T12:00:00Z";
  const NAMES = ["index", "ash", "birch", "cedar", "elm", "fir", "hazel"];

  function garden(site: TestSite, footer: string, at = FIRST): TestSite {
    for (const name of NAMES) {
      site.write(
        `${name}.html`,
        `<!doctype html><title>${name}</title><body><div class="post"><a href="${name}.html#top">${name}</a> grows by the river.</div>` +
          `<div>${name} is a tree.</div><div>${footer}</div></body>`,
        at,
      );
    }
    return site;
  }

  const POST = { content: [".post"] };
  const cases = [
    { name: "--content", before: {}, after: POST },
    { name: "another --content", before: { content: ["body"] }, after: POST },
    { name: "excerpts again", before: { ...POST, excerpts: false }, after: POST },
    { name: "--no-excerpts", before: POST, after: { ...POST, excerpts: false } },
  ];

  test.each(cases)("renew the memory of pages without an edit: $name", async (story) => {
    const site = garden(new TestSite(), "Since 1999");
    await site.publish(FIRST, story.before);
    const [log, dates] = [logOf(site.folder, site.url), lastmods(site)];
    const renewed = await site.publish(SECOND, story.after);
    expect(renewed).toMatchObject({ status: "published", datetime: SECOND });
    expect(renewed.collections).toMatchObject([{ changes: [], unlogged: { renewed: 7 } }]);
    expect(written(renewed).sort()).toEqual(["changelist.xml", "resourcelist.xml"]);
    expect(whatHappened(renewed)).toBe(
      "Nothing new in the log: the Resource List remembers 7 pages anew, by today's options, " +
        "published 6 October 2026, 12:00 UTC.",
    );
    expect(logOf(site.folder, site.url)).toEqual(log);
    expect(lastmods(site)).toEqual(dates);
    const times = site.times();
    expect(await site.publish(THIRD, story.after)).toMatchObject({ status: "unchanged" });
    expect(site.times()).toEqual(times);
    const edited = await garden(site, "Since 1999, in Massat", FOURTH).publish(FOURTH, story.after);
    expect(edited.collections[0]?.changes.map(({ minor }) => minor)).toEqual(NAMES.map(() => true));
  });

  test("pages whose addresses lose .html later are no mass deletion", async () => {
    const site = garden(new TestSite({ cleanUrls: true }), "Since 1999");
    await site.publish(FIRST);
    await site.publish(SECOND, POST);
    const options = { ...POST, cleanUrls: false };
    const moved = await garden(site, "Since 1999, in Massat", THIRD).publish(THIRD, options);
    expect(moved.collections[0]?.changes.every(({ minor }) => minor)).toBe(true);
  });

  test("a page that moves with the option is a move", async () => {
    const site = garden(new TestSite(), "Since 1999");
    await site.publish(FIRST);
    const elm = site.read("elm.html");
    const result = await site.remove("elm.html").write("elms.html", elm).publish(SECOND, POST);
    expect(result.collections[0]?.changes).toMatchObject([
      { kind: "created", moved: `${site.url}elm.html` },
      { kind: "deleted", moved: `${site.url}elms.html` },
    ]);
  });
});
