import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { archiveCount, archiveOf, archiveRange, ENTRIES_PER_DOCUMENT } from "../src/archives.ts";

const entries = fc.oneof(fc.nat(400), fc.nat(20_000));

describe("the archives of a feed", () => {
  test.each([
    [1, { first: 1, last: 50 }],
    [2, { first: 51, last: 100 }],
    [3, undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [Number.NaN, undefined],
  ])("with 120 entries: archive %d is %o", (number, range) => {
    expect(archiveRange(number, 120)).toEqual(range);
  });

  test("hold each entry once, but for the newest, which fill none", () => {
    fc.assert(
      fc.property(entries, (count) => {
        const met: number[] = [];
        for (let archive = 1; archive <= archiveCount(count); archive += 1) {
          const { first, last } = archiveRange(archive, count) ?? { first: 1, last: 0 };
          for (let number = first; number <= last; number += 1) {
            met.push(number);
            expect(archiveOf(number)).toBe(archive);
          }
        }
        expect(met).toEqual(Array.from({ length: met.length }, (_, at) => at + 1));
        expect(count - met.length).toBeLessThan(ENTRIES_PER_DOCUMENT);
      }),
      { numRuns: 30 },
    );
  });

  test("stay as they are when there is more", () => {
    fc.assert(
      fc.property(entries, fc.nat(500), (count, more) => {
        for (let archive = 1; archive <= archiveCount(count); archive += 1) {
          expect(archiveRange(archive, count + more)).toEqual(archiveRange(archive, count));
        }
      }),
    );
  });
});
