import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { contentRule } from "../src/inventory/content-rule.ts";
import { readPage } from "../src/inventory/page.ts";
import { digestToAttribute, textDigest } from "../src/model/memory.ts";
import type { EmitResult } from "../src/report/result.ts";
import { serve } from "./support/server.ts";
import { type RunOptions, TestSite } from "./support/site.ts";

const FIRST = "2026-10-05T12:00:00Z";
const SECOND = "2026-10-06T12:00:00Z";
const THIRD = "2026-10-07T12:00:00Z";

const PAGES = ["index.html", "moss.html", "fern.html", "ink.html"];

/** The older schemes; the first of them kept wrappers, and both the navigation in `main`. */
type Former = "1" | "2";

/** A page that every scheme reads in another way. */
function html(
  path: string,
  { nav = "Home", text = "Text", built = "12:00", inside = "Next" } = {},
): string {
  return (
    `<!doctype html><html lang="en"><head><title>${path}</title></head><body><nav>${nav}</nav>` +
    `<main><nav>${inside}</nav><div class="post"><p>${text} of <span>${path}</span></p></div></main>` +
    `<!-- built at ${built} --></body></html>\n`
  );
}

function build(site: TestSite, edit: Parameters<typeof html>[1] = {}, paths = PAGES): TestSite {
  for (const path of paths) site.write(path, html(path, edit), SECOND);
  return site;
}

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

