import { describe, expect, test } from "vitest";
import {
  type Entry,
  kindOf,
  openDocument,
  openSitemap,
  readDocument,
  readDocumentSync,
} from "../src/index.ts";

const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const RS = 'xmlns:rs="http://www.openarchives.org/rs/terms/"';

function urlset(content: string): string {
  return `<urlset ${SITEMAP} ${RS}>${content}</urlset>`;
}

function url(name: string): string {
  return `<url><loc>http://example.org/${name}</loc></url>`;
}

describe("a document is read", () => {
  test("with all that the specification knows", () => {
    const read = readDocumentSync(
      urlset(`
        <rs:md capability="changelist" from="2026-01-01T00:00:00Z" until="2026-02-01T00:00:00Z"/>
        <rs:ln rel="up" href="http://example.org/capabilitylist.xml"/>
        <rs:ln rel="index" href="http://example.org/changelist.xml"/>
        <url>
          <loc>http://example.org/a</loc>
          <lastmod>2026-01-02</lastmod>
          <changefreq>daily</changefreq>
          <priority>0.5</priority>
          <rs:md change="updated" datetime="2026-01-02T03:04:05Z" hash="md5:00 sha-256:11"
            length="12" type="text/html" encoding="gzip" path="/a" modified="2026-01-02"/>
          <rs:ln rel="alternate" href="http://example.org/a.pdf" pri="1" profile="urn:p"
            hash="md5:22" length="3" type="application/pdf" encoding="br" path="/a.pdf"
            modified="2026-01-01"/>
        </url>`),
    );
    expect(read).toEqual({
      root: "urlset",
      metadata: {
        capability: "changelist",
        from: "2026-01-01T00:00:00Z",
        until: "2026-02-01T00:00:00Z",
      },
      links: [
        { rel: "up", href: "http://example.org/capabilitylist.xml" },
        { rel: "index", href: "http://example.org/changelist.xml" },
      ],
      comments: [],
      entries: [
        {
          loc: "http://example.org/a",
          lastmod: "2026-01-02",
          changefreq: "daily",
          priority: "0.5",
          metadata: {
            change: "updated",
            datetime: "2026-01-02T03:04:05Z",
            hash: "md5:00 sha-256:11",
            length: "12",
            type: "text/html",
            encoding: "gzip",
            path: "/a",
            modified: "2026-01-02",
          },
          links: [
            {
              rel: "alternate",
              href: "http://example.org/a.pdf",
              pri: "1",
              profile: "urn:p",
              hash: "md5:22",
              length: "3",
              type: "application/pdf",
              encoding: "br",
              path: "/a.pdf",
              modified: "2026-01-01",
            },
          ],
        },
      ],
    });
  });

  test.each([
    ["none", ""],
    ["that of another age", ' xmlns="http://www.google.com/schemas/sitemap/0.84"'],
    ["one with another scheme", ` ${SITEMAP.replace("http:", "https:")}`],
    ["the protocol's", ` ${SITEMAP}`],
  ])("a plain sitemap in whatever namespace: %s", async (_, namespace) => {
    const reader = await openSitemap(
      `<urlset${namespace}><url><loc>/a</loc><image:loc xmlns:image="urn:i">/b</image:loc></url></urlset>`,
    );
    const entries: Entry[] = [];
    for await (const entry of reader) entries.push(entry);
    expect(entries).toEqual([{ loc: "/a" }]);
    await expect(openSitemap(`<html${namespace}/>`)).rejects.toThrow("this is an HTML page");
  });

  test("whatever the prefixes are, wherever they are declared", () => {
    const read = readDocumentSync(
      `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
        <md xmlns="http://www.openarchives.org/rs/terms/" capability="resourcelist"/>
        <s:url>
          <loc ${SITEMAP}>http://example.org/a</loc>
          <s:md ${RS.replace(":rs", ":s")} length="1"/>
          <s:lastmod>2026</s:lastmod>
        </s:url>
      </s:urlset>`,
    );
    expect(read.metadata).toEqual({ capability: "resourcelist" });
    expect(read.entries).toEqual([
      { loc: "http://example.org/a", lastmod: "2026", metadata: { length: "1" } },
    ]);
  });

  test("with attributes of other namespaces, but without declarations", () => {
    const { metadata } = readDocumentSync(
      urlset(
        '<rs:md xmlns:d="urn:d" capability="x" d:title="T" xml:lang="en" rs:change="no" odd="no"/>',
      ),
    );
    expect(metadata).toEqual({
      capability: "x",
      foreign: [
        { namespace: "urn:d", name: "title", value: "T" },
        { namespace: "http://www.w3.org/XML/1998/namespace", name: "lang", value: "en" },
        { namespace: "http://www.openarchives.org/rs/terms/", name: "change", value: "no" },
      ],
    });
  });

  test("through comments, CDATA, processing instructions, references and unknown elements", () => {
    const read = readDocumentSync(
      `<?xml version="1.0"?><!-- one --><?go on?>${urlset(`<!--two--><x:y xmlns:x="urn:x"><url>
        <loc>http://example.org/not</loc></url></x:y><news/><url><!-- three --><image><loc>no</loc>
        </image><loc>http://<!-- -->example<![CDATA[.org/?a&]]>amp;<b>skipped</b>&#x41;&#66;<?pi?></loc>
        </url>`)}<!-- four -->`,
    );
    expect(read.comments).toEqual([" one ", "two"]);
    expect(read.entries).toEqual([{ loc: "http://example.org/?a&amp;AB" }]);
  });

  test("with white space around its texts, and normalized in its attributes", () => {
    const read = readDocumentSync(
      urlset(`<rs:md hash="md5:0\r\n\tsha-256:1"/>\r
        <url>\r<loc>\r\n  http://example.org/a\t</loc><lastmod> 2026 </lastmod><priority> </priority></url>`),
    );
    expect(read.metadata.hash).toBe("md5:0  sha-256:1");
    expect(read.entries).toEqual([{ loc: "http://example.org/a", lastmod: "2026" }]);
  });

  test("with the first of values that are repeated", () => {
    const read = readDocumentSync(
      urlset(`<rs:md capability="changelist"/><rs:md capability="x" from="2026"/>
        <url><lastmod>2025</lastmod><lastmod>2026</lastmod><loc>http://example.org/a</loc>
        <rs:md change="created"/><rs:md change="deleted" length="1"/></url>`),
    );
    expect(read.metadata).toEqual({ capability: "changelist", from: "2026" });
    expect(read.entries).toEqual([
      {
        loc: "http://example.org/a",
        lastmod: "2025",
        metadata: { change: "created", length: "1" },
      },
    ]);
  });

  test("with empty texts in place of what a link lacks", () => {
    expect(readDocumentSync(urlset("<rs:ln/>")).links).toEqual([{ rel: "", href: "" }]);
  });

  test("where it has neither metadata nor entries", () => {
    const read = readDocumentSync(`<sitemapindex ${SITEMAP}/>`);
    expect(read).toEqual({
      root: "sitemapindex",
      metadata: {},
      links: [],
      comments: [],
      entries: [],
    });
  });
});

