import fc from "fast-check";
import { expect, test } from "vitest";
import {
  attributeToSiblings,
  byAge,
  type DatedCollection,
  siblingsToAttribute,
} from "../src/model/collections.ts";

const SITE = "https://example.org/";
const DAY = 86_400;

const name = fc.constantFrom("a", "shrine", "%C3%A9t%C3%A9", "2026-10-05T12:00:00Z", "x&y", "...");
const path = fc
  .array(name, { maxLength: 3 })
  .map((names) => names.map((one) => `${one}/`).join(""));
const collections = fc.uniqueArray(
  fc.record({
    url: path.map((one) => SITE + one),
    since: fc.integer({ min: 20_000, max: 20_003 }).map((day) => day * DAY),
  }),
  { selector: ({ url }) => url },
);

test("siblings are read as they were written, in whatever order they were given", () => {
  fc.assert(
    fc.property(collections, (siblings) => {
      const value = siblingsToAttribute(SITE, siblings);
      expect(siblingsToAttribute(SITE, siblings.toReversed())).toBe(value);
      const read = attributeToSiblings(value)?.map(
        ({ path, since }): DatedCollection => ({ url: SITE + path, since }),
      );
      expect(read).toEqual(siblings.toSorted(byAge));
    }),
  );
});

test("siblings of one publication take little more than their paths", () => {
  const siblings = Array.from({ length: 1000 }, (_, number) => `${SITE}~${number}/`);
  const value = siblingsToAttribute(
    SITE,
    siblings.map((url) => ({ url, since: 20_000 * DAY })),
  );
  const paths = siblings.reduce((sum, url) => sum + url.length - SITE.length + 1, 0);
  expect(value.length).toBe(paths + "2024-10-04T00:00:00Z".length);
});
