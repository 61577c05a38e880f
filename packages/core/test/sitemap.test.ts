import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { LONGEST_READ } from "../src/inventory/file-digest.ts";
import { composeSitemap } from "../src/sitemap/sitemap-file.ts";
import { createRepository } from "./support/repository.ts";
import { serve } from "./support/server.ts";
import { logOf, type RunOptions, seconds, TestSite } from "./support/site.ts";

const DAYS = ["05", "06", "07", "08", "09"].map((day) => `2026-10-${day}T12:00:00Z`);
const [FIRST = "", SECOND = "", THIRD = "", FOURTH = "", FIFTH = ""] = DAYS;
const URL_ = "https://example.org/";

function html(main: string, { head = "", footer = "2025" } = {}): string {
  return `<!doctype html><html><head><title>${main}</title>${head}</head><body><main><nav>${footer}</nav><p>${main}</p></main><footer>${footer}</footer></body></html>`;
}

function site(options: RunOptions = {}): TestSite {
  const pages = new TestSite({ sitemap: true, ...options });
  for (const name of ["index", "moss", "rain"]) pages.write(`${name}.html`, html(name));
  return pages;
}

/** Path and date of each page; a page without a date alone. */
function listed(of: TestSite, name = "sitemap.xml"): readonly string[] {
  const urls = of.read(name).matchAll(/<loc>([^<]*)<\/loc>(?:\s*<lastmod>([^<]*)<\/lastmod>)?/g);
  return [...urls].map(([, loc = "", date]) => {
    const path = loc.replace(of.url, "/");
    return date === undefined ? path : `${path} ${date}`;
  });
}

function edited(pages: TestSite, name: string, at: string, text = `${name}, edited`): TestSite {
  return pages.write(`${name}.html`, html(text), at);
}

