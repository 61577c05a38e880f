import { ENGLISH } from "@rs-emit/feeds";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withInsertions } from "../src/insertions/finish-pages.ts";
import { type LatestLine, latestLines } from "../src/insertions/latest-lines.ts";
import { changesList } from "../src/insertions/list-of-changes.ts";
import { ownLinesIn } from "../src/inventory/own-lines.ts";
import { digestBytes } from "../src/model/digest.ts";
import type { Change } from "../src/model/log.ts";
import type { Insertions } from "../src/model/plan.ts";
import type { PageLinks } from "../src/model/resources.ts";
import { relativeLink } from "../src/model/url.ts";
import { findMarks, withoutInsertions } from "../src/page/placeholders/find-placeholders.ts";
import { TestSite } from "./support/site.ts";

const PAGE = {
  file: "index.html",
  url: "https://example.org/",
  collection: "https://example.org/",
};
const LINKS: PageLinks = {
  capabilityList: "/capabilitylist.xml",
  feed: { href: "/changes.atom", title: 'Möss & "co"' },
};
const LOG = '<link rel="resourcesync" href="/capabilitylist.xml" data-rs-emit="link">';
const FEED =
  '<link rel="alternate" type="application/atom+xml" title="M&#246;ss &#38; &#34;co&#34;" ' +
  'href="/changes.atom" data-rs-emit="link">';

function linked(html: string, links: PageLinks | "none" = LINKS, page = PAGE): string {
  return inserted(html, page, { links, latest: undefined });
}

function inserted(html: string, page: typeof PAGE, insertions: Insertions): string {
  const bytes = Buffer.from(html);
  const marks = findMarks(bytes, page.file.endsWith(".xhtml"));
  return Buffer.from(withInsertions(bytes, { ...page, marks }, insertions)).toString();
}

describe("the links stand at the end of a page's head", () => {
  test.each([
    "<!doctype html><head><title>x</title>|</head><body>y</body>",
    "<!DOCTYPE html><HTML><HEAD><TITLE>x</TITLE>|</HEAD><BODY>",
    "<head><script>var a = '</head>';</script><!-- </head> -->|</head>",
    "<!doctype html><title>no head</title>|<body><p>y",
    "<!doctype html><title>no head</title>|Some text <b>y</b>",
    "<!doctype html><html lang=en>|<p>y",
    "<!doctype html>|<main>y</main>",
    "<head><meta charset=utf-8>|<p>a head that nobody closed</p>",
    '<title>x</title><link rel=alternate type="application/rss+xml" href=/own.rss>|\n<p>text',
    "<head><noscript><img src=x></noscript>|</head>",
    "\ufeff|<p>a piece of a page",
    "\ufeff|a piece of text",
    "\ufeff<!doctype html>\r\n<html><head><title>x</title>|</head>",
    "\ufeff\n<!-- c --><!doctype html><title>x</title>|<p>y",
    "|just text",
    "|",
  ])("%j", (marked) => {
    expect(linked(marked.replace("|", ""))).toBe(marked.replace("|", LOG + FEED));
  });

  test("as XHTML wants it", () => {
    const xhtml = linked("<head><script src='a.js'/></head>", LINKS, { ...PAGE, file: "a.xhtml" });
    expect(xhtml).toBe(`<head><script src='a.js'/>${(LOG + FEED).replaceAll(">", " />")}</head>`);
  });

  test("unless the author wrote them", () => {
    const log = '<LINK href="/x.xml" rel="alternate ResourceSync">';
    const feed = '<link rel=alternate href="changes.atom">';
    const other = '<link rel=alternate href="other.atom">';
    expect(linked(`<head>${log}</head>`)).toBe(`<head>${log}${FEED}</head>`);
    expect(linked(`<head>${feed}</head>`)).toBe(`<head>${feed}${LOG}</head>`);
    expect(linked(`<head>${log}${feed}</head>`)).toBe(`<head>${log}${feed}</head>`);
    expect(linked(`<head>${other}</head>`)).toBe(`<head>${other}${LOG}${FEED}</head>`);
  });

  test("and are replaced, or taken out, where they are others", () => {
    const page = linked("<head><title>x</title></head>");
    const renamed = { ...LINKS, feed: { href: "/updates.atom", title: "Moss" } };
    expect(linked(page, renamed).match(/<link /g)).toHaveLength(2);
    expect(linked(page, renamed)).toContain("/updates.atom");
    expect(linked(page, "none")).toBe("<head><title>x</title></head>");
  });

  test("and not in a charset that is no kin of ASCII", () => {
    const head = Buffer.from("<head></head>", "utf16le");
    const { hash, length } = digestBytes(head);
    const found = { head, hash, length, isWhole: true };
    expect(ownLinesIn(PAGE.file, found, undefined, true)).toEqual({
      original: hash,
      isMarked: false,
      isUnfit: true,
    });
  });
});

