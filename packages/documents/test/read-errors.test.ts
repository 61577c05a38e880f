import { describe, expect, test } from "vitest";
import {
  openDocument,
  openSitemap,
  type ReadLimits,
  readDocument,
  readDocumentSync,
} from "../src/index.ts";

const ROOT =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"' +
  ' xmlns:rs="http://www.openarchives.org/rs/terms/">';
const LOC = "<loc>http://example.org/</loc>";

/** What reading the text throws, whole and byte by byte. */
async function errorOf(text: string, limits?: Partial<ReadLimits>): Promise<unknown> {
  const pieces = Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
  const [whole, bytewise] = await Promise.all(
    [Buffer.from(text), pieces].map((source) =>
      readDocument(source, limits).catch((error: unknown) => error),
    ),
  );
  expect(bytewise).toEqual(whole);
  return whole;
}

test("comments before a mistake cost no more than their length", async () => {
  expect(await errorOf(`${"<!---->".repeat(140)}<`)).toMatchObject({ code: "TRUNCATED" });
  expect(await errorOf(`${"<!-- a --> ".repeat(90)}<html><p></html>`)).toMatchObject({
    code: "WEB_PAGE",
  });
});

describe("a document is refused, with its place and what was expected there,", () => {
  test.each([
    ["nothing", "", "EMPTY_DOCUMENT", 1, 1, "a urlset or sitemapindex"],
    ["only white space", " \n ", "EMPTY_DOCUMENT", 2, 1, "a urlset or sitemapindex"],
    ["a declaration alone", '<?xml version="1.0"?>', "TRUNCATED", 1, 21, "a root element"],
    ["an end in an element", `${ROOT}\n<url>`, "TRUNCATED", 2, 5, "</url>"],
    ["an end in a tag", `${ROOT}\n<rs:md capabil`, "TRUNCATED", 2, 14, "</urlset>"],
    ["an end in a reference", `${ROOT}\n&am`, "TRUNCATED", 2, 3, "</urlset>"],
    ["words", "x", "NOT_WELL_FORMED", 1, 1, "nothing but comments outside"],
    ["a wrong end tag", `${ROOT}\n<url></ulr>`, "NOT_WELL_FORMED", 2, 11, "</url>"],
    ["an end tag too many", `${ROOT}\n</urlset></a>`, "NOT_WELL_FORMED", 2, 13, "well-formed"],
    ["two roots", `${ROOT}\n</urlset><a/>`, "NOT_WELL_FORMED", 2, 12, "one root"],
    ["text after the root", `${ROOT}\n</urlset>x`, "NOT_WELL_FORMED", 2, 10, "nothing but"],
    ["a bare ampersand", `${ROOT}\na & b;`, "NOT_WELL_FORMED", 2, 3, "&amp; in place of the &"],
    [
      "one in a query",
      `${ROOT}\n<url><loc>x?a=1&b=2</loc>\n</url>`,
      "NOT_WELL_FORMED",
      2,
      16,
      "&amp; in",
    ],
    [
      "one in an attribute",
      `${ROOT}\n<!-- & -->\n<rs:ln\r\nhref="é?a&b"/>\n`,
      "NOT_WELL_FORMED",
      4,
      10,
      "&amp;",
    ],
    [
      "one after a reference",
      `${ROOT}\n<a>&amp;&#38;&x &amp;</a>`,
      "NOT_WELL_FORMED",
      2,
      14,
      "&amp; in",
    ],
    ["one after CDATA", `${ROOT}\n<a><![CDATA[ & ]]>&1;</a>`, "NOT_WELL_FORMED", 2, 19, "&amp; in"],
    ["an unknown entity", `${ROOT}\n&nbsp;`, "NOT_WELL_FORMED", 2, 6, "one of &amp;"],
    ["a reference to no character", `${ROOT}\n&#0;`, "NOT_WELL_FORMED", 2, 4, "a character ref"],
    ["a control character", `${ROOT}\n\u0001`, "NOT_WELL_FORMED", 2, 1, "a character that XML"],
    ["a bare <", `${ROOT}\na < b`, "NOT_WELL_FORMED", 2, 4, "&lt; for the character itself"],
    ["< in an attribute", `${ROOT}\n<a b="<"/>`, "NOT_WELL_FORMED", 2, 7, "a character that"],
    ["a value without quotes", `${ROOT}\n<a b=c/>`, "NOT_WELL_FORMED", 2, 6, "in quotes"],
    ["an attribute without value", `${ROOT}\n<a b/>`, "NOT_WELL_FORMED", 2, 5, "an attribute"],
    ["an attribute twice", `${ROOT}\n<a b="" b=""/>`, "NOT_WELL_FORMED", 2, 14, "once"],
    ["attributes without space", `${ROOT}\n<a b=""c=""/>`, "NOT_WELL_FORMED", 2, 8, "white space"],
    [
      "a late declaration",
      `<!-- --><?xml version="1.0"?>${ROOT}\n`,
      "NOT_WELL_FORMED",
      1,
      14,
      "at the very",
    ],
    ["an undeclared prefix", `${ROOT}\n<x:y/>`, "NOT_WELL_FORMED", 2, 6, "xmlns declaration"],
    [
      "an undeclared prefix of an attribute",
      `${ROOT}\n<rs:md x:y=""/>`,
      "NOT_WELL_FORMED",
      2,
      15,
      "xmlns declaration",
    ],
    ["a prefix for nothing", `${ROOT}\n<x xmlns:x=""/>`, "NOT_WELL_FORMED", 2, 13, "a prefix"],
    [
      "one name by two prefixes",
      `${ROOT}\n<rs:md xmlns:a="urn:a" xmlns:b="urn:a" a:c="" b:c=""/>`,
      "NOT_WELL_FORMED",
      2,
      54,
      "each attribute once",
    ],
    ["a document type", `<!DOCTYPE urlset>\n${ROOT}\n`, "DOCTYPE", 1, 17, "a document without one"],
    [
      "entities",
      `<!DOCTYPE u [<!ENTITY a "b">]>\n${ROOT}\n`,
      "DOCTYPE",
      1,
      30,
      "a document without one",
    ],
    ["an HTML page", "<!doctype html><title>x</title>", "WEB_PAGE", 1, 9, "a urlset or"],
    ["an old HTML page", '<!DOCTYPE HTML PUBLIC "x"><HTML>', "WEB_PAGE", 1, 26, "a urlset"],
    ["XHTML", '<html xmlns="http://www.w3.org/1999/xhtml"/>', "WEB_PAGE", 1, 44, "a urlset"],
    ["a feed", '<feed xmlns="http://www.w3.org/2005/Atom"/>', "NOT_SITEMAP", 1, 43, "a urlset"],
    ["a root without namespace", "\n<urlset/>", "NOT_SITEMAP", 2, 9, "a urlset"],
    [
      "another age's namespace",
      '<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"/>',
      "NOT_SITEMAP",
      1,
      60,
      "http://www.sitemaps.org/schemas/sitemap/0.9",
    ],
    ["an entry as root", `${ROOT.replace("urlset", "url")}</url>`, "NOT_SITEMAP", 1, 106, "a url"],
    ["an entry without loc", `${ROOT}\n  <url>\n</url>`, "MISSING_LOC", 2, 7, "a loc element"],
    ["an empty loc", `${ROOT}\n<url><loc> </loc></url>`, "MISSING_LOC", 2, 5, "a loc element"],
    ["a second loc", `${ROOT}\n<url>${LOC}\n<loc>`, "UNEXPECTED_ELEMENT", 3, 5, "one loc"],
    ["a sitemap in a list", `${ROOT}\n<sitemap>`, "UNEXPECTED_ELEMENT", 2, 9, "url"],
  ])("for %s", async (_, text, code, line, column, expected) => {
    const error = await errorOf(text);
    expect(error).toMatchObject({ code, at: { line, column } });
    expect(error).toHaveProperty("cure", expect.stringContaining(expected));
    expect(error).toHaveProperty("message", expect.stringContaining(`Line ${line}, column `));
  });

  test.each([
    ["openDocument", openDocument],
    ["openSitemap", openSitemap],
  ])(
    "but %s leaves out and counts entries without loc, where that is asked for",
    async (_, open) => {
      const entries = `<url/><url>${LOC}</url><url><loc> </loc><rs:ln rel="up" href="a"/></url><url>${LOC}</url>`;
      const reader = await open(`${ROOT}${entries}</urlset>`, { skipMissingLoc: true });
      const read: unknown[] = [];
      for await (const entry of reader) read.push(entry);
      expect(read).toEqual([{ loc: "http://example.org/" }, { loc: "http://example.org/" }]);
      expect(reader.missingLocs).toBe(2);
    },
  );

  test("counting characters, not bytes or halves of them, and any line end as one", async () => {
    const error = await errorOf(`${ROOT}\r\n\r\n\n<!--é𝄞--><`.concat("1"));
    expect(error).toMatchObject({ code: "NOT_WELL_FORMED", at: { line: 4, column: 11 } });
  });

  test("for an ampersand at its line, however much of the document follows", () => {
    const entries = `<url>${LOC}</url>\n`.repeat(20_000);
    const text = `${ROOT}\n<url><loc>https://example.org/?a=1&lang=de</loc></url>\n${entries}</urlset>`;
    expect(() => readDocumentSync(Buffer.from(text))).toThrow(
      'Line 2, column 35: this is not well-formed XML: "&lang=de" begins no character reference. ' +
        "Expected &amp; in place of the &.",
    );
    expect(() => readDocumentSync(text, { attribute: 1000 })).toThrow("Line 2, column 35");
    const late = text
      .replace("&", "&amp;")
      .replace("</urlset>", "<!-- & --><url>&1</url></urlset>");
    expect(() => readDocumentSync(late)).toThrow("Line 20003, column 16");
  });

  test("with the name of what was found for a root", () => {
    expect(() => readDocumentSync('<feed xmlns="urn:a"/>')).toThrow(
      "the root is feed in the namespace urn:a",
    );
    expect(() => readDocumentSync("<urlset/>")).toThrow("the root is urlset in no namespace");
    expect(() => readDocumentSync("<HTML/>")).toThrow("this is an HTML page");
  });

  test("telling HTML pages from other documents", async () => {
    for (const page of ["<!-- x -->\n<html><br></html>", "<!DoctYpe html>", "<body>"]) {
      const error = await errorOf(page);
      expect(error).toMatchObject({ code: "WEB_PAGE" });
    }
    expect(await errorOf("<rss/>")).toHaveProperty("code", "NOT_SITEMAP");
    expect(await errorOf("<!DOCTYPE urlset [")).toHaveProperty("code", "TRUNCATED");
  });

  test("for half a surrogate pair in a text", () => {
    expect(() => readDocumentSync(`${ROOT}<!--\uD834-->`)).toThrow("half a surrogate pair");
  });
});

