import fc from "fast-check";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, test } from "vitest";
import { readPage } from "../src/page/read-page.ts";

const markup = (html: string, xhtml = false) => readPage(Buffer.from(html), { xhtml }).markup;

describe("the same page is", () => {
  test.each([
    ["one with the build time in a comment", "<p>a<!-- 12:00 --></p>", "<p>a<!-- 12:01 --></p>"],
    ["one without its comments", "<!-- x --><p>a<!-- y --><b>b</b>", "<p>a<b>b</b>"],
    ["a comment between words", "<p>a <!-- x --> b", "<p>a b"],
    ["a comment within a word", "<p>a<!-- x -->b", "<p>ab"],
    ["an empty comment", "<p>a<!---->b<!--->c<!-->d", "<p>abcd"],
    ["white space between blocks", "<p>a</p><p>b</p>", "<p>a</p>\n\n<p>b</p>\n"],
    ["white space in text", "<p>a b", "<p>a\n\t b"],
    ["entities that mean the same", "<p>&eacute;&amp;", "<p>\u00e9&#38;"],
    ["a comment in preformatted text", "<pre>a\n<!-- x -->b</pre>", "<pre>a\nb</pre>"],
    ["line ends in a script", "<script>a\nb</script>", "<script>a\r\nb</script>"],
  ])("%s", (_, one, other) => {
    expect(markup(other)).toBe(markup(one));
  });
});

describe("another page is one with", () => {
  test.each([
    ["another text", "<p>a", "<p>b"],
    ["another attribute", "<p class=a>", "<p class=b>"],
    ["other quotes: in doubt, it differs", "<p class=a>", '<p class="a">'],
    ["an attribute of a prototype", "<p __proto__=a>", "<p __proto__=b>"],
    ["an attribute that stands twice", "<p id=a id=b>", "<p id=a id=c>"],
    ["another order of attributes", "<p a=1 b=2>", "<p b=2 a=1>"],
    ["another tag", "<p><b>a</b>", "<p><i>a</i>"],
    ["an end tag", "<p>a<p>b", "<p>a</p><p>b"],
    ["an end tag of nothing", "<p>a", "<p>a</div>"],
    ["a form in a form", "<form><form a=1>", "<form><form a=2>"],
    ["a tag that closes itself", "<div>a", "<div/>a"],
    ["another doctype", "<!doctype html><p>a", "<!doctype html5><p>a"],
    ["no doctype", "<!doctype html><p>a", "<p>a"],
    ["a space between words", "<b>a</b><b>b</b>", "<b>a</b> <b>b</b>"],
    ["another script", "<script>a = 1</script>", "<script>a = 2</script>"],
    ["spaces in a script", "<script>a  = 1</script>", "<script>a = 1</script>"],
    ["a comment in a script", "<script>a /* <!-- x --> */</script>", "<script>a /* */</script>"],
    ["a comment in a style", "<style><!-- a --></style>", "<style><!-- b --></style>"],
    ["a comment in a text field", "<textarea><!-- a --></textarea>", "<textarea></textarea>"],
    ["a comment in a title", "<title>a <!-- a --></title>", "<title>a</title>"],
    ["a comment in a frame", "<iframe><!-- a --></iframe>", "<iframe></iframe>"],
    ["a comment that is shown as it is", "<xmp><!-- a --></xmp>", "<xmp></xmp>"],
    ["a comment for browsers without scripts", "<noscript><!-- a --></noscript>", "<noscript>"],
    ["a style in a drawing", "<svg><style><!--a--></style>", "<svg><style><!--b--></style>"],
    ["lines in preformatted text", "<pre>a\nb</pre>", "<pre>a b</pre>"],
    ["a comment before its first line", "<pre><!-- -->\na</pre>", "<pre>\na</pre>"],
    ["a server's include", '<!--#include file="a" -->', '<!--#include file="b" -->'],
    ["a condition", "<!--[if IE]><p>a<![endif]-->", "<!--[if IE]><p>b<![endif]-->"],
    ["the end of a condition", "a<!--<![endif]-->", "a"],
    ["a condition all browsers read", "<![if !IE]>a<![endif]>", "<![if IE]>a<![endif]>"],
    ["an edge cache's include", "<!--esi <p>a -->", "<!--esi <p>b -->"],
    ["a server's instruction", "<?php a ?>", "<?php b ?>"],
    ["a bogus comment", "</ a>", "</ b>"],
    ["one that looks like a tag", "a<!/p>", "a</p>"],
    ["preformatted text that another tag ends", "<i><pre></i> a", "<i><pre></i>a"],
    ["half an entity", "&am<!-- -->p;", "&amp;"],
    ["half a tag", "<<!-- -->b>", "<b>"],
    ["a script that hides its end", scriptHiding("a"), scriptHiding("b")],
  ])("%s", (_, one, other) => {
    expect(markup(other)).not.toBe(markup(one));
  });
});

test("an XHTML page has one too", () => {
  const page = (text: string) => markup(`<?xml version="1.0"?><html><br/>${text}</html>`, true);
  expect(page("a<!-- x -->")).toBe(page("a<!-- y -->"));
  expect(page("<![CDATA[<!-- x -->]]>")).not.toBe(page("<![CDATA[<!-- y -->]]>"));
});

