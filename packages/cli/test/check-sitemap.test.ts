import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { emit } from "@rs-emit/core";
import { describe, expect, test } from "vitest";
import { folderOf, page, write } from "./support/folder.ts";
import { Terminal } from "./support/terminal.ts";

const SITE = "https://garden.example/";
const NAMES = ["index", "moss", "rain", "night", "lens", "bus"].map((name) => `${name}.html`);

/** A published site whose pages were all edited once, on different days. */
async function published(url = SITE, robots = false): Promise<string> {
  const folder = folderOf(Object.fromEntries(NAMES.map((name) => [name, page(name, name)])));
  for (const [day, name] of ["", ...NAMES].entries()) {
    if (name !== "") write(folder, { [name]: page(name, `${name}, edited`) });
    const now = `2026-10-0${day + 1}T12:00:00Z`;
    const options = { history: "files", previous: "output", sitemap: true, robots } as const;
    await emit({ folder, url, testAddress: true, now, ...options });
  }
  return folder;
}

async function rulesFound(folder: string): Promise<readonly string[]> {
  return (await found(folder)).map(([rule]) => rule);
}

async function found(folder: string): Promise<readonly (readonly [string, string, string])[]> {
  const terminal = new Terminal();
  const { stdout } = await terminal.run(["check", folder, "--json"]);
  const { findings }: { findings: { rule: string; level: string; what: string }[] } =
    JSON.parse(stdout);
  return findings
    .filter(({ rule }) => rule.startsWith("sitemap"))
    .map(({ rule, level, what }) => [rule, level, what] as const);
}

function edit(folder: string, name: string, change: (text: string) => string): void {
  const file = join(folder, name);
  const before = readFileSync(file, "utf8");
  const after = change(before);
  expect(after).not.toBe(before);
  writeFileSync(file, after);
}

describe("check judges a sitemap", () => {
  test("as rs-emit writes it: nothing is wrong", async () => {
    expect(await found(await published(SITE, true))).toEqual([]);
  });

  test("that robots.txt does not name; of a page of a project that is not asked", async () => {
    expect(await found(await published())).toEqual([
      ["sitemap-named", "warning", `robots.txt does not name ${SITE}sitemap.xml.`],
    ]);
    expect(await found(await published(`${SITE}project/`))).toEqual([]);
  });

  test("that is named and not there", async () => {
    const folder = await published(SITE, true);
    rmSync(join(folder, "sitemap.xml"));
    expect(await found(folder)).toEqual([
      ["sitemap-missing", "error", "It is not there: robots.txt names it."],
    ]);
  });

  test("that a robots.txt with a byte order mark names; other formats need only be there", async () => {
    const folder = await published();
    const others = ["urls.txt", "sitemap.xml.gz", "changes.atom", "gone.txt"];
    const lines = ["sitemap.xml", ...others].map((name) => `Sitemap: ${SITE}${name}\r\n`);
    write(folder, {
      "robots.txt": `\ufeff${lines.join("")}`,
      "urls.txt": `${SITE}\n${SITE}moss.html\n`,
    });
    const packed = gzipSync(readFileSync(join(folder, "sitemap.xml")));
    writeFileSync(join(folder, "sitemap.xml.gz"), packed);
    expect(await found(folder)).toEqual([
      ["sitemap-missing", "error", "It is not there: robots.txt names it."],
    ]);
  });

  test("that is cut off, and one of another program", async () => {
    const folder = await published(SITE, true);
    edit(folder, "sitemap.xml", (text) => text.slice(0, -80));
    expect(await rulesFound(folder)).toEqual(["sitemap-unreadable"]);
    edit(folder, "sitemap.xml", () => "<urlset><url><loc>https://a.example/?a&b</loc></url>");
    expect(await rulesFound(folder)).toEqual(["sitemap-unreadable"]);
  });

  test("whose dates are in the future, or all the same", async () => {
    const folder = await published(SITE, true);
    edit(folder, "sitemap.xml", (text) => text.replace("2026-10-02", "2999-01-01"));
    expect(await found(folder)).toEqual([
      ["sitemap-future", "warning", `1 of its dates are in the future: ${SITE}.`],
    ]);
    const build = "2026-10-09T08:00:00Z";
    edit(folder, "sitemap.xml", (text) => text.replaceAll(/2\d{3}-\d\d-\d\dT[^<]*/g, build));
    expect(await found(folder)).toEqual([
      ["sitemap-one-date", "warning", `All 6 dates are ${build}.`],
    ]);
  });

  test("in parts, one of which is missing", async () => {
    const folder = await published(SITE, true);
    const part = readFileSync(join(folder, "sitemap.xml"), "utf8");
    writeFileSync(join(folder, "sitemap-part1.xml"), part.replace("2026-10-02", "2999-01-01"));
    const sitemap = (name: string) => `<sitemap><loc>${SITE}${name}</loc></sitemap>`;
    const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${["sitemap-part1.xml", "sitemap-part2.xml"].map(sitemap).join("")}</sitemapindex>`;
    writeFileSync(join(folder, "sitemap.xml"), index);
    expect(await rulesFound(folder)).toEqual(["sitemap-missing", "sitemap-future"]);
  });
});
