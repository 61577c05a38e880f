import { describe, expect, test } from "vitest";
import { readPage } from "../src/inventory/page.ts";
import { memoryIn } from "../src/model/memory.ts";

const URL = "https://example.org/a/page.html";

function read(html: string, before?: string) {
  const memory = { before, listsChanges: false };
  return readPage(Buffer.from(html), { url: URL, memory });
}

const page = (body: string, head = "") => `${head}<title>T</title><main>${body}</main>`;
const EMPTY = read(page("<p>old words stand here")).blocks;

function excerpts(body: string, head = "") {
  return read(page(`<p>old words stand here</p>${body}`, head), EMPTY).excerpts?.kept ?? [];
}

const texts = (body: string, head = "") => excerpts(body, head).map(({ text }) => text);

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
    ["a picture without one", '<img src="x.png">', [""]],
    ["not a picture of another host", '<img src="https://other.example/x.png" alt="A moss">', []],
    ["no date", "<p>12 October</p><p>some text</p>", ["some text"]],
    ["numbered titles last", "<p>Chapter 12</p><p>some text</p>", ["some text", "Chapter 12"]],
    [
      "no announcement",
      "<p>My list:</p><p>These pages are new to my site:</p><p>some text</p>",
      ["some text"],
    ],
    ["no single word but a heading", "<p>Website</p><h2>Naruto</h2><p>Creations!</p>", ["Naruto"]],
    [
      "an aside last",
      "<p>(please read the full list)</p><p>some text</p>",
      ["some text", "(please read the full list)"],
    ],
    ["no template", "<p>{% for post in posts %} a post</p><p>by {{ author }} of moss</p>", []],
    [
      "no date with its year",
      "<p>Posted: 16 May 2022</p><p><time>last Tuesday night</time></p>",
      [],
    ],
    [
      "a sentence with a year",
      "<p>2022-05-16: the moss has grown over the wall</p>",
      ["2022-05-16: the moss has grown over the wall"],
    ],
    [
      "no count",
      "<p>Posts: 88</p><h2># moss (7)</h2><h2># 苔の壁 共 7 篇文章</h2><p>Reading time: 8 minutes</p><h3>読んだ本の数: 12冊</h3>",
      [],
    ],
    ["a time of day", "<p>Doors open on Friday at 19:30</p>", ["Doors open on Friday at 19:30"]],
    [
      "no sentence that a list of posts cuts",
      `<p>${"seven ferns stand at the wall of the old house. ".repeat(3)} I went there and...</p><p>coming soon...</p>`,
      ["seven ferns stand at the wall of the old house.", "coming soon..."],
    ],
    ["no rights", "<p>© the moss society and its members</p><p>Copyright by the moss</p>", []],
    [
      "no formula",
      "<p>so \\(x^2\\) is what we wanted</p><p>in C:\\moss\\walls on the disk</p>",
      [],
    ],
    ["a face", "<p>I do not know ¯\\_(ツ)_/¯</p>", ["I do not know ¯\\_(ツ)_/¯"]],
    [
      "no date among short links",
      "<p>Posted May 16, 2022 in <a href=x>Moss</a>, <a href=y>Walls</a></p>",
      [],
    ],
    ["a picture by more than a word", '<img src="x.png" alt="logo">', [""]],
    ["no signs", "<p>→ * 1 2 a b</p>", []],
    ["no button", "<button>Press me now please</button>", []],
    ["not the page after it", "<nav><a href=x>Next: the moss on my wall</a></nav>", []],
    ["no label", "<label>Your name in full</label><input>", []],
    ["no code", "<pre>some code here</pre><p><code>more code here</code></p>", []],
    ["a sentence with code", "<p>use <code>grep</code> for it</p>", ["use grep for it"]],
    ["no link of two words", "<p><a href=x>Read more</a> | <a href=y>Next</a></p>", []],
    ["a link of three words", "<p><a href=x>Read this page</a></p>", ["Read this page"]],
    ["no short Japanese link", "<p><a href=x>更新履歴</a></p>", []],
    [
      "a long Japanese link",
      "<p><a href=x>苔の写真を七枚追加しました</a></p>",
      ["苔の写真を七枚追加しました"],
    ],
    [
      "nothing hidden",
      "<p hidden>hidden words</p><div aria-hidden=true><p>hidden, too</p></div>",
      [],
    ],
    ["nothing without snippet", "<p>some <span data-nosnippet>secret words</span> here</p>", []],
    ["not a heading's sign", "<h2>A heading <a href=#x aria-hidden=true>#</a></h2>", ["A heading"]],
    [
      "words around a hidden one",
      "<p>shown <b hidden>hidden</b>words &amp; more</p>",
      ["shown words & more"],
    ],
    ["what follows a hidden part", "<p hidden>hidden words</p><p>shown words</p>", ["shown words"]],
    [
      "of closed details the summary",
      "<details><summary>the summary</summary>secret words</details>",
      ["the summary"],
    ],
    [
      "open details",
      "<details open><summary>the summary</summary>more words</details>",
      ["the summary", "more words"],
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
    const edited = read(page(`<p>${long} And then another sentence came.</p>`)).blocks;
    const next = read(page(`<p>${long} And then a new sentence came.</p>`), edited).excerpts;
    expect(next?.kept.map(({ text }) => text)).toEqual(["And then a new sentence came."]);
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
  for (const one of excerpts(`<p id="javascript:alert(1)">${text}</p>`)) {
    expect(one.text.length).toBeLessThanOrEqual(81);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be there
    expect(one.text).not.toMatch(/[\u0000-\u001f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u);
    expect(one.place ?? "#").toMatch(/^#[\w.~!$&'()*+,;=:@/?%-]*$/);
  }
});

describe("where a quote stands", () => {
  const place = (body: string) => excerpts(body).find(({ kind }) => kind === "text")?.place;

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
  const blocks = (body: string) => memoryIn(read(page(body)).blocks)?.blocks;

  test.each([
    ["an address", '<p><a href="x">words</a>', '<p><a href="y">words</a>'],
    ["a picture's source", '<img src="a/x.png">', '<img src="b/x.png">'],
    ["a description", '<img src="x.png" alt="one">', '<img src="x.png" alt="two">'],
    ["a frame", "<p>words<iframe src=x></iframe>", "<p>words<iframe src=y></iframe>"],
    ["a foreign picture", '<img src="https://o.example/x">', '<img src="https://o.example/y">'],
    ["an order", "<p>one<p>two", "<p>two<p>one"],
    ["a repeat", "<p>one<p>one", "<p>one"],
    ["an element", "<p>one", "<h2>one</h2>"],
    ["inline markup", "<p>one <b>two</b> three", "<p>one two <b>three</b>"],
    ["what is closed", "<details>words</details>", "<details open>words</details>"],
    ["a label", "<label>one</label>", "<label>two</label>"],
    ["what is hidden", "<p hidden>one</p>", "<p hidden>two</p>"],
    ["a cut between paragraphs", "<p>one two", "<p>one<p>two"],
    [
      "a cut between sentences",
      `<p>${"words ".repeat(20)}end. Next sentence.</p>`,
      `<p>${"words ".repeat(20)}end.</p><p>Next sentence.</p>`,
    ],
  ])("%s", (_, one, other) => {
    expect(blocks(one)).not.toEqual(blocks(other));
  });

  test("nothing of a page with too many blocks", () => {
    const { blocks: remembered } = read(page("<p>one two".repeat(4001)));
    expect(remembered).toMatch(/:-$/);
    expect(memoryIn(remembered)).toBeUndefined();
    expect(memoryIn(read(page("<p>one two".repeat(4000))).blocks)?.texts).toHaveLength(4000);
  });

  test.each([undefined, "", "9.2:AAAA", "1.2:AAA", "1.2:AAA=", "1.2:AAAé", "nonsense"])(
    "%s is no memory",
    (attribute) => {
      expect(memoryIn(attribute)).toBeUndefined();
    },
  );
});