test("it is kept: raise the scheme when this fails", () => {
  const html =
    '<!doctype html><title>A &amp; B</title><main class="x"> a <b>b</b>\n' +
    "<div><span>c</span> d</div><pre>\n c</pre>";
  expect(readPage(Buffer.from(html))).toMatchObject({
    title: "A & B",
    content: "1:54c20161c8d1b35d579b5f8f89f4848c",
    markup: "1:344341cb155e95114714ade52844b2e7",
  });
});

const NAMES = ["p", "b", "div", "pre", "span", "ul", "li", "table", "tr", "td", "svg", "section"];
const RAW = ["script", "style", "textarea", "title", "xmp", "iframe", "noscript", "noembed"];
const word = fc.constantFrom("a", "b c", " ", "\n", "&amp;", "&lt;", "\u00e9", "x  y", ";", "-->");
const attribute = fc.constantFrom("", "", " class=a", ' id="b c"', " hidden", " title='>'");
const token = fc.oneof(
  { weight: 3, arbitrary: word },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...NAMES), attribute).map(tag) },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES).map((name) => `</${name}>`) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...RAW), fc.constantFrom("", "a", "<!-- x -->", "a  b", "<b>"))
      .map(([name, text]) => `<${name}>${text}</${name}>`),
  },
);
const comment = fc
  .constantFrom("", " ", " built at 12:00 ", "x", " <b> ", " - ", " a > b ", "\n")
  .map((text) => `<!--${text}-->`);

/** A page as tokens, between any two of which a comment may stand. */
const tokens = fc.array(token, { maxLength: 25 });

describe("a random page", () => {
  test("is the same whatever plain comments stand between its tokens", () => {
    fc.assert(
      fc.property(
        tokens,
        fc.infiniteStream(fc.option(comment, { nil: "" })),
        fc.infiniteStream(fc.option(comment, { nil: "" })),
        (page, some, others) => {
          const withComments = (comments: Iterator<string>) =>
            page
              .map((one) => (/^<pre/.test(one) ? one : one + String(comments.next().value)))
              .join("");
          expect(markup(withComments(others))).toBe(markup(withComments(some)));
        },
      ),
      { numRuns: 500 },
    );
  });

  test("is another wherever a browser would see another one", () => {
    let same = 0;
    fc.assert(
      fc.property(tokens, edit, edit, (page, one, other) => {
        const first = one(page);
        const second = other(page);
        if (markup(first) !== markup(second)) return;
        if (first !== second) same += 1;
        expect(seen(second), `${first}\n${second}`).toEqual(seen(first));
      }),
      { numRuns: 3000 },
    );
    expect(same).toBeGreaterThan(50);
  });
});

/** What an author, a builder or chance may do to a page. */
const edit: fc.Arbitrary<(page: readonly string[]) => string> = fc
  .tuple(
    fc.nat(),
    fc.oneof(comment, word, token, fc.constantFrom("<", ">", "-", "!", "/", '"', "\r", "<!--", "")),
    fc.constantFrom("insert", "replace", "split"),
  )
  .map(([at, piece, how]) => (page) => {
    const position = page.length === 0 ? 0 : at % page.length;
    const was = page[position] ?? "";
    const cut = was.length === 0 ? 0 : at % was.length;
    const now = { insert: was + piece, replace: piece, split: cutIn(was, cut, piece) }[how];
    return page.map((one, index) => (index === position ? now : one)).join("");
  });

function cutIn(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

function tag([name, attributes]: readonly [string, string]): string {
  return `<${name}${attributes}>`;
}

function scriptHiding(text: string): string {
  return `<script><!--<script></script><!-- ${text} --></script>`;
}

const KEPT = new Set(["pre", "textarea", "script", "style", "xmp", "iframe", "noembed"]);

type Node = DefaultTreeAdapterTypes.Node;

/**
 * The page as another parser reads it: elements, attributes, texts; no comment, no collapsible space.
 * Space in `noscript` is collapsible: nothing shows it but browsers without scripts, as page text.
 */
function seen(html: string): unknown[] {
  return nodes(parse(html).childNodes, false);
}

function nodes(list: readonly Node[], isKept: boolean): unknown[] {
  const found: unknown[] = [];
  for (const node of list) {
    if (node.nodeName === "#comment") continue;
    if ("value" in node) {
      const text = isKept ? node.value : node.value.replace(/[ \t\n\f\r]+/g, "");
      const last = found.at(-1);
      if (typeof last === "string") found[found.length - 1] = last + text;
      else if (text !== "") found.push(text);
    } else if ("tagName" in node) {
      const inside = nodes(node.childNodes, isKept || KEPT.has(node.tagName));
      // A parser opens formatting again before any text, also before space that nobody sees.
      if (node.tagName === "b" && inside.length === 0) continue;
      found.push([node.tagName, node.attrs, inside]);
    } else found.push(node.nodeName);
  }
  return found;
}
