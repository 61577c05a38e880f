import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { processorSeconds } from "../../../test/processor-time.ts";
import { keysIn } from "../src/model/page-memory.ts";
import { findMarks } from "../src/page/placeholders/find-placeholders.ts";
import { readPage } from "../src/page/read-page.ts";

const page = (html: string) => readPage(Buffer.from(html));

describe("the title", () => {
  test.each([
    ["is the text of the title element", "<title>My shrine</title>", "My shrine"],
    ["has its white space collapsed", "<title>\n  My\t\n shrine </title>", "My shrine"],
    [
      "has its entities decoded",
      "<title>Tom &amp; J&eacute;r&ocirc;me &lt;3</title>",
      "Tom & Jérôme <3",
    ],
    ["is absent where the element is", "<p>Hello", undefined],
    ["is absent when empty", "<title> \n </title>", undefined],
    ["is not that of a drawing", "<svg><title>An icon</title></svg><title>Me</title>", "Me"],
    ["is not a drawing's alone", "<p><svg><title>An icon</title></svg>", undefined],
    ["is the first", "<title>One</title><title>Two</title>", "One"],
    ["holds no markup", "<title>a <b>c</title>", "a <b>c"],
    ["may be in capitals", "<HTML><HEAD><TITLE>Loud</TITLE>", "Loud"],
    ["is not in a comment", "<!-- <title>No</title> --><title>Yes</title>", "Yes"],
  ])("%s", (_, html, title) => {
    expect(page(html).title).toBe(title);
  });
});

describe("a page hidden from readers", () => {
  test.each([
    ['<meta name="robots" content="noindex">', "noindex"],
    ['<META NAME="ROBOTS" CONTENT="NOINDEX, FOLLOW">', "noindex"],
    ['<meta content="follow,noindex" name=robots>', "noindex"],
    ['<meta name="robots" content="none">', "noindex"],
    ['<meta name="robots" content="index, follow">', undefined],
    ['<meta name="robots" content="noindexing">', undefined],
    ['<meta name="robots">', undefined],
    ['<meta name="googlebot" content="noindex">', undefined],
    ['<meta name="description" content="noindex">', undefined],
    ['<!-- <meta name="robots" content="noindex"> -->', undefined],
  ])("%s: %s", (html, hidden) => {
    expect(page(`<head>${html}</head>`).excluded).toBe(hidden);
  });
});

describe("a redirect", () => {
  test.each([
    ["0;url=/new/", "redirect"],
    ["0; URL='/new/'", "redirect"],
    ['2;url="https://example.org/new/"', "redirect"],
    ["0, /new/", "redirect"],
    ["0 url = new.html", "redirect"],
    ["  10 ; url=new.html", "redirect"],
    ["0.5;url=new.html", "redirect"],
    ["11;url=new.html", undefined],
    ["30", undefined],
    ["0", undefined],
    ["5;", undefined],
    ["5;url=", undefined],
    ["5;url=''", undefined],
    ["0;url=#top", undefined],
    ["soon;url=new.html", undefined],
    ["", undefined],
  ])("by refresh %j: %s", (content, hidden) => {
    const quoted = content.replaceAll('"', "&quot;");
    expect(
      page(`<title>Moss</title><meta http-equiv="Refresh" content="${quoted}">`).excluded,
    ).toBe(hidden);
  });

  test("only where scripts are off is none", () => {
    const html = '<body><noscript><meta http-equiv="refresh" content="0;url=/plain/"></noscript>';
    expect(page(html).excluded).toBeUndefined();
  });

  test.each([
    ["location.replace('/new/')", "redirect"],
    ["window.location.href = '/new/';", "redirect"],
    ["location='/new/'", "redirect"],
    ["location = '/other/'", undefined],
    ["if (location.href == '/new/') start()", undefined],
    ["if (!window.fetch) location = '/new/'", undefined],
    ["function go() { location.href = '/new/' }", undefined],
    ["var place = { location: '/new/' }; start()", undefined],
    ["", undefined],
  ])("by a script %j beside a refresh for readers without scripts: %s", (script, hidden) => {
    const refresh = '<noscript><meta http-equiv="refresh" content="0; url=/new/"></noscript>';
    const inHead =
      `<!doctype html><html><head><title>redirect...</title><script>${script}</script>${refresh}` +
      '</head><body><a href="/new/">There</a>';
    expect(page(inHead).excluded).toBe(hidden);
    const scriptInBody = inHead
      .replace(`<script>${script}</script>`, "")
      .replace("<body>", `<body><script>${script}</script>`);
    expect(page(scriptInBody).excluded).toBe(hidden);
    const refreshInBody = inHead.replace(refresh, "").replace("<body>", `<body>${refresh}`);
    expect(page(refreshInBody).excluded).toBeUndefined();
  });
});

