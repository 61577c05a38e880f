import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentRule, contentScheme } from "../src/page/content/content-rule.ts";
import { readPage } from "../src/page/read-page.ts";

const content = (html: string) => readPage(Buffer.from(html)).content;
const main = (html: string) => content(`<title>T</title><body><main>${html}</main>`);

describe("what is a page's own", () => {
  test.each([
    ["main", "<nav>shell</nav><main>OWN</main><footer>shell</footer>"],
    ["role=main", "<div>shell</div><div role=main>OWN</div>"],
    ["several mains", "<main>one</main>shell<main hidden>OWN</main>"],
    [
      "not a main in a hidden dialog",
      "<article>OWN</article><div aria-hidden=true><div role=dialog><main>shell</main></div></div>",
    ],
    ["what follows a hidden part", "<div hidden><br><p>shell</div><main>OWN</main>"],
    ["main before article", "<article>shell</article><main>OWN</main>"],
    ["a header in main", "<main><header>OWN</header></main>"],
    ["no navigation in main", "<main><nav>shell</nav><p>OWN<nav><main>shell</main></nav></main>"],
    ["nor in an article", "<article><nav><h1>shell</h1></nav><aside>OWN</aside></article>"],
    ["a main in navigation", "<nav>shell<main>OWN</main></nav>"],
    ["articles", "<div>shell</div><article>one</article><p>shell<article>OWN</article>"],
    ["an article in an article", "shell<article>one<article>OWN</article></article>"],
    ["the body", "<body><header>shell</header><nav>shell</nav><p>OWN<footer>shell</footer>"],
    ["an aside beside main", "<header>shell</header><aside>OWN</aside><main>text</main>"],
    ["an aside beside an article", "<p>shell<article>text</article><aside>OWN</aside>"],
    ["no aside in a footer", "<main>OWN</main><footer><aside>shell</aside></footer>"],
    ["an aside of the body", "<aside><nav>shell</nav>OWN</aside><p>text"],
    ["a page without body or end of head", "<head><title>a</title><nav>shell</nav><p>OWN"],
    ["a page without body", "<head><style>shell</style></head><p>OWN<footer>shell</footer>"],
    ["a frameset", '<frameset><frame src="OWN.html"></frameset>'],
    ["what pages show without scripts", "<main><noscript><img src=OWN.jpg></noscript></main>"],
    ["not scripts", "<main>OWN<script>shell</script><style>shell</style></main>"],
    ["not templates", "<template><main>shell</main></template><p>OWN<footer>shell</footer>"],
    ["not links to style sheets", '<main>OWN<link rel=stylesheet href="shell.css"></main>'],
    ["not comments", "<main>OWN<!-- shell --></main>"],
    ["the title", "<title>OWN</title><nav>shell</nav><main>text</main>"],
  ])("%s", (_, html) => {
    expect(content(html.replaceAll("shell", "other"))).toBe(content(html));
    expect(content(html.replaceAll("OWN", "changed"))).not.toBe(content(html));
  });
});

const HIGHLIGHTED =
  '<div class="highlight"><div class="line-numbers"><pre><span></span><span class="n">a</span> ' +
  '<span class="o">=</span> <span class="mi">1</span>\n<span class="n">b</span></pre></div></div>';

