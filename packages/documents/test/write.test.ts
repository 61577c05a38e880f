import { describe, expect, test } from "vitest";
import {
  type AnyHead,
  type Entry,
  type Link,
  ListWriter,
  type Metadata,
  readDocumentSync,
  type TimeAttribute,
  type WriteOptions,
  writeBounded,
} from "../src/index.ts";
import { schemaType } from "../src/write/values.ts";
import {
  capabilityList,
  changeDumpManifest,
  changeList,
  changeListIndex,
  resourceList,
  sourceDescription,
} from "./heads.ts";

const loc = "https://example.org/page";

function write(head: AnyHead, entries: Iterable<Entry>, options?: WriteOptions): string {
  const writer = new ListWriter(head, options);
  for (const entry of entries) expect(writer.add(entry)).toBe(true);
  return Buffer.from(writer.finish()).toString();
}

describe("a document is written", () => {
  test("in the order its schema demands, as a person likes to read it", () => {
    const entry: Entry = {
      links: [{ type: "text/html", href: "https://example.org/page.de", rel: "alternate" }],
      metadata: { type: "text/html", datetime: "2026-10-02T00:00:00Z", change: "updated" },
      priority: "0.5",
      changefreq: "daily",
      lastmod: "2026-10-01T12:00:00Z",
      loc,
    };
    const head = { ...changeList, comments: [" Made by hand. ", "one"] };
    expect(write(head, [entry])).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!-- Made by hand. -->
<!--one-->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="changelist" from="2026-10-01T00:00:00Z"/>
  <rs:ln rel="up" href="https://example.org/capabilitylist.xml"/>
  <url>
    <loc>https://example.org/page</loc>
    <lastmod>2026-10-01T12:00:00Z</lastmod>
    <changefreq>daily</changefreq>
    <priority>0.5</priority>
    <rs:md change="updated" datetime="2026-10-02T00:00:00Z" type="text/html"/>
    <rs:ln rel="alternate" href="https://example.org/page.de" type="text/html"/>
  </url>
</urlset>
`);
  });

  test("without entries", () => {
    expect(write(changeListIndex, [])).toMatch(/\n {2}<rs:ln [^\n]+\/>\n<\/sitemapindex>\n$/);
  });

  test("with known prefixes on the root, and others where they are needed", () => {
    const foreign = [
      { namespace: "http://purl.org/dc/terms/", name: "title", value: "A" },
      { namespace: "urn:a", name: "b", value: "1" },
      { namespace: "urn:a", name: "c", value: "2" },
      { namespace: "urn:b", name: "b", value: "3" },
    ];
    const prefixes = { dcterms: "http://purl.org/dc/terms/", ns1: "urn:taken" };
    const text = write(resourceList, [{ loc, metadata: { foreign } }], { prefixes });
    expect(text).toContain(' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:ns1="urn:taken">');
    expect(text).toContain(
      '<rs:md dcterms:title="A" xmlns:ns2="urn:a" ns2:b="1" ns2:c="2" xmlns:ns3="urn:b" ns3:b="3"/>',
    );
  });

  test("with every character that has a meaning escaped", () => {
    const value = "<a href=\"x\">&amp; 'b'</a>]]>\t\n\r.";
    const foreign = [{ namespace: "urn:a", name: "b", value }];
    const text = write(resourceList, [{ loc: `${loc}?a&b'c`, metadata: { foreign } }]);
    expect(text).toContain("<loc>https://example.org/page?a&amp;b'c</loc>");
    expect(text).toContain(
      "\"&lt;a href=&quot;x&quot;&gt;&amp;amp; 'b'&lt;/a&gt;]]&gt;&#9;&#10;&#13;.\"",
    );
  });

  test("with U+FFFD for what XML cannot hold in others' attributes", () => {
    const value = "\u0000a\u001B\uD834b\uDD1E\uFFFE𝄞";
    const foreign = [{ namespace: "urn:a", name: "b", value }];
    const text = write(resourceList, [{ loc, metadata: { foreign } }]);
    expect(readDocumentSync(text).entries[0]?.metadata?.foreign?.[0]?.value).toBe(
      "\uFFFDa\uFFFD\uFFFDb\uFFFD\uFFFD𝄞",
    );
  });
});

describe("a media type", () => {
  test.each([
    ["text/html", "text/html"],
    ["text/html; charset=utf-8", "text/html"],
    [" image/svg+xml ;x=y", "image/svg+xml"],
    ["application/vnd.ms-excel", undefined],
    ["a_b/c", undefined],
    ["text", undefined],
    ["", undefined],
  ])("%j is written as %j", (type, written) => {
    expect(schemaType(type)).toBe(written);
    const text = write(resourceList, [{ loc, metadata: { type } }]);
    expect(readDocumentSync(text).entries[0]?.metadata).toEqual(
      written === undefined ? {} : { type: written },
    );
  });
});