const COLLECTION = {
  url: "https://example.org/",
  placeOf: (url: string) => (url.includes("gone") ? undefined : url),
  language: undefined,
  words: ENGLISH,
};

/** The lines of a log, given in its order. */
async function linesOf(log: readonly Change[], limit = 10): Promise<readonly LatestLine[]> {
  async function* pieces() {
    yield log;
  }
  return latestLines(pieces(), limit, ({ quotes }) => quotes);
}

const CHANGES: readonly Change[] = [
  {
    ...{ url: "https://example.org/b/c.html", kind: "updated", datetime: 1_800_000_000 },
    ...{ lastmod: 0, title: "Ünder </ul> & \u0000", message: "two\nlines" },
    quotes: {
      isAddition: true,
      more: 3,
      shown: [
        { digest: "AAAA", text: "a <b>", place: "#list:~:text=a%26b" },
        { digest: "AAAC", text: "", pictures: 2 },
      ],
    },
  },
  { url: "https://example.org/gone.html", kind: "deleted", datetime: 1_700_000_000, lastmod: 0 },
];

const LINES: readonly LatestLine[] = CHANGES.map((change) => [change]);

function filled(html: string, page = PAGE): string {
  const latest = changesList(COLLECTION, LINES);
  return inserted(html, page, { links: undefined, latest });
}