describe("a reader does not see", () => {
  test.each([
    ["white space between blocks", "<p>a</p><p>b</p>", "\n <p>\n a </p>\n\n<p>b\t</p> "],
    ["white space collapsed in text", "<p>a b</p>", "<p>a \r\n\t b</p>"],
    ["where a space around inline elements is", "<p>a <b>b</b> c", "<p>a<b> b </b>c"],
    ["two spaces across an inline element", "<p>a <b>b", "<p>a <b> b"],
    ["space around a line break", "<p>a<br>b", "<p>a <br>\n b"],
    ["space at the edges of a cell", "<table><tr><td>a</table>", "<table> <tr> <td> a </table>"],
    ["the order of attributes", "<img src=a alt=b>", "<img alt=b src=a>"],
    ["how attributes are quoted", "<a href='x'>a</a>", '<a href="x">a</a>'],
    ["white space around an address", "<a href=x>a</a>", '<a href=" x\n">a</a>'],
    ["classes, styles, ids", "<p>a", '<p class="c" style="color:red" id=i>a'],
    ["data for scripts", "<p>a", "<p data-n=1 onclick=f() aria-hidden=false>a"],
    ["Astro's scopes", "<p>a", '<p class="astro-J7PV25F6" data-astro-cid-j7pv25f6>a'],
    ["a flag's value", "<details open>a</details>", '<details open="open">a</details>'],
    ["entities", "<p>é &amp; ü", "<p>&eacute; &#38; &#xFC;"],
    ["letter case of names", "<P><A HREF=x>a</A></P>", "<p><a href=x>a</a></p>"],
    ["line ends in preformatted text", "<pre>a\nb</pre>", "<pre>\r\na\r\nb</pre>"],
    ["the space inside a button", "<button>a</button>b", "<button> a </button>b"],
    ["a wrapper around blocks", "<p>a<p>b", '<div class="post"><p>a</p><p>b</p></div>'],
    ["an article around blocks", "<p>a<p>b", "<article><p>a</p></article><article><p>b</article>"],
    ["a wrapper around words", "<p>a b c", "<p>a <span class=n>b</span> c"],
    ["a wrapper in a word", "<p>ab", "<p>a<span>b</span>"],
    ["a wrapper without anything", "<p>a</p><p>b", "<p>a</p><div></div><p>b<span></span>"],
    ["a wrapper in a block", "<li>a</li><li>b", "<li><div>a</div></li><li> <div> b </div>"],
    ["elements that only place", "<p>a</p><p>b", "<center><p>a</center><section><p>b</section>"],
    ["a font", "<p>a b", "<p>a <font color=red>b</font>"],
    ["a header in the own content", "<h1>a</h1><p>b", "<header><h1>a</h1></header><p>b"],
    ["how many line breaks stand between lines", "<p>a<br>b", "<p>a<br><br><br>b"],
    ["a line break at the edge of a block", "<p>a</p><p>b", "<br><p>a<br></p><br><p>b<br>"],
    ["the wrappers of highlighted code", "<pre>a = 1\nb</pre>", HIGHLIGHTED],
    [
      "that each line of code has a wrapper",
      "<pre>a\nb</pre>",
      "<pre><div>a</div><div>b</div></pre>",
    ],
    [
      "how deep a line is wrapped",
      "<div>a</div><div>b</div>",
      "<div>a<div><div> b</div></div></div>",
    ],
    [
      "space at the edges of a wrapper",
      "<div>a</div><div>b</div>",
      "<div> a </div> <div>\n b</div>",
    ],
    ["space before a wrapper that begins a line", "<p>a<div>b</div>c", "<p>a <div> b</div> c"],
    [
      "where a line begins within emphasis",
      "<b>a</b><div><b>b</b></div>",
      "<b>a</b><b><div>b</div></b>",
    ],
  ])("%s", (_, one, other) => {
    expect(main(other)).toBe(main(one));
  });
});

describe("a reader sees", () => {
  test.each([
    ["text", "<p>a", "<p>b"],
    ["a space between words", "<b>a</b><b>b</b>", "<b>a</b> <b>b</b>"],
    ["a space before a picture", "<p>a<img src=b>", "<p>a <img src=b>"],
    ["a space after a picture", "<p><img src=b>a", "<p><img src=b> a"],
    ["a space that does not break", "<p>a b", "<p>a\u00A0b"],
    ["lines of preformatted text", "<pre>a\n  b</pre>", "<pre>a\n b</pre>"],
    ["elements", "<h1>a</h1>", "<h2>a</h2>"],
    ["how far emphasis goes", "<p><b>a b</b>", "<p><b>a</b> b"],
    ["paragraphs", "<p>a<p>b", "<p>a b"],
    ["markup that is shown as text", "<p><b>a</b>", "<p>&lt;b>a&lt;/b>"],
    ["a link's goal", "<a href=x>a</a>", "<a href=y>a</a>"],
    ["a picture", "<img src=a.png>", "<img src=b.png>"],
    ["a picture's sizes", '<img srcset="a 1x">', '<img srcset="b 1x">'],
    ["its description", "<img alt=a>", "<img alt=b>"],
    ["a hint", "<p title=a>x", "<p title=b>x"],
    ["a date", "<time datetime=2026-01-01>x</time>", "<time datetime=2026-01-02>x</time>"],
    ["a language", "<p lang=en>x", "<p lang=fr>x"],
    ["a ticked box", "<input type=checkbox>", "<input type=checkbox checked>"],
    ["an attribute and its value", '<p title="a" lang="b">', "<p title='a\" lang=\"b'>"],
    ["a drawing", '<svg><path d="M0 0"/></svg>', '<svg><path d="M1 1"/></svg>'],
    ["a drawing's title", "<svg><title>a</title></svg>", "<svg><title>b</title></svg>"],
    ["an empty title and a title in the text", "<p>T", "<p>T\nT"],
    ["a line break in a line", "<p>a<br>b", "<p>a b"],
    ["a line break in a word", "<p>a<br>b", "<p>ab"],
    ["a line break in code", "<pre>a<br>b</pre>", "<pre>ab</pre>"],
    ["a line that wrappers break", "<div>a</div><div>b</div>", "<div>a b</div>"],
    ["a word that a wrapper breaks", "a<div>b</div>", "ab"],
    ["a line between pictures", "<div><img src=a></div><img src=b>", "<img src=a> <img src=b>"],
    ["a line in code that a wrapper breaks", "<pre>a<div>b</div></pre>", "<pre>ab</pre>"],
    ["a wrapper's language", "<div lang=en>a</div>", "<div>a</div>"],
    ["a wrapper's hint", "<p><span title=a>b</span>", "<p><span>b</span>"],
    ["whether a wrapper is hidden", "<div hidden>a</div>", "<div>a</div>"],
    [
      "which words a hint is for",
      "<span title=a><span>b</span> c</span>",
      "<span title=a>b</span> c",
    ],
  ])("%s", (_, one, other) => {
    expect(main(other)).not.toBe(main(one));
  });
});

