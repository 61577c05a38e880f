import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { processorSeconds } from "../../../test/processor-time.ts";
import { BusyError, StatusError, UnreachableError } from "../src/http/errors.ts";
import type { RememberedDocument } from "../src/read/reading-result.ts";
import { DescriptionReader, readDescriptions, understand } from "../src/read/site-descriptions.ts";
import { capabilityList, sourceDescription } from "./support/documents.ts";
import { Follower } from "./support/follower.ts";
import { MemorySite } from "./support/memory-site.ts";

const ABOUT = "https://example.org/shrine/";
const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

function rdf(body: string, more = ""): string {
  return (
    `<?xml version="1.0"?><!-- written by a tool --><rdf:RDF xmlns:rdf="${RDF}" ` +
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:dc="http://purl.org/dc/elements/1.1/" ' +
    `xmlns:foaf="http://xmlns.com/foaf/0.1/" ${more}>${body}</rdf:RDF>`
  );
}

function subject(body: string, about = ABOUT): string {
  return `<rdf:Description rdf:about="${about}">${body}</rdf:Description>`;
}

function said(text: string | Uint8Array) {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return understand(bytes, { about: ABOUT, base: "https://example.org/shrine/about.xml" });
}

describe("Dublin Core in RDF/XML", () => {
  test("title, authors, summary, language and rights", proves("I43"), () => {
    const body =
      "<dcterms:title>The Shrine</dcterms:title><dcterms:creator>Ada</dcterms:creator>" +
      "<dcterms:creator>Ben</dcterms:creator><dcterms:description>All about\n it.</dcterms:description>" +
      "<dcterms:language>en-gb</dcterms:language><dcterms:rights>CC0 &amp; more</dcterms:rights>";
    expect(said(rdf(subject(body)))).toEqual({
      title: "The Shrine",
      authors: ["Ada", "Ben"],
      summary: "All about it.",
      language: "en-gb",
      rights: "CC0 & more",
    });
  });

  test.each([
    ["the older elements", subject("<dc:title>T</dc:title><dc:creator>A</dc:creator>"), "T by A"],
    [
      "as attributes",
      `<rdf:Description rdf:about="${ABOUT}" dc:title="T" dc:creator="A"/>`,
      "T by A",
    ],
    ["in CDATA", subject("<dc:title><![CDATA[T & T]]></dc:title>"), "T & T by "],
    [
      "somebody with a name",
      subject(
        '<dc:title>T</dc:title><dc:creator><foaf:Person><foaf:mbox rdf:resource="mailto:a@b"/><foaf:name>Ada</foaf:name><foaf:nick>a</foaf:nick></foaf:Person></dc:creator>',
      ),
      "T by Ada",
    ],
    [
      "several in a list",
      subject(
        "<dc:title>T</dc:title><dc:creator><rdf:Seq><rdf:li>A</rdf:li><rdf:li>B</rdf:li></rdf:Seq></dc:creator>",
      ),
      "T by A,B",
    ],
    [
      "a title in several languages",
      subject('<dc:title xml:lang="en">One</dc:title><dc:title xml:lang="de">Eins</dc:title>'),
      "One by ",
    ],
    [
      "of several subjects the one asked for",
      subject("<dc:title>Site</dc:title>", "https://example.org/") +
        subject("<dc:title>Shrine</dc:title>"),
      "Shrine by ",
    ],
    [
      "its address without the slash, relative, by http",
      subject("<dc:title>Site</dc:title>", "urn:x") +
        subject("<dc:title>T</dc:title>", "//example.org/shrine"),
      "T by ",
    ],
    [
      "else the first with a title",
      subject("<dc:creator>A</dc:creator>", "urn:a") + subject("<dc:title>B</dc:title>", "urn:b"),
      "B by ",
    ],
    ["no subject at all", "<dc:title>T</dc:title>", "T by "],
    [
      "a typed node",
      `<x:Site xmlns:x="urn:x" rdf:about="${ABOUT}"><dc:title>T</dc:title></x:Site>`,
      "T by ",
    ],
    [
      "a subject within another's property",
      subject(
        '<x:part xmlns:x="urn:x"><rdf:Description rdf:about="urn:p"><dc:title>Part</dc:title></rdf:Description></x:part><dc:title>Whole</dc:title>',
      ),
      "Whole by ",
    ],
  ])("%s", (_, body, expected) => {
    const description = said(rdf(body));
    expect(`${description?.title} by ${description?.authors.join()}`).toBe(expected);
  });

  test("in any other XML", () => {
    const text =
      '<oai:dc xmlns:oai="urn:x" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>T</dc:title></oai:dc>';
    expect(said(text)).toEqual({ title: "T", authors: [] });
  });

  test("a licence by its address", () => {
    expect(
      said(
        rdf(
          subject('<dc:title>T</dc:title><dcterms:license rdf:resource="https://cc.example/0"/>'),
        ),
      ),
    ).toMatchObject({ rights: "https://cc.example/0" });
  });

  test.each([
    ["nothing of use", rdf(subject("<dcterms:modified>2026</dcterms:modified>"))],
    ["only white space", rdf(subject("<dc:title> </dc:title>"))],
    ["a sitemap", sourceDescription([])],
  ])("%s", (_, text) => {
    expect(said(text)).toBeUndefined();
  });
});