describe("a value is refused", () => {
  test.each<[keyof Metadata, string, string]>([
    ["datetime", "2026-10-01", "a date"],
    ["datetime", "2026-10-01T00:00Z", "a datetime without seconds"],
    ["datetime", "2026-10-01T00:00:00+02:00", "a datetime elsewhere than in UTC"],
    ["datetime", "2026-10-01T00:00:00", "a datetime without zone"],
    ["datetime", "2026-02-29T00:00:00Z", "a day that does not exist"],
    ["datetime", "2100-02-29T00:00:00Z", "a leap day in a century that has none"],
    ["datetime", "2026-10-01T24:00:00Z", "a 25th hour"],
    ["datetime", "0000-01-01T00:00:00Z", "a year that XML Schema does not know"],
    ["modified", "yesterday", "a word for a datetime"],
    ["change", "moved", "a fourth kind of change"],
    ["hash", "9f86d0", "a digest without algorithm"],
    ["hash", "", "no digest"],
    ["length", "-1", "a negative length"],
    ["length", "1.5", "half a byte"],
    ["path", "a", "a path without slash"],
    ["path", "/a/", "a path with a slash at its end"],
    ["path", "/a\nb", "a path with a line break"],
    ["encoding", "\u0001", "a character that XML cannot hold"],
    ["encoding", "\uD800", "half a surrogate pair"],
    ["at", "2026-10-01T00:00:00Z", "a time of a snapshot in a list of changes"],
    ["until", "2026-10-01T00:00:00Z", "an interval of a single change"],
  ])("as %s: %j, %s", (attribute, value) => {
    const entry: Entry = { loc, metadata: { change: "created", [attribute]: value } };
    expect(() => write(changeList, [entry])).toThrow(
      expect.objectContaining({ code: "INVALID_VALUE" }),
    );
    try {
      write(changeList, [entry]);
    } catch (error) {
      expect(error).toMatchObject({
        code: "INVALID_VALUE",
        problem: expect.stringContaining(
          `"${value.slice(0, 200)}" cannot be written as ${attribute}.`,
        ),
      });
      expect(error).toHaveProperty("message", expect.stringContaining(loc));
    }
  });

  test.each<[keyof Link, string, string]>([
    ["href", "/page", "a relative reference"],
    ["href", "https://example.org/ä", "a character that must be encoded"],
    ["href", "https://example.org/%zz", "a broken encoding"],
    ["href", "https://exa mple.org/", "a blank"],
    ["href", "https://example.org:80:80/", "two ports"],
    ["rel", "Up", "a relation in upper case"],
    ["rel", "up next", "two relations"],
    ["pri", "0", "a priority below the first"],
    ["pri", "1000000", "a priority beyond the last"],
    ["profile", "p", "a profile that is no URI"],
  ])("as %s of a link: %j, %s", (attribute, value) => {
    const link: Link = { rel: "alternate", href: "https://example.org/", [attribute]: value };
    expect(() => write(resourceList, [{ loc, links: [link] }])).toThrow(
      expect.objectContaining({
        code: "INVALID_VALUE",
        problem: expect.stringContaining(`"${value}" cannot be written as ${attribute}.`),
      }),
    );
  });

  test.each<[string, Entry, string]>([
    ["loc", { loc: "http://a/b" }, "shorter than the schema allows"],
    ["loc", { loc: `https://example.org/${"a".repeat(2029)}` }, "longer than the schema allows"],
    ["loc", { loc: "example.org/page" }, "without scheme"],
    ["lastmod", { loc, lastmod: "2026-10-01" }, "a date"],
    ["changefreq", { loc, changefreq: "often" }, "none of the seven words"],
    ["priority", { loc, priority: "1.1" }, "beyond 1.0"],
    ["priority", { loc, priority: ".5" }, "without its whole part"],
  ])("as %s of %j, %s", (attribute, entry) => {
    expect(() => write(resourceList, [entry])).toThrow(
      expect.objectContaining({
        code: "INVALID_VALUE",
        problem: expect.stringContaining(` cannot be written as ${attribute}.`),
      }),
    );
  });

  test.each(["at", "completed", "from", "until"])("for %s of a list of lists", (name) => {
    const time: Partial<Record<TimeAttribute, string>> = { [name]: "2026-10-01T00:00:00Z" };
    const refused = expect.objectContaining({ code: "INVALID_VALUE" });
    const metadata = { capability: "capabilitylist", ...time } as const;
    expect(() => write({ ...capabilityList, metadata }, [])).toThrow(refused);
    expect(() => write(capabilityList, [{ loc, metadata }])).toThrow(refused);
    expect(() => write(sourceDescription, [{ loc, metadata }])).toThrow(refused);
  });

  test.each([
    ["a comment that would end early", "a -- b"],
    ["a comment that ends with a dash", "a -"],
    ["a comment with a carriage return", "a\r"],
    ["a comment with a control character", "\u0000"],
  ])("for %s", (_, comment) => {
    expect(() => write({ ...changeList, comments: [comment] }, [])).toThrow(
      expect.objectContaining({ code: "INVALID_VALUE" }),
    );
  });

  test.each([
    ["in ResourceSync's own namespace", "http://www.openarchives.org/rs/terms/", "title"],
    ["in the namespace of declarations", "http://www.w3.org/2000/xmlns/", "title"],
    ["in no namespace", "", "title"],
    ["in a relative namespace", "terms", "title"],
    ["with a colon in its name", "urn:a", "a:b"],
    ["with a name that begins with a digit", "urn:a", "1"],
  ])("for a foreign attribute %s", (_, namespace, name) => {
    const metadata = { foreign: [{ namespace, name, value: "" }] };
    expect(() => write(resourceList, [{ loc, metadata }])).toThrow(
      expect.objectContaining({ code: "INVALID_VALUE" }),
    );
  });

  test("for a foreign attribute twice", () => {
    const attribute = { namespace: "urn:a", name: "b", value: "" };
    const metadata = { foreign: [attribute, attribute] };
    expect(() => write(resourceList, [{ loc, metadata }])).toThrow("each attribute once");
  });

  test.each([
    ["rs", "urn:a"],
    ["xml", "urn:a"],
    ["xmlfoo", "urn:a"],
    ["1a", "urn:a"],
    ["a:b", "urn:a"],
    ["a", ""],
    ["a", "http://www.openarchives.org/rs/terms/"],
    ["a", "http://www.w3.org/XML/1998/namespace"],
  ])("as prefix %s for %j", (prefix, namespace) => {
    expect(() => write(resourceList, [], { prefixes: { [prefix]: namespace } })).toThrow(
      expect.objectContaining({ code: "INVALID_VALUE" }),
    );
  });

  test("for an index entry with what only pages have", () => {
    expect(() => write(changeListIndex, [{ loc, priority: "0.5" }])).toThrow("none in an index");
  });

  test("for a source description that lists something else than capability lists", () => {
    const entry: Entry = { loc, metadata: { capability: "changelist" } };
    expect(() => write(sourceDescription, [entry])).toThrow("Allowed is capabilitylist");
  });
});

