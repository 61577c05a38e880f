import { describe, expect, test } from "vitest";
import { keysIn, markToAttribute, memoryIn, PageMemory } from "../src/model/page-memory.ts";
import { bestQuotes } from "../src/news/best-quotes.ts";
import { readPage } from "../src/page/read-page.ts";

const PAGE = { url: "https://example.org/a/page.html", site: "https://example.org/" };

function read(html: string, before?: PageMemory) {
  const memory = { had: new Set(keysIn(before)) };
  return readPage(Buffer.from(html), { ...PAGE, memory });
}

const page = (body: string, head = "") => `${head}<title>T</title><main>${body}</main>`;
const EMPTY = read(page("<p>old words stand here")).blocks;

function statements(body: string, head = "") {
  return read(page(`<p>old words stand here</p>${body}`, head), EMPTY).statements ?? [];
}

/** All that is quoted, best first. */
function texts(body: string, head = "") {
  const news = statements(body, head).map((one) => ({
    ...one,
    isReplacement: false,
    isDated: false,
    isOnMost: false,
  }));
  const quotes = [];
  for (let rest = news; rest.length > 0; ) {
    const [best] = bestQuotes(rest)?.shown ?? [];
    if (best === undefined) break;
    quotes.push(best.text);
    const at = rest.findIndex(
      ({ mark, isQuotable }) => isQuotable && markToAttribute(mark) === best.digest,
    );
    rest = rest.filter((_, place) => place !== at);
  }
  return quotes;
}