describe("a limit", () => {
  const url = `<url>${LOC}</url>`;
  const ln = '<rs:ln rel="up" href="urn:a"/>';
  const a = "a".repeat(200);

  test.each<[keyof ReadLimits, number, within: string, beyond: string]>([
    ["bytes", ROOT.length + 10, `${ROOT}</urlset>`, `${ROOT}é</urlset>`],
    ["entries", 2, `${ROOT}${url}${url}</urlset>`, `${ROOT}${url}${url}${url}</urlset>`],
    ["depth", 3, `${ROOT}<a><b/></a></urlset>`, `${ROOT}<a><b><c/></b></a></urlset>`],
    ["attribute", 200, `${ROOT}<x y="${a.slice(1)}"/></urlset>`, `${ROOT}<x y="${a}"/></urlset>`],
    ["attribute", 200, `${ROOT}${a}</urlset>`, `${ROOT}a${a}</urlset>`],
    ["attribute", 200, `${ROOT}<!--${a}--></urlset>`, `${ROOT}<!--a${a}--></urlset>`],
    ["attribute", 200, `${ROOT}<a/></urlset>`, `${ROOT}<url><loc>${a}<b/>${a}</loc></url>`],
    ["links", 2, `${ROOT}<!----><!----></urlset>`, `${ROOT}<!----><!----><!----></urlset>`],
    ["links", 2, `${ROOT}<!---->${ln}</urlset>`, `${ROOT}<!---->${ln}${ln}</urlset>`],
    ["links", 2, `${ROOT}<url>${ln}${ln}${LOC}</url></urlset>`, `${ROOT}<url>${ln}${ln}${ln}`],
  ])("of %s, here %i, is kept", async (limit, maximum, within, beyond) => {
    await expect(readDocument(within, { [limit]: maximum })).resolves.toBeDefined();
    const error = await errorOf(beyond, { [limit]: maximum });
    expect(error).toMatchObject({ code: "LIMIT" });
    expect(error).toMatchObject({ code: "LIMIT", limit, maximum, at: { line: 1 } });
  });

  test.each([
    ["attribute", `${ROOT}<rs:md hash="`],
    ["comment", `${ROOT}<!--`],
    ["name", `${ROOT}<`],
    ["document type", "<!DOCTYPE a ["],
  ])("of attribute ends an %s that never ends", async (_, start) => {
    let pulled = 0;
    async function* endless() {
      yield Buffer.from(start);
      for (;;) {
        pulled += 1;
        yield Buffer.alloc(65_536, "a");
      }
    }
    const reading = readDocument(endless(), { attribute: 100_000 });
    await expect(reading).rejects.toMatchObject({ code: "LIMIT", limit: "attribute" });
    expect(pulled).toBeLessThan(10);
  });

  test("of depth keeps many levels from taking long", () => {
    expect(() => readDocumentSync(ROOT + "<a>".repeat(1_000_000))).toThrow(
      'the limit "depth" of 64',
    );
  });
});