/** Writes the identities of a document as an older scheme told them. */
function asBefore(
  site: TestSite,
  document: string,
  scheme: Former,
  content: readonly string[] = [],
): void {
  const options = { rule: contentRule(content), former: true };
  const former = new Map(
    PAGES.map((path) => {
      const page = readPage(Buffer.from(site.read(path)), options);
      return [page.content, page.formerContents?.find((one) => one.startsWith(scheme))];
    }),
  );
  const old = site.read(document).replace(/ emit:content="([^"]*)"/g, (_, identity) => {
    return ` emit:content="${former.get(identity)}"`;
  });
  // They remembered it, too, and their memory is still understood.
  expect(old).not.toMatch(/ emit:blocks="(?!1\.2[.:])/);
  const blocks = old.replace(/ emit:blocks="[^:]*:/g, `$&${digestToAttribute(textDigest("Next"))}`);
  expect(old).toMatch(new RegExp(` emit:content="${scheme}[.:]`));
  expect(old).not.toMatch(/ emit:content="3/);
  site.write(document, blocks);
}

/** A publication whose Resource List has the identities of an older scheme. */
async function publishedBefore(scheme: Former, options: RunOptions & { content?: string[] } = {}) {
  const site = build(new TestSite(options));
  await site.publish(FIRST);
  const list = site.read("resourcelist.xml");
  asBefore(site, "resourcelist.xml", scheme, options.content);
  const index = site.read("changelist.xml");
  site.write("changelist.xml", index.replace(hash(list), hash(site.read("resourcelist.xml"))));
  return site;
}

function told({ collections }: EmitResult): string[] {
  return collections
    .flatMap(({ changes }) => changes)
    .map(({ url, kind, minor }) => `${kind}${minor ? " (minor)" : ""} ${new URL(url).pathname}`)
    .sort();
}

const MINOR = ["/", "/fern.html", "/ink.html", "/moss.html"].map(
  (path) => `updated (minor) ${path}`,
);
const EXCEPT_INK = [...MINOR.filter((line) => !line.includes("ink")), "updated /ink.html"];

describe.each<{ scheme: Former; options: RunOptions & { content?: string[] } }>([
  { scheme: "2", options: {} },
  { scheme: "2", options: { content: [".post"] } },
  { scheme: "1", options: {} },
  { scheme: "1", options: { content: [".post"] } },
])("a log of scheme $scheme, with $options", ({ scheme, options }) => {
  test("is not touched where no page changed", async () => {
    const site = await publishedBefore(scheme, options);
    const times = site.times();
    expect(await site.publish(SECOND)).toMatchObject({ status: "unchanged" });
    expect(site.times()).toEqual(times);
  });

  test("tells nothing where only comments changed", async () => {
    const site = await publishedBefore(scheme, options);
    const result = await build(site, { built: "13:00" }).publish(SECOND);
    expect(result.collections[0]).toMatchObject({ changes: [], unlogged: { sameMarkup: 4 } });
  });

  test("has minor changes where only the shell changed, and true ones of the same run", async () => {
    const site = await publishedBefore(scheme, options);
    build(site, { nav: "Start" });
    build(site, { nav: "Start", text: "Other text" }, ["ink.html"]);
    expect(told(await site.publish(SECOND))).toEqual(EXCEPT_INK);
    expect(site.read("resourcelist.xml")).not.toMatch(/emit:content="[12]/);
  });

  test("is continued page by page: both schemes stand in one list", async () => {
    const site = await publishedBefore(scheme, options);
    expect(told(await build(site, { nav: "Start" }, ["ink.html"]).publish(SECOND))).toEqual([
      "updated (minor) /ink.html",
    ]);
    expect(site.read("resourcelist.xml")).toMatch(/emit:content="[12]/);
    expect(site.read("resourcelist.xml")).toMatch(/emit:content="3/);
    expect(told(await build(site, { nav: "Begin" }).publish(THIRD))).toEqual(MINOR);
    expect(await site.publish("2026-10-08T12:00:00Z")).toMatchObject({ status: "unchanged" });
  });

  test("quotes what is new, since the navigation that was remembered is only gone", async () => {
    const site = await publishedBefore(scheme, options);
    const ink = site.read("ink.html").replace("</p>", "</p><p>a fern at the wall</p>");
    const { collections } = await site.write("ink.html", ink, SECOND).publish(SECOND);
    const quoted = collections[0]?.changes.map(({ quotes }) => quotes?.shown);
    expect(quoted).toMatchObject([[{ text: "a fern at the wall" }]]);
  });

  test("has a page that moved, once", async () => {
    const site = await publishedBefore(scheme, options);
    const ink = site.read("ink.html").replace("<nav>Home", "<nav>Start");
    const { collections } = await site.remove("ink.html").write("pen.html", ink).publish(SECOND);
    expect(collections[0]?.changes).toMatchObject([
      { kind: "created", moved: `${site.url}ink.html` },
      { kind: "deleted", moved: `${site.url}pen.html` },
    ]);
  });

  test("has minor changes where an option moved every page into another shell", async () => {
    const site = await publishedBefore(scheme, options);
    build(site, { nav: "Start" });
    expect(told(await site.publish(SECOND, { cleanUrls: true }))).toEqual([
      ...["/fern", "/ink", "/moss"].map((path) => `created (minor) ${path}`),
      ...["/fern.html", "/ink.html", "/moss.html"].map((path) => `deleted (minor) ${path}`),
      "updated (minor) /",
    ]);
  });
});

test.each(["2", "1"] as const)(
  "so is one of scheme %s whose newest entries are replayed",
  async (scheme) => {
    const site = build(new TestSite());
    await site.publish(FIRST);
    const before = site.read("resourcelist.xml");
    build(site, { text: "Other text" });
    await site.publish(SECOND);
    // Killed before the Resource List, by the version before.
    site.write("resourcelist.xml", before);
    const list = site.read("changelist-2026-10.xml");
    asBefore(site, "changelist-2026-10.xml", scheme);
    const index = site.read("changelist.xml");
    const text = index.replace(hash(list), hash(site.read("changelist-2026-10.xml")));
    site.write("changelist.xml", text);
    build(site, { text: "Other text", nav: "Start" });
    build(site, { text: "A third text", nav: "Start" }, ["ink.html"]);
    expect(told(await site.publish(THIRD))).toEqual(EXCEPT_INK);
  },
);

test("so is one that is read from the live site", async () => {
  const host = await serve("");
  const site = await publishedBefore("2", { url: host.url });
  host.folder = site.folder;
  const next = build(site.build(), { nav: "Start" });
  build(next, { nav: "Start", text: "Other text" }, ["ink.html"]);
  expect(told(await next.publish(SECOND, { previous: "site" }))).toEqual(EXCEPT_INK);
});
