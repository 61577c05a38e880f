import { readLocated } from "@rs-emit/documents";
import { expect, test } from "vitest";
import { judgeDocument } from "../src/rules/index.ts";

const ROOT =
  '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const MD = '<rs:md capability="resourcelist" at="2026-10-01T06:00:00Z"/>';
const UP = '<rs:ln rel="up" href="https://moss.example/capabilitylist.xml"/>';
const LOC = "<loc>https://moss.example/fern.html</loc>";
const URL_ELEMENT = `<url>${LOC}</url>`;

/** Each rule on the form of documents; a document in lines, and where the rule is broken. */
const CASES: readonly (readonly [string, readonly string[], string])[] = [
  ["element-known", [`${ROOT}>`, MD, UP, "<URL>", LOC, "</URL>"], "line 4, URL"],
  ["element-known", [`${ROOT}>`, MD, UP, `<url>${LOC}`, "<rs:mb/></url>"], "line 5, entry 1, mb"],
  [
    "element-known",
    [`${ROOT}>`, MD, UP, `<url>${LOC}<lastMod/></url>`],
    "line 4, entry 1, lastMod",
  ],
  ["element-known", [`${ROOT}>`, MD, UP, "<loc>x</loc>", URL_ELEMENT], "line 4, loc"],
  ["element-known", [`${ROOT}>`, MD, UP, `<url xmlns="">${LOC}</url>`], "line 4, url"],
  [
    "element-known",
    [`${ROOT}>`, MD, `<rs:ln rel="up" href="a:b">${URL_ELEMENT}</rs:ln>`],
    "line 3, url",
  ],
  ["element-once", [`${ROOT}>`, MD, UP, MD, URL_ELEMENT], "line 4, rs:md"],
  [
    "element-once",
    [`${ROOT}>`, MD, UP, `<url>${LOC}<rs:md length="1"/>`, '<rs:md length="2"/></url>'],
    "line 5, entry 1, rs:md",
  ],
  ["element-order", [`${ROOT}>`, MD, URL_ELEMENT, UP], "line 4, rs:ln"],
  [
    "element-order",
    [
      `${ROOT}>`,
      MD,
      UP,
      URL_ELEMENT,
      `<url><rs:md length="1"/>${LOC.replace("fern", "ivy")}</url>`,
    ],
    "line 5, entry 2, loc",
  ],
  ["element-bare", [`${ROOT} version="1">`, MD, UP, URL_ELEMENT], "line 1, urlset@version"],
  ["element-bare", [`${ROOT}>`, MD, UP, `<url id="1">${LOC}</url>`], "line 4, entry 1, url@id"],
  [
    "element-bare",
    [`${ROOT}>`, MD, UP, `<url>${LOC.replace(">", ' rs:change="updated">')}</url>`],
    "line 4, entry 1, loc@change",
  ],
  [
    "attribute-known",
    [`${ROOT}>`, MD.replace("/>", ' size="1"/>'), UP, URL_ELEMENT],
    "line 2, rs:md@size",
  ],
  [
    "attribute-known",
    [`${ROOT}>`, MD, UP.replace("/>", ' title="Up"/>'), URL_ELEMENT],
    "line 3, rs:ln@title",
  ],
  ["text-place", [`${ROOT}>`, MD, UP, "and", URL_ELEMENT], "line 5, urlset"],
];

test.each(CASES)("%s is found: %#", (rule, lines, where) => {
  const { document } = readLocated([...lines, "</urlset>"].join("\n"));
  const found = judgeDocument(document).map((one) => [one.rule, one.where]);
  expect(found).toContainEqual([rule, where]);
  expect(found.filter(([one]) => one !== "capability")).toHaveLength(1);
});

test("elements and attributes of other namespaces are legal", () => {
  const text = [
    `${ROOT} xmlns:a="urn:a" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">`,
    MD.replace("/>", ' a:b="c"/>'),
    `${UP}<a:b c="d">text<a:url/><loc/></a:b>`,
    `<url>${LOC}<lastmod>2026-10-01T06:00:00Z</lastmod><a:b>text</a:b><rs:ln rel="a" href="b:c"/><rs:md a:b="c"/></url>`,
    "<!-- text --></urlset>",
  ].join("\n");
  const { document } = readLocated(text);
  expect(document.passedOver).toEqual([]);
});