describe("a random page", () => {
  const word = fc.constantFrom("moss", "tide", "ink & paper", "日本", "<", "a  b");
  const text = word.map((w) => w.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
  const { block } = fc.letrec((tie) => ({
    inline: fc.oneof(
      { depthSize: "small" },
      text,
      fc.tuple(fc.constantFrom("b", "em", "a", "code"), tie("inline")).map(wrap),
    ),
    block: fc.oneof(
      { depthSize: "small" },
      fc.tuple(fc.constantFrom("p", "h2", "pre"), tie("inline")).map(wrap),
      fc.tuple(fc.constantFrom("div", "section", "blockquote", "header"), tie("block")).map(wrap),
      fc.tuple(tie("block"), tie("block")).map((two) => two.join("")),
    ),
  }));
  const own = block.map(String);
  const shell = fc
    .tuple(fc.constantFrom("nav", "header", "footer", "script", "style"), text)
    .map(wrap);
  const page = (before: string, body: string, after: string) =>
    `<!doctype html><html><head><title>T</title></head><body>${before}${body}${after}</body></html>`;

  test.each(["main", "article", "div"])(
    "keeps its identity in %s when its shell changes",
    (name) => {
      fc.assert(
        fc.property(own, shell, shell, shell, (inner, a, b, c) => {
          const body = wrap([name, name === "div" ? inner.replaceAll("header", "section") : inner]);
          expect(content(page(c, body, a))).toBe(content(page(a, body, b)));
        }),
      );
    },
  );

  test("keeps it when builders mark its elements", () => {
    fc.assert(
      fc.property(own, (inner) => {
        const marked = inner.replace(/<(\w+)/g, '<$1 class="astro-x" data-astro-cid-x style="a"');
        expect(main(marked)).toBe(main(inner));
      }),
    );
  });

  test("keeps it when wrappers stand around its blocks and words, with white space at their edges", () => {
    const edge = fc.constantFrom("", " ", "\n  ");
    const around = fc.tuple(fc.constantFrom('<div class="a">', "<div>"), edge, edge);
    fc.assert(
      fc.property(own, around, edge, (inner, [open, before, after], inBlock) => {
        const blocks = inner
          .replace(/<(p|h2|div|section|blockquote|header)>/g, `$&${inBlock}`)
          .replace(/<(p|h2)>(.*?)<\/\1>/g, `${open}${before}$&${after}</div>`)
          .replace(/\w+(?=[^<>]*<)/g, (word, at: number, all: string) =>
            isText(all, at) ? `<span class="w">${word}</span>` : word,
          );
        expect(main(blocks)).toBe(main(inner));
      }),
      { numRuns: 500 },
    );
  });

  test("has another when its text changes", () => {
    fc.assert(
      fc.property(own, (inner) => {
        expect(main(`${inner}<p>new`)).not.toBe(main(inner));
        expect(main(inner.replaceAll("moss", "lichen")) === main(inner)).toBe(
          !inner.includes("moss"),
        );
      }),
    );
  });
});

describe("selectors", () => {
  const read = async (html: string, ...selectors: string[]) =>
    readPage(Buffer.from(html), { rule: contentRule(selectors) }).content;

  test("may choose navigation", async () => {
    const links = (page: string) => read(`<main><nav>${page}</nav>a</main>`, "main");
    expect(await links("one")).not.toBe(await links("two"));
  });

  test("choose what is a page's own, outermost elements first to last", async () => {
    const html = "<main>shell</main><div id=a>OWN<div id=b>also OWN</div></div>";
    const identity = await read(html, "#a", "#b");
    expect(await read(html.replace("shell", "other"), "#a", "#b")).toBe(identity);
    expect(await read(html.replace("also", "not"), "#a", "#b")).not.toBe(identity);
    expect(await read(html, "#a", "#b")).toBe(await read(html, "#a", "#b"));
  });

  test("that match nothing on a page leave the default rule", async () => {
    const html = "<nav>shell</nav><main>OWN</main>";
    const identity = await read(html, ".post");
    expect(await read(html.replace("shell", "other"), ".post")).toBe(identity);
    expect(await read(html.replace("OWN", "other"), ".post")).not.toBe(identity);
    expect(identity.split(":")[1]).toBe(content(html).split(":")[1]);
  });

  test.each(["main >", "::before", "", "p:nope(", "a[", ":unknown"])(
    "%j is refused",
    (selector) => {
      const make = () => contentRule(["main", selector]);
      expect(make).toThrow(expect.objectContaining({ code: "CONTENT_SELECTOR" }));
      expect(make).toThrow(`The content selector "${selector}" cannot be understood.`);
    },
  );

  test("never fail on a page nested deep", async () => {
    const html = "<p>".concat("<i>".repeat(20_000), "text");
    expect(await read(html, 'p:contains("text")', "b:has(i)")).toMatch(/^1\.[0-9a-f]{8}:/);
  });

  test("find elements as deep as the page is read, and no deeper", async () => {
    const [shallow, deep] = [1_900, 2_000].map((depth) => `${"<i>".repeat(depth)}<b>x</b>y`);
    const isSelected = async (html: string) =>
      (await read(html, "b")).split(":")[1] !== content(html).split(":")[1];
    expect(await isSelected(String(shallow))).toBe(true);
    expect(await isSelected(String(deep))).toBe(false);
  });
});

test("by which element a page's own part is marked is no part of it", () => {
  const own = "<h1>a</h1><p>b";
  const marked = ["<main>", "<article>", "<main><article>", "<div role=main>"].map((part) =>
    content(`<nav>c</nav>${part}${own}`),
  );
  expect(new Set(marked).size).toBe(1);
  expect(content("<main>a</main><main>b</main>")).not.toBe(content("<main>ab</main>"));
});

describe("the scheme", () => {
  test("is part of the identity, and marks the selectors", async () => {
    expect(contentScheme([])).toBe("1");
    expect(contentScheme([".post"])).toMatch(/^1\.[0-9a-f]{8}$/);
    expect(contentScheme([".post"])).not.toBe(contentScheme(["#post"]));
    expect(contentScheme(["a", "b"])).not.toBe(contentScheme(["a b"]));
    expect(contentRule([".post"]).scheme).toBe(contentScheme([".post"]));
  });
});

/** Whether a word stands outside of tags and entities. */
function isText(html: string, at: number): boolean {
  return html.lastIndexOf(">", at) >= html.lastIndexOf("<", at) && html[at - 1] !== "&";
}

function wrap([name, inner]: readonly unknown[]): string {
  return `<${name}>${inner}</${name}>`;
}

test("what follows the end of the body counts as content, as browsers show it", () => {
  const identity = (html: string) => readPage(Buffer.from(html)).content;
  const page = "<html><body><p>Moss</p></body></html>";
  expect(identity(`${page}<p>Fern</p>`)).not.toBe(identity(page));
  expect(identity(`${page}<p>Fern</p>`)).toBe(
    identity("<html><body><p>Moss</p><p>Fern</p></body></html>"),
  );
  expect(identity(`${page}\n<!-- served by a host -->\n<script>count()</script>\n`)).toBe(
    identity(page),
  );
  const inMain = "<html><body><main>Moss</main></body></html>";
  expect(identity(`${inMain}<p>Fern</p>`)).toBe(identity(inMain));
});
