import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  archiveCount,
  archiveRange,
  type DocumentRange,
  ENTRIES_PER_DOCUMENT,
  subscriptionRange,
} from "../src/archives.ts";

const entries = fc.oneof(fc.nat(400), fc.nat(20_000));

/** The documents a reader meets who goes from the feed to the archives before it. */
function walk(count: number): DocumentRange[] {
  const documents = [subscriptionRange(count)];
  for (let at = documents[0]?.previous; at !== undefined; at = documents.at(-1)?.previous) {
    const archive = archiveRange(at, count);
    if (archive === undefined) throw new Error(`there is no archive ${at}`);
    documents.push(archive);
  }
  return documents;
}

describe("the documents of a feed", () => {
  test.each([
    [0, 1, 0, undefined],
    [1, 1, 1, undefined],
    [49, 1, 49, undefined],
    [50, 1, 50, 1],
    [51, 2, 51, 1],
    [99, 50, 99, 1],
    [100, 51, 100, 2],
    [120, 71, 120, 2],
  ])(
    "with %i entries: the feed holds %i to %i, before it is archive %s",
    (count, first, last, previous) => {
      expect(subscriptionRange(count)).toEqual({ first, last, previous, next: undefined });
    },
  );

  test.each([
    [1, { first: 1, last: 50, previous: undefined, next: 2 }],
    [2, { first: 51, last: 100, previous: 1, next: undefined }],
    [3, undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
  ])("with 120 entries: archive %d is %o", (number, range) => {
    expect(archiveRange(number, 120)).toEqual(range);
  });

  test("hold each entry: none is out of reach from the feed", () => {
    fc.assert(
      fc.property(entries, (count) => {
        const met = new Set<number>();
        for (const { first, last } of walk(count)) {
          for (let number = first; number <= last; number += 1) met.add(number);
        }
        expect(met.size).toBe(count);
        expect(Math.max(0, ...met)).toBe(count);
        expect(Math.min(1, ...met)).toBe(1);
      }),
    );
  });

  test("are never long", () => {
    fc.assert(
      fc.property(entries, (count) => {
        for (const { first, last } of walk(count)) {
          expect(last - first + 1).toBeLessThanOrEqual(ENTRIES_PER_DOCUMENT);
        }
      }),
    );
  });

  test("stay as they are once they are archives, but for the link to a next one", () => {
    fc.assert(
      fc.property(entries, fc.nat(500), (count, more) => {
        for (let number = 1; number <= archiveCount(count); number += 1) {
          const { next: _, ...before } = archiveRange(number, count) ?? {};
          const { next: __, ...after } = archiveRange(number, count + more) ?? {};
          expect(after).toEqual(before);
        }
      }),
    );
  });

  test("lead forward again to where one came from", () => {
    fc.assert(
      fc.property(entries, (count) => {
        const archives = walk(count).slice(1).toReversed();
        expect(archives).toHaveLength(archiveCount(count));
        for (const [index, { next }] of archives.entries()) {
          expect(next).toBe(index + 1 < archives.length ? index + 2 : undefined);
        }
      }),
    );
  });
});