describe("what may be quoted", () => {
  test.each([
    ["a paragraph", "<p>new words</p>", ["new words"]],
    ["each line", "<p>one line<br>other line</p>", ["one line", "other line"]],
    [
      "words across inline elements",
      "<p>new <b>bold</b> <a href=x>link text</a></p>",
      ["new bold link text"],
    ],
    ["headings first", "<p>some text</p><h2>A heading</h2>", ["A heading", "some text"]],
    ["a picture by its description", '<img src="/i/x.png" alt="A moss">', ["A moss"]],
    ["a picture without one by its name", '<img src="/i/old_wall-2.png?v=2">', ["old wall 2"]],
    [
      "a text before a picture",
      '<img src="/i/wall.png" alt="A fern on the wall"><p>some text</p>',
      ["some text", "A fern on the wall"],
    ],
    [
      "an embed by its title",
      '<iframe src="https://a.example" title="Our chat"></iframe>',
      ["Our chat"],
    ],
    [
      "nothing that stands in an embed",
      '<iframe src="https://a.example" title="Our chat"><a href=x>Moss by the walls</a></iframe><p>some text</p>' +
        "<canvas>your browser has no canvas</canvas>",
      ["some text", "Our chat"],
    ],
    [
      "addresses, files, telephone numbers and hashtags last",
      "<p>#moss #stone #old_walls</p><p>https://moss.example</p><p>wall.gif</p><p>Tel. 030 123 456</p><p>text</p>",
      ["text", "#moss #stone #old_walls", "https://moss.example", "Tel. 030 123 456", "wall.gif"],
    ],
    [
      "what waits for a click last",
      "<dialog><p>words of a dialog</p></dialog><p>some text</p>",
      ["some text", "words of a dialog"],
    ],
    [
      "what a tab or a popover shows last",
      '<h2 popover>A hint</h2><div style="color: red; display:none"><h2>A tab</h2><img src="a.png" alt="An owl"></div>' +
        '<div style="display: block">some text</div>',
      ["some text", "A hint", "A tab", "An owl"],
    ],
    [
      "sounds and films by their files",
      '<audio src="a/frogs.mp3"></audio><video><source src="moss.webm">No video</video>',
      ["frogs.mp3", "moss.webm"],
    ],
    ["a picture by a word", '<img src="x.png" alt="palindromic">', ["palindromic"]],
    ["no dot that counts visitors", '<img src="https://o.example/x" width=1 height=1>', []],
    [
      "a picture without words last of all",
      '<img src="divider.gif"><details><summary>Soup</summary>with moss</details>',
      ["Soup", "with moss", "divider"],
    ],
    [
      "a file by its name where its link says little",
      '<a href="/f/wall.pdf">2026</a>',
      ["wall.pdf"],
    ],
    ["no date", "<p>12 October</p><p>some text</p>", ["some text"]],
    [
      "three words before two",
      "<p>two words</p><p>three more words</p>",
      ["three more words", "two words"],
    ],
    [
      "an address of mail last",
      "<p>moss@walls.example</p><p>some text</p>",
      ["some text", "moss@walls.example"],
    ],
    ["a label before what it says last", "<p>My list: some text</p>", ["some text", "My list:"]],
    ["a row of a table whole", "<table><tr><td>Red<td>2 : 1<td>Blue</table>", ["Red 2 : 1 Blue"]],
    ["a heading first", "<p>some more text</p><h2>Website</h2>", ["Website", "some more text"]],
    ["no template", "<p>{% for post in posts %} a post</p><p>by {{ author }} of moss</p>", []],
    [
      "no date, count or way on",
      "<p>Posted: 16 May 2022</p><p>8 min read</p><p>2 months ago</p><p>a year ago</p><p>Page 3 of 7</p><p>(8)</p><p>5月16日</p>",
      [],
    ],
    [
      "a title without the date before it",
      "<p>2024-05-28 Wild knots</p><p>Wild ferns – Tuesday, 28 May 2024</p>",
      ["Wild knots", "Wild ferns"],
    ],
    [
      "no comma at the end",
      "<p>from 9 to 12,<br>in the hall,</p>",
      ["from 9 to 12", "in the hall"],
    ],
    ["a time of day", "<p>Doors open on Friday at 19:30</p>", ["Doors open on Friday at 19:30"]],
    ["hours alone", "<p>Sat 9:00–17:00</p>", ["Sat 9:00–17:00"]],
    ["no hour of a day", "<p>Tuesday, 16 May 2022, 12:30</p>", []],
    [
      "rights and paths last",
      "<p>© the moss society and its members</p><p>/home/moss</p><p>some text</p>",
      ["some text", "© the moss society and its members", "/home/moss"],
    ],
    [
      "no formula",
      "<p>so \\(x^2\\) is what we wanted</p><p>in C:\\moss\\walls on the disk</p>",
      [],
    ],
    ["a face", "<p>I do not know ¯\\_(ツ)_/¯</p>", ["I do not know ¯\\_(ツ)_/¯"]],
    ["no signs", "<p>→ * 1 2 a b</p>", []],
    ["no button", "<button>Press me now please</button>", []],
    ["not the page after it", "<nav><a href=x>Next: the moss on my wall</a></nav>", []],
    ["no label", "<label>Your name in full</label><input>", []],
    ["no code", "<pre>some code here</pre><p><code>more code here</code></p>", []],
    ["a sentence with code", "<p>use <code>grep</code> for it</p>", ["use grep for it"]],
    ["a link of one word", "<p><a href=x>Portfolio</a></p>", ["Portfolio"]],
    [
      "nothing hidden",
      "<p hidden>hidden words</p><div aria-hidden=true><p>hidden, too</p></div>",
      [],
    ],
    [
      "nothing hidden before a picture in its line, or before a file",
      "<p>shown <b hidden>secret</b> words <img src=x.png alt=wall><p>two <b hidden>secret</b> words <a href=a.pdf>here</a>",
      ["two words here", "shown words", "wall", "a.pdf"],
    ],
    ["nothing without snippet", "<p>some <span data-nosnippet>secret words</span> here</p>", []],
    ["a heading that is a link to itself", "<h2 id=x><a href=#x>A heading</a></h2>", ["A heading"]],
    ["no sign beside a heading", "<h2 id=x>A heading</h2><a href=#x>🔗</a>", ["A heading"]],
    ["not a heading's sign", "<h2>A heading <a href=#x aria-hidden=true>#</a></h2>", ["A heading"]],
    [
      "words around a hidden one",
      "<p>shown <b hidden>hidden</b>words &amp; more</p>",
      ["shown words & more"],
    ],
    ["what follows a hidden part", "<p hidden>hidden words</p><p>shown words</p>", ["shown words"]],
    [
      "of closed details the summary first",
      "<details><summary>the summary</summary>secret words</details>",
      ["the summary", "secret words"],
    ],
    [
      "open details",
      "<details open><summary>the summary</summary>wet stones</details>",
      ["the summary", "wet stones"],
    ],
    [
      "no script, style or template",
      "<script>some words</script><style>some words</style><template>some words</template>",
      [],
    ],
    ["each text once", "<p>same words</p><p>same words</p>", ["same words"]],
    ["nothing that stood there", "<h2>old words stand here</h2>", []],
  ])("%s", (_, body, expected) => {
    expect(texts(body)).toEqual(expected);
  });

  test.each(["nosnippet", "noarchive, NOSNIPPET", "max-snippet:0", "max-snippet: 0"])(
    "nothing of a page whose robots read %s",
    (content) => {
      expect(texts("<p>new words</p>", `<meta name="Robots" content="${content}">`)).toEqual([]);
    },
  );

  test("a long text is cut after its sentences, not after short words and numbers", () => {
    const long =
      "I went to St. Patrick's church on the 1. May with everyone. It rained for hours and hours there. We came home.";
    expect(texts(`<p>${long} And then another sentence came.</p>`)).toEqual([
      "I went to St. Patrick's church on the 1. May with everyone.",
      "It rained for hours and hours there.",
      "We came home.",
      "And then another sentence came.",
    ]);
  });

  test("a quote is cut at a word", () => {
    const [text = ""] = texts(`<p>${"some words ".repeat(20)}</p>`);
    expect(text).toMatch(/^(?:some words )+some…$|^(?:some words )*some words…$/);
    expect(text.length).toBeLessThanOrEqual(81);
  });
});