describe("any bytes are a page", () => {
  test.each([
    [
      '<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Moss</title></feed>',
      "feed",
    ],
    ["<rss><channel><title>Moss</title></channel></rss>", "feed"],
    ["<title>Moss</title><feed>", undefined],
  ])("a feed is no page: %s", (html, excluded) => {
    expect(page(html).excluded).toBe(excluded);
  });

  test("random bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readPage(bytes).content).toMatch(/^1:[0-9a-f]{32}$/);
      }),
    );
  });

  test("random pieces of markup", () => {
    const piece = fc.constantFrom(
      ...[
        "<main>",
        "</main>",
        "<",
        ">",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?xml",
        "&amp",
        "&#x0;",
      ],
      ...["<title>", "</p>", "<pre>\n", "</pre>", "<svg>", "<meta charset=", "'", '"', "=", "\0"],
      ...["<script>", "<plaintext>", "<template>", "<a __proto__=1 constructor=2>", " ", "x", "é"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, xhtml) => {
        const { content } = readPage(Buffer.from(pieces.join("")), { xhtml });
        expect(content).toMatch(/^1:[0-9a-f]{32}$/);
      }),
    );
  });

  test("nested 100,000 deep", () => {
    const { title, content } = page(`<title>Deep</title>${"<div>".repeat(100_000)}down here`);
    expect(title).toBe("Deep");
    expect(content).toMatch(/^1:[0-9a-f]{32}$/);
  });
});

describe("XHTML", () => {
  const xhtml = (html: string) => readPage(Buffer.from(html), { xhtml: true });

  test("closes its own elements", () => {
    const html = '<?xml version="1.0"?><html><head><script src="a.js"/><title>Mine</title></head>';
    expect(xhtml(html).title).toBe("Mine");
  });

  test("knows CDATA", () => {
    const main = (text: string) => xhtml(`<main><p>${text}</p></main>`).content;
    expect(main("<![CDATA[1 < 2]]>")).toBe(main("1 &lt; 2"));
    expect(main("<![CDATA[1 < 2]]>")).not.toBe(main("<![CDATA[1 < 3]]>"));
  });
});

describe("a page whose title says nothing is called by its first heading", () => {
  test.each([
    ["<title></title><h1>Moss</h1><h2>Peat</h2>", "Moss"],
    ["<title></head><body><h1>Garden</h1></title><h2>Moss and peat</h2>", "Moss and peat"],
    [
      "<title>Untitled Document</title><header><h1>Site</h1></header><h2>Moss &amp; <b>peat</b></h2>",
      "Moss & peat",
    ],
    ["<TITLE>New Page 1</TITLE><H3>Moss<BR>and\npeat</H3>", "Moss and peat"],
    ["<h1><img src=a.png></h1><h1>Moss</h1>", "Moss"],
    ["<h1>17/1/2025</h1><h2>New:</h2><h2>***</h2><h3>Moss</h3>", "Moss"],
    ["<h1><a href=/>Garden</a></h1><h2>Moss <a href=b.html>of b</a></h2>", "Moss of b"],
    ["<title></title><h1><a href=#p>Peat</a> <a href=#p>#</a></h1>", "Peat"],
    ["<h1><a href=#p>Don&#39;t <em>mix</em> <b>peat</b></a></h1>", "Don't mix peat"],
    ["<h1><a name=p></a>« Peat » <a href=#p>¶</a></h1>", "« Peat »"],
    ["<h1><a href=/><img> Garden</a> »</h1><a href=b.html><h2>Peat</h2></a>", undefined],
    ["<title>index</title><svg><h1>x</h1></svg><template><h1>y</h1></template>", undefined],
    ["<title>Untitled</title><p>text", undefined],
    ["<title>Index of plants</title><h1>Moss</h1>", "Index of plants"],
    ["<p>text", undefined],
  ])("%s", (html, title) => {
    expect(readPage(Buffer.from(html)).title).toBe(title);
  });

  test("its identity is that of the page as it is", () => {
    const one = readPage(Buffer.from("<head></head><body><h1>Moss</h1>"));
    const other = readPage(Buffer.from("<head><title></title></head><body><h1>Moss</h1>"));
    expect(one.content).toBe(other.content);
  });
});

test("a template's head is not the page's", () => {
  const before =
    "<html><head><title>T</title><template><html><head><link rel=resourcesync href=x></head></html></template>";
  const marks = findMarks(Buffer.from(`${before}</head><body>`), false);
  expect(marks).toMatchObject({ headEnd: before.length, isLinked: false });
});

describe("elements within elements without end", () => {
  test("are told apart by their text and by their tags", () => {
    const below = (html: string) => page(`<main>${"<b>".repeat(20_000)}${html}</main>`);
    const one = below("<p>One</p>");
    expect(below("<p>Two</p>").content).not.toBe(one.content);
    expect(below("<p class=a>One</p>").markup).not.toBe(one.markup);
  });
});

test("a word without end, with a digit before it, costs no more than its length", async () => {
  const { blocks: before } = readPage(Buffer.from("<main><p>Moss"), {
    memory: { had: new Set() },
  });
  const long = Buffer.from(`r1 a${"&lt;template>".repeat(10_000)}`);
  const seconds = await processorSeconds(() =>
    readPage(long, {
      url: "https://example.org/page.html",
      site: "https://example.org/",
      memory: { had: new Set(keysIn(before)) },
    }),
  );
  expect(seconds).toBeLessThan(6);
});