describe("a document's kind", () => {
  test.each([
    ["urlset", "changelist", "change-list"],
    ["sitemapindex", "changelist", "change-list-index"],
    ["urlset", "description", "source-description"],
    ["sitemapindex", "capabilitylist", undefined],
    ["urlset", "constructor", undefined],
    ["urlset", undefined, undefined],
  ] as const)("of %s and capability %s is %s", (root, capability, kind) => {
    expect(kindOf(root, capability)).toBe(kind);
  });

  test("is known once it is open", async () => {
    const reader = await openDocument(urlset('<rs:md capability="resourcelist"/>'));
    expect(reader.kind).toBe("resource-list");
  });
});

describe("an open document", () => {
  class Source {
    pulled = 0;
    returned = false;
    readonly #pieces: readonly string[];
    constructor(...pieces: string[]) {
      this.#pieces = pieces;
    }
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      try {
        for (const piece of this.#pieces) {
          this.pulled += 1;
          yield Buffer.from(piece);
        }
      } finally {
        this.returned = true;
      }
    }
  }

  const START = `<urlset ${SITEMAP} ${RS}>`;

  test("has read no further than to its first entry", async () => {
    const source = new Source(START, '<rs:md capability="a"/>', url("1"), url("2"), "</urlset>");
    const reader = await openDocument(source);
    expect(reader.head.metadata).toEqual({ capability: "a" });
    expect(source.pulled).toBe(3);
  });

  test("gives the entries of each piece together, and asks for the next piece then", async () => {
    const source = new Source(START + url("1"), url("2") + url("3"), "<url>", "</urlset>");
    const seen: [number, number][] = [];
    const reader = await openDocument(source);
    await expect(async () => {
      for await (const batch of reader.batches()) seen.push([source.pulled, batch.length]);
    }).rejects.toMatchObject({ code: "NOT_WELL_FORMED" });
    expect(seen).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test("gives its source up when the reader stops early", async () => {
    const source = new Source(START + url("1"), url("2"), "</urlset>");
    for await (const entry of await openDocument(source)) {
      expect(entry).toEqual({ loc: "http://example.org/1" });
      break;
    }
    expect(source).toMatchObject({ returned: true, pulled: 1 });
  });

  test("gives its source up when it is closed without a look at the entries", async () => {
    const source = new Source(START + url("1"), "</urlset>");
    const reader = await openDocument(source);
    await reader.close();
    expect(source.returned).toBe(true);
    for await (const batch of reader.batches()) expect(batch).toHaveLength(1);
  });

  test("gives its source up when it cannot be read", async () => {
    const source = new Source(START, "</sitemapindex>", "</urlset>");
    await expect(openDocument(source)).rejects.toMatchObject({ code: "NOT_WELL_FORMED" });
    expect(source).toMatchObject({ returned: true, pulled: 2 });
  });

  test("gives every entry before an error", async () => {
    const reader = await openDocument(`${START}${url("1")}${url("2")}<url>`);
    const entries: Entry[] = [];
    await expect(async () => {
      for await (const entry of reader) entries.push(entry);
    }).rejects.toMatchObject({ code: "TRUNCATED" });
    expect(entries).toHaveLength(2);
  });

  test("lets an error of its source through", async () => {
    async function* broken() {
      yield Buffer.from(START + url("1"));
      throw new RangeError("connection lost");
    }
    const reader = await openDocument(broken());
    await expect(async () => {
      for await (const entry of reader) expect(entry.loc).toBe("http://example.org/1");
    }).rejects.toThrow("connection lost");
  });

  test("adds to its head what stands after entries, when it gets there", async () => {
    const late = '<rs:md capability="changelist"/><rs:ln rel="up" href="urn:x"/></urlset>';
    const reader = await openDocument(new Source(START + url("1"), late));
    expect(reader.kind).toBeUndefined();
    for await (const batch of reader.batches()) expect(batch).toHaveLength(1);
    expect(reader.kind).toBe("change-list");
    expect(reader.head.links).toEqual([{ rel: "up", href: "urn:x" }]);
  });

  test("may be a web stream", async () => {
    const body = new Response(urlset(url("1"))).body;
    expect(body).not.toBeNull();
    if (body !== null) expect((await readDocument(body)).entries).toHaveLength(1);
  });
});
