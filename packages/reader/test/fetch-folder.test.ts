import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { folderTransport } from "../src/http/folder-transport.ts";
import { fresh, textOf } from "./support/answers.ts";

const scratch = mkdtempSync(join(tmpdir(), "harvester-folder-"));
const site = join(scratch, "site");

beforeAll(() => {
  const files = {
    "site/index.html": "front page",
    "site/sitemap.xml": "<urlset/>",
    "site/packed.xml.gz": gzipSync("<urlset/>"),
    "site/broken.xml.gz": gzipSync("<urlset/>").subarray(0, 15),
    "site/.well-known/resourcesync": "description",
    "site/two words.xml": "words",
    "site/caf\u00e9.xml": "caf\u00e9",
    "site/100%.xml": "percent",
    "site/sub/list.xml": "list",
    "secret.xml": "secret",
    "site-secret/list.xml": "secret",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(scratch, name, ".."), { recursive: true });
    writeFileSync(join(scratch, name), text);
  }
  symlinkSync(join(site, "sitemap.xml"), join(site, "inside.xml"));
  symlinkSync(join(scratch, "secret.xml"), join(site, "outside.xml"));
  symlinkSync(join(scratch, "site-secret"), join(site, "outside"));
  symlinkSync(join(site, "circle.xml"), join(site, "circle.xml"));
  symlinkSync(site, join(scratch, "linked"));
  execFileSync("mkfifo", [join(site, "pipe.xml")]);
});

afterAll(() => rmSync(scratch, { recursive: true }));

test.each([
  ["https://example.test/sitemap.xml", "<urlset/>"],
  ["https://example.test/sitemap.xml?v=1", "<urlset/>"],
  ["https://example.test/.well-known/resourcesync", "description"],
  ["https://example.test/two%20words.xml", "words"],
  ["https://example.test/caf%C3%A9.xml", "caf\u00e9"],
  ["https://example.test/caf\u00e9.xml", "caf\u00e9"],
  ["https://example.test/100%25.xml", "percent"],
  ["https://example.test/100%.xml", "percent"],
  ["https://example.test/sub/../sub/list.xml", "list"],
  ["https://example.test/inside.xml", "<urlset/>"],
  ["https://example.test/packed.xml.gz", "<urlset/>"],
  ["https://example.test/", "front page"],
])("%s is a file", async (url, text) => {
  const answer = await folderTransport(site, "https://example.test/").get(url);
  expect(answer).toMatchObject({ url, permanentUrl: url });
  expect(await textOf(answer)).toBe(text);
});

test.each([
  ["https://example.test/docs/sitemap.xml", "https://example.test/docs/"],
  ["https://example.test/docs/sitemap.xml", "https://example.test/docs"],
  ["http://example.test:8080/sitemap.xml", "http://example.test:8080"],
])("%s is a file of the site at %s", async (url, siteUrl) => {
  expect(await textOf(await folderTransport(site, siteUrl).get(url))).toBe("<urlset/>");
});

test("the folder may be a symbolic link", async () => {
  const transport = folderTransport(join(scratch, "linked"), "https://example.test/");
  expect(await textOf(await transport.get("https://example.test/sitemap.xml"))).toBe("<urlset/>");
});

describe("what is no file of the site", () => {
  test.each<[string, string]>([
    ["MISSING", "https://example.test/docs/missing.xml"],
    ["MISSING", "https://example.test/docs/sub"],
    ["MISSING", "https://example.test/docs/sub/"],
    ["MISSING", "https://example.test/docs"],
    ["MISSING", "https://example.test/sitemap.xml"],
    ["MISSING", "https://other.test/docs/sitemap.xml"],
    ["MISSING", "http://example.test/docs/sitemap.xml"],
    ["MISSING", "https://example.test/docs/../secret.xml"],
    ["MISSING", "https://example.test/docs/%2e%2e/secret.xml"],
    ["MISSING", "https://example.test/docs/..%2fsecret.xml"],
    ["MISSING", "https://example.test/docs/sub%2Flist.xml"],
    ["MISSING", "https://example.test/docs/..%5csecret.xml"],
    ["MISSING", "https://example.test/docs//sitemap.xml"],
    ["MISSING", "https://example.test/docs/sitemap.xml%00"],
    ["MISSING", "https://example.test/docs/sitemap.xml/more"],
    ["MISSING", "https://example.test/docs/pipe.xml"],
    ["MISSING", `https://example.test/docs/${"long".repeat(100)}`],
    ["MISSING", "no URL"],
    ["FORBIDDEN", "https://example.test/docs/outside.xml"],
    ["FORBIDDEN", "https://example.test/docs/outside/list.xml"],
    ["UNREACHABLE", "https://example.test/docs/circle.xml"],
  ])("%s: %s", async (code, url) => {
    const transport = folderTransport(site, "https://example.test/docs/");
    await expect(transport.get(url)).rejects.toMatchObject({ code, url });
  });

  test("a gzip file that is broken", async () => {
    const transport = folderTransport(site, "https://example.test/");
    const answer = await transport.get("https://example.test/broken.xml.gz");
    await expect(textOf(answer)).rejects.toMatchObject({ code: "UNREACHABLE" });
  });
});

test("a file is unchanged as long as its bytes are", async () => {
  const transport = folderTransport(site, "https://example.test/");
  const url = "https://example.test/changing.xml";
  writeFileSync(join(site, "changing.xml"), "old");
  const { validators } = fresh(await transport.get(url));
  writeFileSync(join(site, "changing.xml"), "old");
  expect(await transport.get(url, validators)).toEqual({
    status: "unchanged",
    url,
    permanentUrl: url,
  });
  writeFileSync(join(site, "changing.xml"), "new");
  expect(await textOf(await transport.get(url, validators))).toBe("new");
});