describe("what a kind of document requires is missed", () => {
  test("in a change list: the link to its capability list", () => {
    expect(() => write({ ...changeList, links: [] }, [])).toThrow(
      expect.objectContaining({ code: "MISSING_VALUE" }),
    );
    expect(() => write({ ...changeList, links: [] }, [])).toThrow(
      'a link with rel="up" is missing',
    );
  });

  test.each<[string, AnyHead, Entry]>([
    ["loc", resourceList, { loc: "" }],
    ["change", changeList, { loc }],
    ["change", changeList, { loc, metadata: { datetime: "2026-10-01T00:00:00Z" } }],
    ["capability", capabilityList, { loc }],
    ["capability", sourceDescription, { loc, metadata: {} }],
    ["path", changeDumpManifest, { loc, metadata: { change: "created" } }],
    ["the rel of a link", resourceList, { loc, links: [{ rel: "", href: loc }] }],
    ["the href of a link", resourceList, { loc, links: [{ rel: "up", href: "" }] }],
  ])("in an entry: %s", (missing, head, entry) => {
    expect(() => write(head, [entry])).toThrow(
      expect.objectContaining({
        code: "MISSING_VALUE",
        problem: expect.stringContaining(`${missing} is missing`),
      }),
    );
  });

  test.each([
    ["from", changeList],
    ["at", resourceList],
  ])("in a head that is not as its type says: %s", (name, typed) => {
    const { [name]: _, ...metadata } = JSON.parse(JSON.stringify(typed.metadata));
    expect(() => write({ ...typed, metadata }, [])).toThrow(`${name} is missing`);
  });

  test("in a head whose capability is none of the framework's", () => {
    const metadata = JSON.parse('{ "capability": "sitemap" }');
    expect(() => write({ ...changeList, metadata }, [])).toThrow("a capability that a urlset can");
  });

  test("but not in a change dump manifest's deletion, which has no bitstream", () => {
    const entry: Entry = { loc, metadata: { change: "deleted" } };
    expect(write(changeDumpManifest, [entry])).toContain('<rs:md change="deleted"/>');
  });
});