const HOSTILE = [
  "a\u202eb \u2066c words here",
  "\ud800 half of a pair",
  "x".repeat(1_000_000),
  `<b>${"y ".repeat(500_000)}</b>`,
  "&lt;script&gt;alert(1)&lt;/script&gt; words",
  "\u0000\u0007 control words",
];

test.each(HOSTILE)("a hostile text stays a short line of text: %#", (text) => {
  const found = statements(`<p id="javascript:alert(1)">${text}</p>`);
  const quotes = bestQuotes(
    found.map((one) => ({ ...one, isReplacement: false, isDated: false, isOnMost: false })),
  );
  for (const one of quotes?.shown ?? []) {
    expect(one.text.length).toBeLessThanOrEqual(81);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
    expect(one.text).not.toMatch(/[\u0000-\u001f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u);
    expect(one.place ?? "#").toMatch(/^#[\w.~!$&'()*+,;=:@/?%-]*$/);
  }
});

describe("where a quote stands", () => {
  const place = (body: string) => statements(body).find(({ kind }) => kind === "text")?.place;

  test.each([
    ["its words", "<p>new words</p>", "#:~:text=new%20words"],
    [
      "signs of the directive are encoded",
      "<p>one-two, a & b</p>",
      "#:~:text=one%2Dtwo%2C%20a%20%26%20b",
    ],
    ["under its heading", "<h2 id=top>Head line</h2><p>new words</p>", "#top:~:text=new%20words"],
    [
      "in its section",
      "<section id=s><h2>Head line</h2><p>new words</p></section>",
      "#s:~:text=new%20words",
    ],
    [
      "not under a heading before another",
      "<h2 id=a>One head</h2><h2>Two head</h2><p>new words</p>",
      "#:~:text=new%20words",
    ],
    [
      "not after its section",
      "<section id=s><h2>Head line</h2></section><p>new words</p>",
      "#:~:text=new%20words",
    ],
    [
      "an id is no scheme",
      "<h2 id='javascript:x'>Head line</h2><p>new words</p>",
      "#javascript%3Ax:~:text=new%20words",
    ],
    ["not by words that stand twice", "<h2 id=top>NEW Words again</h2><p>new words</p>", "#top"],
    [
      "Japanese is whole",
      "<p>苔の写真を七枚追加しました。</p>",
      `#:~:text=${encodeURIComponent("苔の写真を七枚追加しました。")}`,
    ],
  ])("%s", (_, body, expected) => {
    expect(place(body)).toBe(expected);
  });

  test("a long quote is found by its first whole words", () => {
    const words = Array.from({ length: 30 }, (_, at) => `word${at}`).join(" ");
    const found = decodeURIComponent(place(`<p>${words} end</p>`) ?? "").replace("#:~:text=", "");
    expect(`${words} `).toContain(`${found} `);
    expect(found.length).toBeGreaterThan(70);
  });
});

describe("what is remembered", () => {
  const keys = (body: string) => keysIn(read(page(body)).blocks);

  test.each([
    ["trip-LosAngeles.jpg", "trip-SanFrancisco.jpg"],
    ["Moss.iPhone.2025.png", "Moss.iPhone.2026.png"],
    ["fern-forest-a1c.png", "fern-garden-a1c.png"],
    ["poster-green-2x3cm.png", "poster-white-2x3cm.png"],
    ["report-Q2a-details.png", "report-Q2a-summary.png"],
    ["Shot%202026-05-28%20at%2014.30.15.png", "Shot%202026-06-02%20at%2016.12.59.png"],
    ["minutes-3Oct2025.png", "minutes-7Nov2025.png"],
    ["my-photo-p2.png", "my-print-p2.png"],
    ["tile-x1-y2-z3.png", "tile-x1-y2-z4.png"],
  ])("the author's words in a picture's name: %s", (one, other) => {
    expect(keys(`<img src="${one}">`)).not.toEqual(keys(`<img src="${other}">`));
  });

  test.each([
    ["a picture", '<img src="a/x.png">', '<img src="a/y.png">'],
    [
      "words behind a date in a picture's name",
      '<img src="2025-12-14_oldferns.png">',
      '<img src="2025-12-14_newferns.png">',
    ],
    ["an order", "<p>one<p>two", "<p>two<p>one"],
    ["a repeat", "<p>one<p>one", "<p>one"],
    ["a file", '<a href="x.pdf">one</a>', '<a href="y.pdf">one</a>'],
    ["a cut between paragraphs", "<p>one two", "<p>one<p>two"],
  ])("%s", (_, one, other) => {
    expect(keys(one)).not.toEqual(keys(other));
  });

  test.each([
    ["an address", '<p><a href="x">words</a>', '<p><a href="y">words</a>'],
    ["a picture's folder", '<img src="a/x.png">', '<img src="b/x.png?v=3">'],
    ["a builder's digest", '<img src="x-3f9ac21b.png">', '<img src="x-81c0ffe2.png">'],
    [
      "a builder's digest behind words",
      '<img src="my-photo-3f9ac21b.png">',
      '<img src="my-photo-81c0ffe2.png">',
    ],
    [
      "a digest of an image that a builder converted",
      '<img src="x.CK1tR3hX_1a2b3c.webp">',
      '<img src="x.Ba9Qr2Tz_1a2b3c.webp">',
    ],
    ["the case of letters", '<img src="Pond.png">', '<img src="pond.png">'],
    ["an element", "<p>one", "<h2>one</h2>"],
    ["inline markup", "<p>one <b>two</b> three", "<p>one two <b>three</b>"],
    ["a composed letter", "<p>cafe\u0301", "<p>café"],
    [
      "a cut between sentences",
      `<p>${"words ".repeat(20)}ending. Next sentence.</p>`,
      `<p>${"words ".repeat(20)}ending.</p><p>Next sentence.</p>`,
    ],
  ])("but not %s", (_, one, other) => {
    expect(keys(one)).toEqual(keys(other));
  });

  test("nothing of a page with too many blocks", () => {
    const { blocks: remembered } = read(page("<p>one two".repeat(4001)));
    expect(remembered?.toAttribute()).toMatch(/:-$/);
    expect(memoryIn(remembered)).toBeUndefined();
    expect(memoryIn(read(page("<p>one two".repeat(4000))).blocks)?.keys()).toHaveLength(4000);
  });

  test.each([
    undefined,
    "",
    "9.2:AAAA",
    "1.2:AAA",
    "1.2:AAA=",
    "1.2:AAAé",
    "2.1:DVI9RDAQOg:",
    "nonsense",
  ])("%s is no memory", (attribute) => {
    expect(memoryIn(PageMemory.parse(attribute))).toBeUndefined();
  });

  test.each(["2.1:", "2.1:-", "2.1:DVI9RDAQOg", "2.selector-1a:DVI9RDAQOg", "9.2:AAAA"])(
    "%s is written as it was read",
    (attribute) => {
      const memory = PageMemory.parse(attribute);
      expect(memory?.toAttribute()).toBe(attribute);
      expect(memory?.equals(PageMemory.parse(attribute))).toBe(true);
      expect(memory?.equals(PageMemory.parse("2.1:DVI9RDAQOw"))).toBe(false);
    },
  );
});
