import { printable } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import { columnsOf, cutTo, padTo, wrap } from "../src/report/columns.ts";

test.each([
  ["", 0],
  ["moss", 4],
  ["e\u0301te\u0301", 3],
  ["小さな窓", 8],
  ["🌱 moss", 7],
  ["👩\u200D🌾", 2],
])("%j takes %i columns", (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

test.each([
  ["moss", 4, "moss"],
  ["mosses", 4, "mos…"],
  ["a wall", 3, "a…"],
  ["小さな窓", 5, "小さ…"],
])("%j cut to %i columns", (text, columns, cut) => {
  expect(cutTo(columns, text)).toBe(cut);
});

test("text is filled up by columns", () => {
  expect(padTo(6, "窓")).toBe("窓    ");
  expect(padTo(1, "moss")).toBe("moss");
});

test("control characters are spaces", () => {
  expect(printable("a\u001b[2Jb\r\nc")).toBe("a [2Jb c");
});

describe("a paragraph", () => {
  test("is broken between words", () => {
    expect(wrap("one two three four", 9)).toBe("one two\nthree\nfour");
  });

  test("keeps a word that is too long", () => {
    expect(wrap("see https://example.org/ now", 8)).toBe("see\nhttps://example.org/\nnow");
  });

  test("is indented", () => {
    expect(wrap("one two three", 9, "  ")).toBe("  one two\n  three");
  });

  test("stays one line in a pipe", () => {
    expect(wrap("one two three", Number.POSITIVE_INFINITY)).toBe("one two three");
  });
});