describe("the limits", () => {
  const entries = [1, 2, 3].map((number): Entry => ({ loc: `${loc}/${number}` }));
  const title = { namespace: "urn:a", name: "title", value: "日本" };
  const wide = entries.map((entry): Entry => ({ ...entry, metadata: { foreign: [title] } }));
  const bytes = Buffer.byteLength(write(resourceList, wide));

  test("are the specification's unless told otherwise", () => {
    const writer = new ListWriter(resourceList);
    for (let number = 0; number < 50_000; number += 1) writer.add({ loc: `${loc}/${number}` });
    expect(writer.entries).toBe(50_000);
    expect(writer.add({ loc })).toBe(false);
    expect(writer.entries).toBe(50_000);
  });

  test("of bytes count UTF-8 as it is written, to the last byte", () => {
    expect(write(resourceList, wide, { bytes })).toHaveLength(bytes - 3 * 4);
    const document = { ...resourceList, entries: wide };
    expect(writeBounded(document, { bytes })).toHaveLength(bytes - 3 * 4);
    const limit = expect.objectContaining({ code: "LIMIT", limit: "bytes" });
    expect(() => writeBounded(document, { bytes: bytes - 1 })).toThrow(limit);
  });

  test("of entries are kept where nothing splits a document", () => {
    const limit = expect.objectContaining({ code: "LIMIT", limit: "entries", maximum: 2 });
    const document = { ...resourceList, entries };
    expect(() => writeBounded(document, { entries: 2 })).toThrow(limit);
  });

  test("keep a list's writer from taking what would not fit, and nothing else", () => {
    const writer = new ListWriter(resourceList, { bytes });
    expect(wide.map((entry) => writer.add(entry))).toEqual([true, true, true]);
    expect(writer.bytes).toBe(bytes);
    expect(writer.add({ loc })).toBe(false);
    expect(Buffer.from(writer.finish()).toString()).toBe(write(resourceList, wide));

    const smaller = new ListWriter(resourceList, { bytes: bytes - 1 });
    expect(wide.map((entry) => smaller.add(entry))).toEqual([true, true, false]);
    expect(smaller.entries).toBe(2);
  });
});

describe("a list's writer", () => {
  const entry: Entry = { loc, metadata: { change: "created", datetime: "2026-10-02T00:00:00Z" } };

  test("closes the list in the end, within the limits", () => {
    const open = write(changeList, [entry]);
    const bytes = open.length + 100;
    const writer = new ListWriter(changeList, { bytes });
    expect(writer.add(entry)).toBe(true);
    expect(writer.add(entry)).toBe(false);
    const closed = Buffer.from(writer.finish({ until: "2026-11-01T00:00:00Z" })).toString();
    expect(closed).toBe(open.replace('00Z"/>', '00Z" until="2026-11-01T00:00:00Z"/>'));
  });

  test("goes on after an entry that it refused", () => {
    const writer = new ListWriter(changeList);
    expect(() => writer.add({ loc, links: [{ rel: "up", href: "x" }] })).toThrow();
    expect(() => writer.add({ ...entry, links: [{ rel: "up", href: "x" }] })).toThrow();
    writer.add(entry);
    expect(Buffer.from(writer.finish()).toString()).toBe(write(changeList, [entry]));
  });

  test("refuses what comes late and makes the document too large", () => {
    const writer = new ListWriter(changeList, { bytes: write(changeList, [entry]).length + 100 });
    writer.add(entry);
    const links = [...changeList.links, { rel: "alternate", href: `${loc}/${"a".repeat(200)}` }];
    expect(() => writer.finish({ links })).toThrow(expect.objectContaining({ code: "LIMIT" }));
  });

  test("gives chunks as they are complete, and the rest in the end", () => {
    const pages = Array.from({ length: 2000 }, (_, number): Entry => ({ loc: `${loc}/${number}` }));
    const writer = new ListWriter(resourceList);
    const taken: Uint8Array[] = [];
    for (const [number, page] of pages.entries()) {
      writer.add(page);
      taken.push(...writer.take());
      const written = taken.reduce((sum, chunk) => sum + chunk.length, 0);
      expect(writer.bytes - written).toBeLessThan(70_000);
      if (number === 1500) expect(Buffer.from(taken[0] ?? []).toString()).toMatch(/^<\?xml/);
    }
    const { bytes } = writer;
    const document = Buffer.concat([...taken, writer.finish()]);
    expect(document).toHaveLength(bytes);
    expect(document.toString()).toBe(write(resourceList, pages));
  });

  test("cannot change a head that was taken", () => {
    const writer = new ListWriter(changeList);
    while (writer.take().length === 0) writer.add(entry);
    expect(() => writer.finish({ until: "2026-11-01T00:00:00Z" })).toThrow(TypeError);
  });

  test("refuses a late value like any other", () => {
    expect(() => new ListWriter(changeList).finish({ until: "2026-11" })).toThrow(
      expect.objectContaining({ code: "INVALID_VALUE" }),
    );
  });
});