describe("a list of changes", () => {
  test("is filled, in ASCII and with addresses from the root", () => {
    const page = { ...PAGE, url: "https://example.org/a/" };
    expect(filled('<p>ü<ul data-rs-emit="changes"><li>None yet</ul>é', page)).toBe(
      '<p>ü<ul data-rs-emit="changes">\n' +
        '<li class="rs-emit-updated h-entry"><time class="rs-emit-date dt-updated" datetime="2027-01-15T08:00:00Z">2027-01-15</time> <span class="rs-emit-kind">updated</span> ' +
        '<a class="rs-emit-title u-url p-name" href="/b/c.html">&#220;nder &#60;/ul&#62; &#38; &#65533;</a> ' +
        '<span class="rs-emit-dash">&#8211; </span><span class="rs-emit-words">two lines</span> ' +
        '<span class="rs-emit-dash">&#8211; </span><span class="rs-emit-new">New: <span class="rs-emit-quote"><a href="/b/c.html#list:~:text=a%26b">&#8220;a &#60;b&#62;&#8221;</a></span>, <span class="rs-emit-quote">2 pictures</span> and 3 more</span>' +
        '<data class="u-uid" value="https://example.org/b/c.html#2027-01-15T08:00:00Z"></data></li>\n' +
        '<li class="rs-emit-deleted h-entry"><time class="rs-emit-date dt-updated" datetime="2023-11-14T22:13:20Z">2023-11-14</time> <span class="rs-emit-kind">gone</span> ' +
        '<span class="rs-emit-title p-name">gone</span>' +
        '<data class="u-uid" value="https://example.org/gone.html#2023-11-14T22:13:20Z"></data></li>\n</ul>é',
    );
  });

  test("quotes nothing where its author says so", () => {
    expect(filled('<ul data-rs-emit="changes" data-quotes="off"></ul>')).not.toContain(
      "rs-emit-new",
    );
  });

  test("tells a page that moved once, where it is now", async () => {
    const [from, to] = ["https://example.org/a/x.html", "https://example.org/b/x.html"];
    const at = { datetime: 1_800_000_000, lastmod: 0, title: "Ami" };
    const log: readonly Change[] = [
      { url: from, kind: "deleted", moved: to, ...at },
      { url: to, kind: "created", moved: from, ...at },
    ];
    const lines = await linesOf(log);
    expect(lines.flat().map(({ url }) => url)).toEqual([to]);
    const latest = changesList(COLLECTION, lines);
    expect(inserted("<ul data-rs-emit=changes></ul>", PAGE, { links: undefined, latest })).toMatch(
      /<li class="rs-emit-moved h-entry">.*href="\/b\/x.html">Ami<\/a>/,
    );
  });

  test("is found by attributes that are written with character references", () => {
    expect(filled('<ul data-rs-emit="ch&#97;nges"></ul>')).toContain("rs-emit-updated");
    const html = '<head>&#32;<base href="/&#98;/"></head><ul data-rs-emit=changes></ul>';
    expect(filled(html)).toContain('href="/b/c.html"');
  });

  test("are whole where the page's links lead to another host", () => {
    expect(filled('<base href="/b/"><ul data-rs-emit=changes></ul>')).toContain('href="/b/c.html"');
    expect(filled('<base href="//other.example/"><ul data-rs-emit=changes></ul>')).toContain(
      'href="https://example.org/b/c.html"',
    );
  });

  test.each([
    ["<UL DATA-LIMIT=1 data-rs-emit='changes'></UL>", 1],
    ['<ol data-rs-emit=changes data-limit=" 2 "></ol>', 2],
    ["<ul data-rs-emit=changes data-limit=0></ul>", 10],
    ["<ul data-rs-emit=changes data-limit=5000></ul>", 100],
  ])("%s holds so many", (html, limit) => {
    expect(findMarks(Buffer.from(html), false).regions).toMatchObject([{ limit }]);
  });

  test.each([
    "<div data-rs-emit=changes></div>",
    "<div><ul data-rs-emit=changes><li></div>",
    "<ul data-rs-emit=changes>",
    "<ul data-rs-emit=changes><p>after",
  ])("%s cannot be filled", (html) => {
    expect(filled(html)).toBe(html);
    expect(findMarks(Buffer.from(html), false)).toMatchObject({ regions: [], unfit: 1 });
  });

  test.each([
    "<!-- <ul data-rs-emit=changes></ul> -->",
    "<script>'<ul data-rs-emit=changes></ul>'</script>",
    "<textarea><ul data-rs-emit=changes></ul></textarea>",
    "<ul data-rs-emit=other></ul>",
  ])("%s is none", (html) => {
    expect(filled(html)).toBe(html);
    expect(findMarks(Buffer.from(html), false)).toMatchObject({ regions: [], unfit: 0 });
  });

  test("names each URL once, the newest change of it, and no minor one", async () => {
    const change = (path: string, datetime: number, minor?: true): Change => ({
      ...{ url: `https://example.org/${path}`, kind: "updated", datetime, lastmod: datetime },
      ...(minor ? { minor } : {}),
    });
    async function* log() {
      yield [change("a", 7), change("b", 8, true), change("a", 9)];
      yield [change("b", 1), change("c", 2), change("a", 3)];
    }
    const latest = await latestLines(log(), 2, ({ quotes }) => quotes);
    expect(latest.flat().map(({ url, datetime }) => [url.at(-1), datetime])).toEqual([
      ["a", 9],
      ["c", 2],
    ]);
  });

  test("tells a page that moved later once, and no page that is gone", async () => {
    const at = (datetime: number) => ({ datetime, lastmod: datetime, title: "Ami" });
    const [from, to] = ["https://example.org/ami.html", "https://example.org/amy.html"];
    const lines = await linesOf([
      { url: from, kind: "created", ...at(1) },
      { url: from, kind: "deleted", moved: to, ...at(2) },
      { url: to, kind: "created", moved: from, ...at(2) },
      { url: to, kind: "updated", ...at(3) },
    ]);
    expect(lines.flat().map(({ url, datetime }) => [url, datetime])).toEqual([[to, 3]]);
  });

  test("calls a page new while the list reaches back to its creation", async () => {
    const at = (name: string, datetime: number) => ({
      url: `https://example.org/${name}`,
      datetime,
      lastmod: datetime,
    });
    const log: readonly Change[] = [
      { ...at("fan", 1), kind: "created" },
      { ...at("ami", 2), kind: "created" },
      { ...at("ami", 3), kind: "updated" },
      { ...at("fan", 4), kind: "updated" },
    ];
    const list = (limit: number) =>
      linesOf(log, limit).then((lines) =>
        lines.flat().map(({ url, kind, datetime }) => `${url.at(-1)} ${kind} ${datetime}`),
      );
    expect(await list(3)).toEqual(["n created 4", "i created 3"]);
    expect(await list(2)).toEqual(["n updated 4", "i updated 3"]);
  });

  test("tells new pages first, then updates with most to tell, moves, and all that is gone in one line", async () => {
    const at = { datetime: 1_800_000_000, lastmod: 0 };
    const page = (name: string) => ({ ...at, url: `https://example.org/${name}`, title: name });
    const quotes = (text: string) => ({
      isAddition: true,
      shown: [{ digest: "AAAA", text }],
      more: 0,
    });
    const older = { datetime: 1_700_000_000, title: "fan" };
    const log: readonly Change[] = [
      { ...page("fan"), ...older, kind: "updated", quotes: quotes("yesterday") },
      ...["gone1", "gone2", "gone3", "gone4", "gone5", "gone6", "gone7"].map(
        (name): Change => ({ ...page(name), kind: "deleted" }),
      ),
      { ...page("ami"), kind: "created", moved: "https://example.org/gone0" },
      { ...page("bare"), kind: "updated" },
      { ...page("fan"), kind: "updated", minor: true },
      { ...page("ferns"), kind: "updated", quotes: quotes("Ferns"), name: "Ferns" },
      { ...page("moss"), kind: "updated", quotes: quotes("Jujutsu Kaisen") },
      { ...page("new"), kind: "created" },
    ];
    const list = (limit: number) =>
      linesOf(log, limit).then((lines) =>
        inserted(`<ul data-rs-emit=changes data-limit=${limit}></ul>`, PAGE, {
          links: undefined,
          latest: changesList(COLLECTION, lines),
        })
          .replaceAll(/<time.*?<\/time> |<data.*?>/g, "")
          .replaceAll(/<[^>]*>/g, "")
          .trim()
          .split("\n"),
      );
    const all = [
      "new new",
      "updated moss &#8211; New: &#8220;Jujutsu Kaisen&#8221;",
      "updated bare",
      "updated Ferns &#8211; Renamed",
      "moved ami",
      "gone gone1, gone2, gone3, gone4, gone5 and 2 more",
      "updated fan &#8211; New: &#8220;yesterday&#8221;",
    ];
    expect(await list(10)).toEqual(all);
    expect(await list(6)).toEqual(all.slice(0, 6));
  });

  test("has lines of one publication by their URLs, where they tell as much", async () => {
    const site = new TestSite().write(
      "list.html",
      "<title>List</title><ul data-rs-emit=changes></ul>",
    );
    for (const [at, name] of ["c", "a", "b"].entries()) {
      site.page(`${name}.html`, name, `2026-10-01T0${at}:00:00Z`);
    }
    await site.publish("2026-10-05T12:00:00Z");
    site.page("c.html", "c again").page("a.html", "a again").page("d.html", "d");
    await site.publish("2026-10-06T12:00:00Z");
    const titles = [...site.read("list.html").matchAll(/<a [^>]*>(.*?)<\/a>/g)].map(
      ([, title]) => title,
    );
    expect(titles.slice(0, 3)).toEqual(["d", "a again", "c again"]);
    expect(titles.slice(3).toSorted()).toEqual(["List", "b"]);
  });
});