describe("the dates of sitemap.xml", () => {
  test("are those of changes that are not minor; what is not known has none", async () => {
    const pages = site();
    await pages.publish(FIRST);
    expect(listed(pages)).toEqual(["/", "/moss.html", "/rain.html"]);
    await edited(pages, "moss", SECOND).publish(SECOND);
    expect(listed(pages)).toEqual(["/", `/moss.html ${SECOND}`, "/rain.html"]);
    for (const name of ["index", "rain"]) {
      pages.write(`${name}.html`, html(name, { footer: "2026" }), THIRD);
    }
    await pages.publish(THIRD);
    expect(listed(pages)).toEqual(["/", `/moss.html ${SECOND}`, "/rain.html"]);
  });

  test("are told where the author calls a publication's updates minor", async () => {
    const pages = site({ minor: true });
    await pages.publish(FIRST);
    await edited(pages, "moss", SECOND).publish(SECOND);
    await pages.write("moss.html", html("moss, edited", { footer: "2026" }), THIRD).publish(THIRD);
    expect(listed(pages)).toEqual(["/", `/moss.html ${SECOND}`, "/rain.html"]);
  });

  test("go with a page that moves, and to a collection that takes it", async () => {
    const pages = site({ collections: ["/"] });
    await pages.publish(FIRST);
    await edited(pages, "moss", SECOND).publish(SECOND);
    const text = pages.read("moss.html");
    await pages.remove("moss.html").write("green/moss.html", text, THIRD).publish(THIRD);
    expect(listed(pages)).toEqual(["/", `/green/moss.html ${SECOND}`, "/rain.html"]);
    const both = { collections: ["/", "green/"] };
    await pages.publish(FOURTH, both);
    expect(listed(pages)).toEqual(["/", `/green/moss.html ${SECOND}`, "/rain.html"]);
    await pages.remove("green/moss.html").write("wet.html", text).publish(FIFTH, both);
    expect(listed(pages)).toEqual(["/", "/rain.html", `/wet.html ${SECOND}`]);
  });

  test("are those of commits where git has the pages themselves", async () => {
    using project = createRepository();
    const pages = new TestSite({ sitemap: true, history: "git" }, {}, project.root);
    const commit = (at: string) => project.commit(seconds(at));
    for (const name of ["index", "moss", "rain"]) pages.write(`${name}.html`, html(name));
    commit(FIRST);
    edited(pages, "moss", SECOND);
    commit(SECOND);
    pages.write("moss.html", html("moss, edited", { footer: "2026" }));
    pages.write("rain.html", `<!-- built -->${html("rain")}`);
    commit(THIRD);
    await pages.run(FOURTH);
    const dates = ["/", "/moss.html", "/rain.html"].map((path) => `${path} ${FIRST}`);
    const expected = dates.map((line) => line.replace(`moss.html ${FIRST}`, `moss.html ${SECOND}`));
    expect(listed(pages)).toEqual(expected);
  });

  test("are known to a fresh build that reads the log from the live site", async () => {
    const pages = site();
    const host = await serve(pages.folder);
    const options = { url: host.url, testAddress: true };
    await pages.run(FIRST, options);
    await edited(pages, "moss", SECOND).run(SECOND, options);
    const fresh = new TestSite({ ...options, sitemap: true, previous: "site" });
    for (const name of ["index", "moss", "rain"]) {
      fresh.write(`${name}.html`, pages.read(`${name}.html`));
    }
    expect((await fresh.run(THIRD)).status).toBe("unchanged");
    expect(fresh.read("sitemap.xml")).toBe(pages.read("sitemap.xml"));
  });

  test("stay with the site when it moves", async () => {
    const pages = site();
    await pages.publish(FIRST);
    await edited(pages, "moss", SECOND).publish(SECOND);
    const url = "https://new.example/";
    await pages.publish(THIRD, { url, movedFrom: URL_ });
    expect(pages.read("sitemap.xml")).toContain(
      `<loc>${url}moss.html</loc>\n    <lastmod>${SECOND}</lastmod>`,
    );
  });

  test("are not told of pages of no collection and pages on demand, which are listed", async () => {
    const pages = site({ collections: ["green/"] });
    pages.write("green/fern.html", html("fern"));
    pages.write("secret.html", html("s", { head: '<meta name="robots" content="noindex">' }));
    const builder = {
      project: pages.folder,
      sourceFiles: () => [],
      onDemand: [`${URL_}green/today`],
    };
    await pages.run(FIRST, {}, { builder });
    pages.write("green/fern.html", html("fern, grown"), SECOND);
    await pages.run(SECOND, {}, { builder });
    const dated = `/green/fern.html ${SECOND}`;
    expect(listed(pages)).toEqual(["/", dated, "/green/today", "/moss.html", "/rain.html"]);
  });
});

