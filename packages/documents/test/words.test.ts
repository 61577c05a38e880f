import { expect, test } from "vitest";
import { printable, printableJson, printableLines } from "../src/words.ts";

const ALL = Array.from({ length: 0x110000 }, (_, at) => at)
  .filter((at) => at < 0xd800 || at > 0xdfff)
  .map((at) => String.fromCodePoint(at));
const CONTROLS = ALL.filter((one) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(one));
/** Joiners, and signs of Arabic and Syriac numbers and verses, which are seen. */
const SEEN = [..."\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"];
const UNSEEN = CONTROLS.filter((one) => !SEEN.includes(one));

test("no control, seen or not, is printed; everything else is", () => {
  expect(UNSEEN.length).toBeGreaterThan(190);
  expect(UNSEEN.filter((one) => printable(`a${one}${one}b`) !== "a b")).toEqual([]);
  const rest = ALL.filter((one) => !UNSEEN.includes(one)).join("");
  expect(printable(rest)).toBe(rest);
  expect(printableLines("a\u202e\nb\u009b")).toBe("a \nb ");
});

test("JSON loses nothing of it", () => {
  const value = { text: ALL.join(""), more: ["a\nb"] };
  const json = printableJson(value);
  expect(UNSEEN.filter((one) => one !== "\n" && json.includes(one))).toEqual([]);
  expect(JSON.parse(json)).toEqual(value);
  expect(json).toContain("\n  ");
});