const segment = fc.constantFrom("a", "b", "c:d", "", "%C3%BC", "e.html", "x?y=1");
const url = fc
  .array(segment, { maxLength: 4 })
  .map((all) => `https://example.org/${all.join("/")}`);

test("a relative link leads where the URL does", () => {
  fc.assert(
    fc.property(url, url, (from, to) => {
      expect(new URL(relativeLink(new URL(from), new URL(to)), from).href).toBe(new URL(to).href);
    }),
  );
});

const piece = fc.constantFrom(
  ..."<ul data-rs-emit=changes>|</ul>|<ol data-limit=1 data-rs-emit='changes'>|</ol>|<li>|text|ü".split(
    "|",
  ),
  ...`<time data-rs-emit=updated>|</time>|<time class='x' datetime="now" data-rs-emit="updated">`.split(
    "|",
  ),
  ..."<head>|</head>|<body>|<title>|</title>|<p>|<div>|</div>|<!--|-->|<script>|</script>|<br/>".split(
    "|",
  ),
  ...`<link rel=resourcesync href=x>|<base href=y>|<html>|</body>|</html>|<svg>|</svg>|<|>|"|${LOG}|${FEED}`.split(
    "|",
  ),
);
const pages = fc.record({
  changed: fc.constantFrom(undefined, 1_800_000_000),
  html: fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join("")),
  xhtml: fc.boolean(),
  links: fc.constantFrom(undefined, "none" as const, LINKS),
  latest: fc.constantFrom(undefined, changesList(COLLECTION, []), changesList(COLLECTION, LINES)),
});