describe("a page", () => {
  test.each([
    [
      "<!doctype html><html lang=en><title>The &amp; Shrine</title><meta name=Author content=Ada><meta name=description content='All about it'>",
      { title: "The & Shrine", authors: ["Ada"], summary: "All about it", language: "en" },
    ],
    [
      "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><html xmlns='http://www.w3.org/1999/xhtml'><head><title>A</title></head></html>",
      { title: "A", authors: [] },
    ],
    [
      "<?xml version='1.0'?>\n<!-- hello -->\n<html><svg><title>Icon</title></svg><title>A</title><title>B</title>",
      { title: "A", authors: [] },
    ],
    [
      "<html lang='no such tag!'><title> </title><meta property=og:title content=T>",
      { title: "T", authors: [] },
    ],
    ["<title>Just this", { title: "Just this", authors: [] }],
    ["<html><body>Nothing", undefined],
  ])("%s", (html, expected) => {
    expect(said(html)).toEqual(expected);
  });
});

describe("an Atom feed", () => {
  const feed = (body: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de">${body}</feed>`;

  test.each([
    [
      "<title>T</title><subtitle>S</subtitle><author><name>A</name><uri>u</uri></author><rights>R</rights><entry><title>No</title><author><name>B</name></author></entry>",
      { title: "T", summary: "S", authors: ["A"], rights: "R", language: "de" },
    ],
    [
      "<title type='html'>A &amp;lt; B &lt;b&gt;bold&lt;/b&gt;</title>",
      { title: "A < B bold", authors: [], language: "de" },
    ],
    [
      "<title type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>A <b>B</b></div></title>",
      { title: "A B", authors: [], language: "de" },
    ],
    ["<entry><title>No</title></entry>", undefined],
  ])("%s", (body, expected) => {
    expect(said(feed(body))).toEqual(expected);
  });
});

describe("encodings", () => {
  const text = (encoding: string) =>
    rdf(subject("<dc:title>Café</dc:title>")).replace("?>", ` encoding="${encoding}"?>`);
  test.each([
    ["UTF-8", Buffer.from(text("UTF-8"))],
    ["UTF-8 with a mark", Buffer.from(`\ufeff${text("UTF-8")}`)],
    ["Latin-1", Buffer.from(text("ISO-8859-1"), "latin1")],
    ["UTF-16", Buffer.from(`\ufeff${text("UTF-16")}`, "utf16le")],
    ["one that nobody knows", Buffer.from(text("x-klingon"))],
    [
      "Latin-1 in a page",
      Buffer.from("<!doctype html><meta charset=latin1><title>Café</title>", "latin1"),
    ],
  ])("%s", (_, bytes) => {
    expect(said(bytes)).toMatchObject({ title: "Café" });
  });
});

describe("what means harm", () => {
  test.each([
    [
      "a DOCTYPE",
      `<!DOCTYPE rdf:RDF [<!ENTITY a "${"b".repeat(100)}">]>${rdf(subject("<dc:title>&a;</dc:title>"))}`,
      /a DOCTYPE is not accepted/,
    ],
    ["an entity nobody declared", rdf(subject("<dc:title>&a;</dc:title>")), /undefined entity/],
    ["nesting without end", rdf("<a>".repeat(1000)), /nested too deep/],
    ["what breaks off", rdf(subject("<dc:title>")).slice(0, -30), /./],
    ["nothing", "", /./],
    ["no markup", "just text", /./],
  ])("%s is refused", (_, text, message) => {
    expect(() => said(text)).toThrow(expect.objectContaining({ code: "UNREADABLE" }));
    expect(() => said(text)).toThrow(message);
  });

  test.each<[string, (size: number) => string]>([
    ["comments before what is no page", (size) => `${"<!---->".repeat(size / 10)}<a/>`],
    ["a comment without end", (size) => "<!-- ".repeat(size)],
    ["very many titles", (size) => rdf("<dc:title/>".repeat(size))],
    [
      "a list of very many authors",
      (size) => rdf(`<dc:creator>${"<rdf:li/>".repeat(size)}</dc:creator>`),
    ],
    ["very many words on a page", (size) => `<html>${"<meta name=a content=b>".repeat(size)}`],
  ])("%s take as long as their size says", async (_, textOf) => {
    const [small, large] = [textOf(10_000), textOf(40_000)];
    const seconds = (text: string) =>
      processorSeconds(() => {
        try {
          said(text);
        } catch (error) {
          expect(error).toMatchObject({ code: "UNREADABLE" });
        }
      });
    // The shortest of several times: other work of V8 only adds to them.
    const rounds: (readonly [number, number])[] = [];
    for (let round = 0; round < 7; round += 1) {
      rounds.push([await seconds(small), await seconds(large)]);
    }
    const least = (side: 0 | 1) => Math.min(...rounds.map((round) => round[side]));
    // 4 if time grows with size, 16 if with its square.
    expect((least(1) + 0.002) / (least(0) + 0.002)).toBeLessThan(9);
  });

  test("long texts end within their bounds", () => {
    const long = "x ".repeat(10_000);
    const creators = Array.from(
      { length: 50 },
      (_, at) => `<dc:creator>${at} ${long}</dc:creator>`,
    ).join("");
    const description = said(
      rdf(
        subject(`<dc:title>${long}</dc:title>${creators}<dc:description>${long}</dc:description>`),
      ),
    );
    expect(description?.title?.length).toBeLessThanOrEqual(300);
    expect(description?.summary?.length).toBeLessThanOrEqual(2000);
    expect(description?.authors).toHaveLength(10);
    expect(
      Math.max(...(description?.authors ?? []).map(({ length }) => length)),
    ).toBeLessThanOrEqual(100);
  });
});

describe("the document that says something", () => {
  const first = "https://example.org/a.xml";
  const second = "https://example.org/b.html";
  const GOOD = rdf(subject("<dc:title>A</dc:title>"));
  const PAGE = "<!doctype html><title>B</title>";

  async function read(site: MemorySite, remembered = new Map<string, RememberedDocument>()) {
    const reader = new DescriptionReader(site, remembered);
    const isKnown = remembered.size > 0;
    const description = await reader.read({ urls: [first, second], about: ABOUT, isKnown });
    const { isSilent, documents } = reader;
    return { title: description?.title, isSilent, documents };
  }

  test.each([
    ["the first", { "a.xml": GOOD, "b.html": PAGE }, "A"],
    ["the next, where the first is missing", { "b.html": PAGE }, "B"],
    ["or says nothing", { "a.xml": rdf(""), "b.html": PAGE }, "B"],
    ["or is no description", { "a.xml": "<a", "b.html": PAGE }, "B"],
  ])("%s", async (_, documents, title) => {
    expect(await read(new MemorySite().put(documents))).toMatchObject({ title, isSilent: false });
  });

  test("none, where nothing says anything", async () => {
    const documents = new Map();
    expect(await read(new MemorySite())).toEqual({ title: undefined, isSilent: false, documents });
  });

  test.each([
    new BusyError(first, 429, 1),
    new UnreachableError(first, "is down"),
    new StatusError(first, 500),
  ])("none yet, where the first may say something later: $code", async (error) => {
    const site = new MemorySite().put({ "a.xml": { error }, "b.html": PAGE });
    expect(await read(site)).toMatchObject({ title: undefined, isSilent: true });
    expect(site.asked).toEqual([first]);
  });

  test("unchanged, where it is as remembered", async () => {
    for (const isFickle of [false, true]) {
      const site = new MemorySite().put({ "a.xml": { body: GOOD, isFickle } });
      const { documents } = await read(site);
      expect([...documents]).toMatchObject([[first, { summary: undefined, isClosed: false }]]);
      site.takeAsked();
      const again = await read(site, documents);
      expect(again).toEqual({ title: undefined, isSilent: false, documents: new Map() });
      expect(site.takeAsked()).toEqual(["/a.xml"]);
      site.put({ "a.xml": GOOD.replace(">A<", ">Z<") });
      expect(await read(site, documents)).toMatchObject({ title: "Z" });
    }
  });
});

describe("the descriptions of a source", () => {
  function site(): MemorySite {
    return new MemorySite().put({
      ".well-known/resourcesync": sourceDescription(
        ["/list.xml", "/a/list.xml", "/b/list.xml"],
        [["describedby", "/about.xml"]],
      ),
      "list.xml": capabilityList({}, [["describedby", "about.xml"]]),
      "a/list.xml": capabilityList({}, [["describedby", "about.xml"]]),
      "b/list.xml": capabilityList({}),
      "about.xml": rdf(subject("<dc:title>Site</dc:title>", "https://example.org/")),
      "a/about.xml": rdf(subject("<dc:title>A</dc:title>", "https://example.org/a/")),
    });
  }

  test(
    "of the whole and of each collection; one that both share is asked for once",
    proves("I36", "I42", "I4"),
    async () => {
      const host = site();
      const reading = await new Follower(host).read();
      host.takeAsked();
      const { source, collections, documents } = await readDescriptions(host, reading, new Map());
      expect(source).toEqual({ title: "Site", authors: [] });
      expect([...collections].map(([key, { title }]) => `${key} ${title}`)).toEqual([
        " Site",
        "a/ A",
      ]);
      expect(documents.map(({ url }) => url)).toHaveLength(2);
      expect(host.takeAsked()).toEqual(["/about.xml", "/a/about.xml"]);
    },
  );

  test("only what is new, and all that a new collection has", async () => {
    const host = site();
    const follower = new Follower(host);
    const first = await readDescriptions(host, await follower.read(), follower.remembered);
    for (const document of first.documents) follower.remembered.set(document.url, document);
    const again = await readDescriptions(host, await follower.read(), follower.remembered);
    expect(again).toEqual({ source: undefined, collections: new Map(), documents: [] });
    host.put({ "b/list.xml": capabilityList({}, [["describedby", "/about.xml"]]) });
    const third = await readDescriptions(host, await follower.read(), follower.remembered);
    expect([...third.collections.keys()]).toEqual(["b/"]);
    expect(third.source).toBeUndefined();
  });

  test("all of one that the Source Description begins to name, though others have it already", async () => {
    const host = site().put({ "b/about.xml": rdf("") });
    const listing = (about: string) =>
      sourceDescription(
        [{ loc: "/list.xml" }, { loc: "/b/list.xml", links: [["describedby", about]] }],
        [["describedby", "/about.xml"]],
      );
    const follower = new Follower(host);
    for (const [about, titled] of [
      ["/b/about.xml", [""]],
      ["/about.xml", ["", "b/"]],
    ] as const) {
      host.put({ ".well-known/resourcesync": listing(about) });
      const read = await readDescriptions(host, await follower.read(), follower.remembered);
      for (const document of read.documents) follower.remembered.set(document.url, document);
      expect([...read.collections.keys()].sort()).toEqual(titled);
    }
  });

  test("nothing of a host that fails, nor of a collection that could not be read", async () => {
    const host = site();
    const reading = await new Follower(host).read();
    host.put({
      "about.xml": { error: new UnreachableError("https://example.org/about.xml", "is down") },
    });
    host.takeAsked();
    const nothing = { source: undefined, collections: new Map(), documents: [] };
    expect(await readDescriptions(host, reading, new Map())).toEqual(nothing);
    expect(host.takeAsked()).toHaveLength(1);
    const interruption = new BusyError("https://example.org/", 429, undefined);
    expect(await readDescriptions(host, { ...reading, interruption }, new Map())).toEqual(nothing);
    expect(host.takeAsked()).toEqual([]);
  });
});

test("elements within elements without end cost no more than their length", async () => {
  const deep = "<b>".repeat(100_000) + "</i>".repeat(100_000);
  const head = "<html><title>Moss</title>";
  expect(await processorSeconds(() => said(head + deep))).toBeLessThan(2);
  expect(said(head + deep)).toMatchObject({ title: "Moss" });
  const title = deep.replaceAll("<", "&lt;");
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A ${title}</title></feed>`;
  expect(await processorSeconds(() => said(feed))).toBeLessThan(2);
  expect(said(feed)).toMatchObject({ title: "A" });
});