describe("sitemap.xml", () => {
  test("keeps every byte where nothing changed, and is no resource", async () => {
    const pages = site({ include: ["**/*.xml", "**/*.txt"], robots: true });
    await pages.publish(FIRST);
    const before = pages.files();
    expect((await pages.publish(SECOND)).status).toBe("unchanged");
    expect(pages.files()).toEqual(before);
    expect(pages.read("resourcelist.xml")).not.toMatch(/sitemap\.xml|robots\.txt/);
  });

  test.each([
    ["the robots of all engines", '<meta name="robots" content="noindex">'],
    ["Google's", '<META NAME="GoogleBot" content="nofollow, NOINDEX">'],
    ["a canonical elsewhere", '<link rel="canonical" href="https://example.org/moss.html">'],
    ["one that is relative", '<link href="moss.html" rel="alternate canonical">'],
  ])("leaves out a page by %s", async (_, head) => {
    const pages = site().write("rain.html", html("rain", { head }));
    await pages.publish(FIRST);
    expect(listed(pages)).toEqual(["/", "/moss.html"]);
    // The page is known by its bytes now, and is not read again.
    await edited(pages, "moss", SECOND).publish(SECOND);
    expect(listed(pages)).toEqual(["/", `/moss.html ${SECOND}`]);
  });

  test.each([
    "http://www.example.org/rain",
    "rain.html",
    "/rain/",
    "https://example.org/rain.html#top",
  ])("lists a page whose canonical is itself, spelled %s", async (href) => {
    const head = `<link rel="canonical" href="${href}">`;
    const pages = site().write("rain.html", html("rain", { head }));
    await pages.publish(FIRST);
    expect(listed(pages)).toContain("/rain.html");
  });

  test.each([
    ["/rain.html\n  X-Robots-Tag: noindex", false],
    ["# all\n/*\n\tCache-Control: no-cache\n\tx-robots-tag: googlebot: none", false],
    ["https://:project.pages.dev/*\n  X-Robots-Tag: noindex", true],
    ["https://example.org/r*\n  X-Robots-Tag: nofollow, noindex", false],
    ["/*\n  X-Robots-Tag: otherbot: noindex", true],
    ["/*\n  X-Robots-Tag: noindex\n/:page.html\n  ! X-Robots-Tag", true],
    ["/r.in.html\n  X-Robots-Tag: noindex", true],
    ["\ufeff/rain.html\r\n  X-Robots-Tag: noindex\r\n", false],
    ["/rain.html\n  X-Robots-Tag: googlebot-news: noindex", true],
    ["/rain.html\n  X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST, noindex", false],
    ["/rain.html\n  X-Robots-Tag: max-snippet: 0, noindex", false],
  ])("by _headers %j: lists a page is %s", async (headers, isListed) => {
    const pages = site().write("_headers", headers);
    await pages.publish(FIRST);
    const isWritten = existsSync(join(pages.folder, "sitemap.xml"));
    expect(isWritten && listed(pages).includes("/rain.html")).toBe(isListed);
  });

  test.each([
    "User-agent: *\nDisallow: /rain",
    "User-agent: Googlebot\nDisallow: /*.html$\nAllow: /moss.html$",
  ])("leaves out what robots.txt forbids, which stays a resource: %j", async (robots) => {
    const pages = site().write("robots.txt", robots);
    await pages.publish(FIRST);
    expect(listed(pages)).toEqual(["/", "/moss.html"]);
    expect(pages.read("resourcelist.xml")).toContain("rain.html");
  });

  test("understands the author's files in UTF-8, with its mark, and behind a symbolic link", async () => {
    const pages = site().write("käse.html", html("k")).write("größe & maß.html", html("g"));
    pages.write("_headers", "/größe & maß.html\n  X-Robots-Tag: noindex");
    pages.write("robots.source", "\ufeffUser-agent: *\nDisallow: /käse\nDisallow: /rain");
    symlinkSync("robots.source", join(pages.folder, "robots.txt"));
    await pages.publish(FIRST);
    expect(listed(pages)).toEqual(["/", "/moss.html"]);
  });

  test("lists a page with a relative canonical wherever it goes, and its copies", async () => {
    const self = (name: string) => html(name, { head: '<link rel="canonical" href="./">' });
    const pages = site().write("a/index.html", self("a")).write("b/index.html", self("a"));
    pages.write("c/index.html", self("c"));
    await pages.publish(FIRST);
    const moved = pages.read("c/index.html");
    await pages.remove("c/index.html").write("d/index.html", moved, SECOND).publish(SECOND);
    expect(listed(pages)).toEqual(["/", "/a/", "/b/", "/d/", "/moss.html", "/rain.html"]);
    const url = "https://new.example/";
    await pages.publish(THIRD, { url, movedFrom: URL_ });
    expect(pages.read("sitemap.xml").match(/<loc>/g)).toHaveLength(6);
  });

  test("leaves out a copy of the page that its canonical names", async () => {
    const head = `<link rel="canonical" href="${URL_}a/">`;
    const pages = site().write("a/index.html", html("a", { head }));
    pages.write("b/index.html", html("a", { head }));
    await pages.publish(FIRST);
    const expected = ["/", "/a/", "/moss.html", "/rain.html"];
    expect(listed(pages)).toEqual(expected);
    const before = pages.files();
    expect((await pages.publish(SECOND)).status).toBe("unchanged");
    expect(pages.files()).toEqual(before);
  });

  test("leaves out a page too long to be compared as a whole", async () => {
    const long = html("rain", { head: '<meta name="googlebot" content="noindex">' });
    const pages = site().write("rain.html", long + "x".repeat(LONGEST_READ));
    await pages.publish(FIRST);
    expect(listed(pages)).toEqual(["/", "/moss.html"]);
  });

  test("is not judged by a robots.txt below the host's root", async () => {
    const pages = site({ url: "https://example.org/project/" });
    await pages.write("robots.txt", "User-agent: *\nDisallow: /").publish(FIRST);
    expect(listed(pages)).toHaveLength(3);
  });

  test("is not written without a page, and an old one is deleted", async () => {
    const pages = site();
    await pages.publish(FIRST);
    pages.write("robots.txt", "User-agent: *\nDisallow: /");
    const { notes } = await pages.publish(SECOND);
    expect(existsSync(join(pages.folder, "sitemap.xml"))).toBe(false);
    expect(notes.map(({ code }) => code)).toContain("NO_SITEMAP");
  });

  test("has a name of its own, and goes with the option", async () => {
    const pages = site({ sitemap: "pages.xml" });
    await pages.publish(FIRST);
    expect(listed(pages, "pages.xml")).toHaveLength(3);
    await pages.publish(SECOND, { sitemap: false });
    expect(existsSync(join(pages.folder, "pages.xml"))).toBe(false);
  });

  test("is an index of parts past the limits, each whole; parts that are too many go", async () => {
    const pages = site();
    const limits = { entries: 2, bytes: 50_000 };
    await pages.run(FIRST, {}, { limits });
    expect(listed(pages)).toEqual(["/sitemap-part1.xml", "/sitemap-part2.xml"]);
    expect(listed(pages, "sitemap-part1.xml")).toEqual(["/", "/moss.html"]);
    expect(listed(pages, "sitemap-part2.xml")).toEqual(["/rain.html"]);
    await pages.run(SECOND);
    expect(listed(pages)).toHaveLength(3);
    expect(existsSync(join(pages.folder, "sitemap-part1.xml"))).toBe(false);
  });

  test("fits the limit of bytes, in as few parts as that allows", () => {
    const pages = Array.from({ length: 50 }, (_, at) => ({
      url: `${URL_}${"ä".repeat(at)}&${at}.html`,
      lastmod: at % 2 === 0 ? at : undefined,
    }));
    const name = "sitemap.xml";
    const limits = { bytes: 1_500 };
    const documents = composeSitemap(pages, { site: URL_, name, limits });
    const parts = documents.slice(0, -1).map((one) => ("bytes" in one ? String(one.bytes) : ""));
    const sizes = parts.map((part) => Buffer.byteLength(part));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(limits.bytes);
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(limits.bytes / 2);
    expect(parts.join("").match(/<loc>/g)).toHaveLength(pages.length);
  });

  test("of another program is never overwritten, not even by force", async () => {
    const pages = site().write("sitemap.xml", "<urlset/>");
    await expect(pages.run(FIRST, { force: true })).rejects.toMatchObject({
      code: "FOREIGN_SITEMAP",
    });
    expect(pages.read("sitemap.xml")).toBe("<urlset/>");
    expect(existsSync(join(pages.folder, "resourcelist.xml"))).toBe(false);
  });

  test("is valid by the schema of sitemaps.org", async ({ skip }) => {
    const schemas = join(import.meta.dirname, "../../../../shared/spec/xsd");
    skip(!existsSync(join(schemas, "sitemap.xsd")), "needs the schemas");
    const pages = site().write("a & b's/<ä>.html", html("odd"));
    await pages.run(FIRST);
    await edited(pages, "moss", SECOND).run(SECOND);
    validate(join(schemas, "sitemap.xsd"), join(pages.folder, "sitemap.xml"));
    const parts = site();
    await parts.run(FIRST, {}, { limits: { entries: 2 } });
    validate(join(schemas, "siteindex.xsd"), join(parts.folder, "sitemap.xml"));
    validate(join(schemas, "sitemap.xsd"), join(parts.folder, "sitemap-part2.xml"));
  });
});

