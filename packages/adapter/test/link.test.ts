import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { parseOptions } from "../../core/src/model/options.ts";
import { folderOf } from "../../core/test/inventory-folder.ts";
import { insertLinks, withLink } from "../src/insert-links.ts";
import { capabilityListOf, resourceSyncLink } from "../src/link.ts";

const LINK = resourceSyncLink("/capabilitylist.xml");

function linked(html: string): string | undefined {
  return withLink(Buffer.from(html), LINK)?.toString();
}

describe("the link stands in a page's head", () => {
  test.each([
    "<!doctype html><head><title>x</title>|</head><body>y</body>",
    "<!DOCTYPE html><HTML><HEAD><TITLE>x</TITLE>|</HEAD><BODY>",
    "<head><script>var a = '</head>';</script><!-- </head> -->|</head>",
    "<!doctype html><title>no head</title>|<body><p>y",
    "<!doctype html><html lang=en>|<p>y",
    "<!doctype html>|<main>y</main>",
    "<head>|<meta charset=utf-8><p>a head that nobody closed</p>",
    "\ufeff|<p>a piece of a page",
    "|just text",
    "|",
  ])("%j", (marked) => {
    expect(linked(marked.replace("|", ""))).toBe(marked.replace("|", LINK));
  });

  test("as XHTML wants it", () => {
    const xhtml = (page: string) => withLink(Buffer.from(page), LINK, true)?.toString();
    expect(xhtml("<head><title>x</title></head>")).toContain('capabilitylist.xml" /></head>');
    expect(xhtml(`<head><script src="a.js"/>${LINK}</head>`)).toBe(undefined);
    expect(resourceSyncLink("/a&copy/capabilitylist.xml")).toContain('"/a&amp;copy/');
  });

  test("once", () => {
    expect(linked('<head><LINK href="/x.xml" rel="alternate ResourceSync"></head>')).toBe(
      undefined,
    );
    expect(linked(linked("<head></head>") ?? "")).toBe(undefined);
  });

  test("without a change to any other byte, whatever the charset", () => {
    const html = Buffer.concat([Buffer.from("<head></head>"), Buffer.from([0x83, 0x5c, 0xff])]);
    const result = withLink(html, LINK);
    expect(result?.subarray(6 + LINK.length)).toEqual(html.subarray(6));
    expect(withLink(Buffer.from("<head></head>", "utf16le"), LINK)).toBe(undefined);
  });
});

describe("each page is linked to the Capability List of its collection", () => {
  const settings = (folder: string) =>
    parseOptions({
      folder,
      url: "https://example.org/base",
      collections: ["shrine/", "shrine/hall/"],
      exclude: "shrine/x.html",
    });

  test("in the output folder", proves("R25", "R26"), async () => {
    const page = "<head></head>";
    const files = ["index.html", "shrine/a.html", "shrine/b.xhtml", "shrine/hall/c.html"];
    const others = ["shrine/x.html", "shrine/stale.html"];
    const folder = folderOf(Object.fromEntries([...files, ...others].map((file) => [file, page])));
    await insertLinks(settings(folder), (file) => file === "shrine/stale.html");
    const read = (file: string) => readFileSync(join(folder, file), "utf8");
    expect([...files, ...others].map(read)).toEqual([
      page,
      '<head><link rel="resourcesync" href="/base/shrine/capabilitylist.xml"></head>',
      '<head><link rel="resourcesync" href="/base/shrine/capabilitylist.xml" /></head>',
      '<head><link rel="resourcesync" href="/base/shrine/hall/capabilitylist.xml"></head>',
      page,
      page,
    ]);
  });

  test("by its URL", () => {
    const { collections } = settings(folderOf({ "index.html": "" }));
    const list = (path: string) =>
      capabilityListOf(collections, `https://example.org/base/${path}`);
    expect(list("shrine/hall/c.html")).toBe("/base/shrine/hall/capabilitylist.xml");
    expect(list("shrine/")).toBe("/base/shrine/capabilitylist.xml");
    expect(list("about/")).toBe(undefined);
  });
});
