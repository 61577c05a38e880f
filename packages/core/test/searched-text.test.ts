import fc from "fast-check";
import { expect, test } from "vitest";
import { SearchedText } from "../src/news/echoes.ts";

test("what a text has is found, and nothing else", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", " ", "苔", "é"), maxLength: 40 });
  fc.assert(
    fc.property(letters, letters, fc.nat(40), fc.nat(40), (text, other, from, length) => {
      const searched = new SearchedText(text);
      for (const part of [text.slice(from, from + length), other]) {
        expect(searched.includes(part)).toBe(text.includes(part));
      }
    }),
  );
});