test("whatever the page: what is inserted is inserted once, and without it the page is as it was", () => {
  fc.assert(
    fc.property(pages, ({ html, xhtml, links, latest, changed }) => {
      const page = { ...PAGE, file: xhtml ? "a.xhtml" : "a.html" };
      const after = inserted(html, page, { links, latest, changed });
      const own = (text: string) =>
        Buffer.from(withoutInsertions(Buffer.from(text), xhtml)).toString();
      expect(own(after)).toBe(own(html));
      expect(inserted(after, page, { links, latest, changed })).toBe(after);
    }),
    { numRuns: 2000 },
  );
});

const inBody = fc.constantFrom(
  "<p>",
  "</p>",
  "text & more ",
  "<a href=\"x>y\" title='<b>'>",
  "<br/>",
  "<li>",
  "</li>",
  "<p title='-rs-emit'>one</p>",
  '<time data-rs-emit="updated"></time>',
  "<TIME DATA-RS-EMIT=updated >then</TIME>",
  '<ul data-rs-emit="changes"></ul>',
  '<ul data-rs-emit="changes"><li>old</ul>',
  "<time data-rs-emit=updated></p></time>",
  "<link data-rs-emit=link>",
  "<!-- ",
  " -->",
  "<script>",
  "</script>",
  '<a "',
  '" >',
  "<body class=x>",
  "<",
  "<svg/>",
);

test("in a plain body marks stand where a parser finds them", () => {
  const head = fc.constantFrom("<head><title>x</title></head><body>", "<!-- <body> --><body>", "");
  const bodies = fc.tuple(head, fc.array(inBody, { maxLength: 12 }));
  fc.assert(
    fc.property(bodies, ([start, pieces]) => {
      const html = start + pieces.join("");
      // No tag of a body is plain after this one, and it has no effect on others.
      const parsed = html.replaceAll(/<body/g, "<body =");
      const shifted = (_: string, name: string, at: string) => {
        const before = parsed.slice(0, Number(at)).split("<body =").length - 1;
        return `"${name}":${Number(at) - 2 * before}`;
      };
      const moved = (marks: object) =>
        JSON.stringify(marks).replaceAll(/"(start|end|headEnd)":(\d+)/g, shifted);
      expect(JSON.stringify(findMarks(Buffer.from(html), false))).toBe(
        moved(findMarks(Buffer.from(parsed), false)),
      );
    }),
    { numRuns: 3000 },
  );
});

describe("a date in the page", () => {
  const dated = (html: string, changed: number | undefined = 1_800_000_000) =>
    inserted(html, PAGE, { links: undefined, latest: undefined, changed });

  test("is filled for programs and readers, with what the author wrote beside it", () => {
    expect(dated('<p>é <time class="x" data-rs-emit="updated"></time>')).toBe(
      '<p>é <time datetime="2027-01-15T08:00:00Z" class="x" data-rs-emit="updated">2027-01-15</time>',
    );
  });

  test("replaces an earlier one, in any spelling", () => {
    const old = `<TIME title='a datetime="b"' DateTime = 2020 data-rs-emit=updated><b>then</b></TIME>`;
    const filled = `<TIME title='a datetime="b"' datetime="2027-01-15T08:00:00Z" data-rs-emit=updated>2027-01-15</TIME>`;
    expect(dated(old)).toBe(filled);
    expect(dated(filled)).toBe(filled);
  });

  test("may stand in a page any number of times", () => {
    const mark = "<time data-rs-emit=updated></time>";
    expect(dated(mark.repeat(3)).match(/2027-01-15</g)).toHaveLength(3);
  });

  test("leaves what the author wrote until it is known", () => {
    const html = "<time data-rs-emit=updated>soon</time>";
    expect(inserted(html, PAGE, { links: undefined, latest: undefined })).toBe(html);
  });

  test.each([
    "<span data-rs-emit=updated></span>",
    `<time data-rs-emit="updated"/>`,
    "<p><time data-rs-emit=updated></p>",
    "<time data-rs-emit=updated>",
  ])("%s is unfit, and stays", (html) => {
    expect(findMarks(Buffer.from(html), false)).toMatchObject({ dates: [], unfit: 1 });
    expect(dated(html)).toBe(html);
  });
});