function validate(schema: string, file: string): void {
  execFileSync("xmllint", ["--noout", "--nonet", "--schema", schema, file], { stdio: "pipe" });
}

describe("robots.txt", () => {
  const OWN = /# rs-emit begins.*\nSitemap: https:\/\/example\.org\/sitemap\.xml\n# rs-emit ends\n/;

  test("gets our line once, and keeps the author's bytes", async () => {
    const theirs = Buffer.from("User-agent: *\r\nDisallow: /caf\xe9\n# end", "latin1");
    const pages = site({ robots: true }).write("robots.txt", theirs);
    await pages.publish(FIRST);
    await edited(pages, "moss", SECOND).publish(SECOND);
    expect(pages.read("robots.txt").match(new RegExp(OWN, "g"))).toHaveLength(1);
    await pages.publish(THIRD, { robots: false });
    expect(pages.read("robots.txt")).toBe(`${theirs.toString()}\n`);
  });

  test.each([
    ["in UTF-16LE", (text: string) => Buffer.from(text, "utf16le")],
    ["in UTF-16BE", (text: string) => Buffer.from(text, "utf16le").swap16()],
    ["in UTF-8", (text: string) => Buffer.from(text)],
  ])("marked %s is read as such, and gets our line so", async (_, encode) => {
    const theirs = "\uFEFFUser-agent: *\r\nDisallow: /caf\u00e9\r\nDisallow: /rain";
    const pages = site({ robots: true }).write("robots.txt", encode(theirs));
    await pages.publish(FIRST);
    const written = readFileSync(join(pages.folder, "robots.txt"));
    const own = /\n(# rs-emit begins.*)$/s.exec(decodeText(written))?.[1] ?? "";
    expect(own).toMatch(OWN);
    expect(written).toEqual(encode(`${theirs}\n${own}`));
    expect(pages.read("sitemap.xml")).not.toContain("/rain.html");
    await edited(pages, "moss", SECOND).publish(SECOND);
    expect(readFileSync(join(pages.folder, "robots.txt"))).toEqual(written);
    await pages.publish(THIRD, { robots: false });
    expect(readFileSync(join(pages.folder, "robots.txt"))).toEqual(encode(`${theirs}\n`));
  });

  test("is made where there is none", async () => {
    const pages = site({ robots: true });
    await pages.publish(FIRST);
    expect(pages.read("robots.txt")).toMatch(OWN);
  });

  test("behind a symbolic link is replaced by force alone, with the author's lines", async () => {
    const pages = site({ robots: true }).write("robots.source", "User-agent: *\n");
    symlinkSync("robots.source", join(pages.folder, "robots.txt"));
    await expect(pages.run(FIRST)).rejects.toMatchObject({ code: "FOREIGN_FILE" });
    await pages.publish(FIRST, { force: true });
    expect(pages.read("robots.txt")).toMatch(/^User-agent: \*\n# rs-emit begins/);
    expect(pages.read("robots.source")).toBe("User-agent: *\n");
  });

  test.each(["robots.txt", "changes.atom"])(
    "or %s as a folder is refused, by force too, before anything is written",
    async (name) => {
      const pages = site({ robots: true });
      mkdirSync(join(pages.folder, name));
      const run = pages.run(FIRST, { force: true });
      await expect(run).rejects.toMatchObject({ code: "FOLDER_IN_THE_WAY" });
      expect(existsSync(join(pages.folder, "sitemap.xml"))).toBe(false);
    },
  );

  test("with half of our marks is left as it is, and nothing is written", async () => {
    const pages = site({ robots: true }).write("robots.txt", "# rs-emit ends\n");
    await expect(pages.run(FIRST)).rejects.toMatchObject({ code: "OWN_LINES" });
    expect(existsSync(join(pages.folder, "resourcelist.xml"))).toBe(false);
  });

  test("that does not name the sitemap: the first run with one says the line", async () => {
    const codes = async (pages: TestSite, at: string, options: RunOptions = {}) =>
      (await pages.publish(at, options)).notes.map(({ code }) => code);
    const pages = site();
    expect(await codes(pages, FIRST, { sitemap: false })).not.toContain("SITEMAP_NOT_NAMED");
    expect(await codes(pages, SECOND)).toContain("SITEMAP_NOT_NAMED");
    expect(await codes(pages, THIRD)).not.toContain("SITEMAP_NOT_NAMED");
    const fresh = pages.build({ previous: pages.folder }).remove("sitemap.xml");
    expect(await codes(fresh, FOURTH)).not.toContain("SITEMAP_NOT_NAMED");
    expect(await codes(fresh, FIFTH, { sitemap: "pages.xml" })).toContain("SITEMAP_NOT_NAMED");
    const named = site().write("robots.txt", "Sitemap: https://example.org/sitemap.xml");
    expect(await codes(named, FIRST)).not.toContain("SITEMAP_NOT_NAMED");
  });

  test.each([
    ["robots.txt", "Sitemap: https://example.org/all.xml"],
    ["sitemap-index.xml", "<sitemapindex/>"],
  ])("or %s names another sitemap: two may disagree", async (file, contents) => {
    const { notes } = await site().write(file, contents).publish(FIRST);
    const note = notes.find(({ code }) => code === "TWO_SITEMAPS");
    expect(note?.message).toMatch(/astro\.config.*Eleventy.*Hugo.*Jekyll/);
  });

  test.each([
    [{ robots: true, sitemap: false }],
    [{ robots: true, url: "https://example.org/project/" }],
  ])("options that can write no line are refused: %j", async (options) => {
    await expect(site().run(FIRST, options)).rejects.toMatchObject({ code: "OPTION" });
  });
});

test("a page with noindex that is included is in the log, as long as it is, and in no sitemap", async () => {
  const hidden = html("rain", { head: '<meta name="robots" content="noindex">' });
  const pages = site().write("rain.html", hidden);
  for (const at of [FIRST, SECOND]) await pages.publish(at, { include: ["rain.html"] });
  expect(logOf(pages.folder, URL_)).toContain("2026-09-01T08:00:00Z created /rain.html");
  expect(listed(pages)).toEqual(["/", "/moss.html"]);
  await pages.publish(THIRD);
  expect(logOf(pages.folder, URL_).at(-1)).toBe(`${THIRD} deleted (minor) /rain.html`);
});

test("the author's own file with the key stays as it is", async () => {
  const key = "3f1c9a4e-7b2d5086";
  const pages = site({ indexNow: key }).write(`${key}.txt`, `${key}\r\n`);
  await pages.publish(FIRST);
  expect(pages.read(`${key}.txt`)).toBe(`${key}\r\n`);
});

test.each(["sitemap.xml", "sitemap-part2.xml"])(
  "the feed cannot be called %s, as the sitemap is",
  async (file) => {
    const feed = { file, minor: false, entries: "publication" } as const;
    await expect(site({ feed }).run(FIRST)).rejects.toMatchObject({ code: "OPTION" });
  },
);

test.each(["../x.xml", "sitemap.txt", "resourcelist.xml", "a/b.xml", ""])(
  "%j is no name of a sitemap",
  async (sitemap) => {
    await expect(site().run(FIRST, { sitemap })).rejects.toMatchObject({ code: "OPTION" });
  },
);
