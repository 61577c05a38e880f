import { describe, expect, test } from "vitest";
import { documentOf, element } from "../src/xml.ts";

describe("a document", () => {
  test.each([
    [
      "indents elements",
      element("a", {}, [element("b"), element("c")]),
      "<a>\n  <b/>\n  <c/>\n</a>",
    ],
    [
      "adds no blanks beside text, however deep",
      element("p", {}, ["a ", element("b", {}, [element("i", {}, ["c"]), element("br")])]),
      "<p>a <b><i>c</i><br/></b></p>",
    ],
    [
      "leaves out what is not there",
      element("a", { b: undefined, c: "" }, [undefined]),
      '<a c=""/>',
    ],
    [
      "has texts that look like references",
      element("a", { b: '"&lt;' }, ["&amp; < ]]>"]),
      '<a b="&quot;&amp;lt;">&amp;amp; &lt; ]]&gt;</a>',
    ],
    [
      "shows what XML cannot hold",
      element("a", { b: "\u0000" }, ["\ud800 \uffff 🪴"]),
      '<a b="\ufffd">\ufffd \ufffd 🪴</a>',
    ],
  ])("%s", (_, root, xml) => {
    expect(documentOf(root)).toBe(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`);
  });
});
