import fc from "fast-check";
import { expect, test } from "vitest";
import { orderedTimes } from "../../../test/history/commit-times.ts";
import { timesInOrder } from "../src/history/commit-clock.ts";

const PRESENT = 1000;

/** The times of commits, oldest first, and when they count as made. */
const CASES: Readonly<Record<string, readonly [readonly number[], readonly number[]]>> = {
  "in order": [
    [10, 20, 20, 30],
    [10, 20, 20, 30],
  ],
  "one from the future moves no other": [
    [10, 20, 9000, 30, 40],
    [10, 20, 20, 30, 40],
  ],
  "two from the future, and one after them": [
    [10, 9000, 9001, 30],
    [10, 10, 10, 30],
  ],
  "the newest from the future": [
    [10, 20, 9000, 9001],
    [10, 20, 1000, 1000],
  ],
  "one that is too late moves no other": [
    [10, 900, 20, 30],
    [10, 10, 20, 30],
  ],
  "one that is too late, and one after it": [
    [10, 900, 20],
    [10, 10, 20],
  ],
  "one that is too early moves no other": [
    [100, 110, 0, 120],
    [100, 110, 110, 120],
  ],
  "the second is too early": [
    [100, 0, 120],
    [100, 100, 120],
  ],
  "the newest is too early": [
    [100, 110, 0],
    [100, 110, 110],
  ],
  "the first ones are too late": [
    [900, 9000, 100, 110],
    [98, 99, 100, 110],
  ],
  "all from the future": [
    [9000, 8000],
    [1000, 1000],
  ],
  "the newest ones go back behind one from the future": [
    [10, 20, 9000, 5],
    [10, 20, 1000, 1000],
  ],
};

test.each(Object.entries(CASES))("%s", (_, [times, expected]) => {
  expect(timesInOrder(times, PRESENT)).toEqual(expected);
  expect(orderedTimes(times, PRESENT)).toEqual(expected);
});

test("times never go back, and those in order stay", () => {
  const time = fc.oneof(fc.nat(12), fc.constantFrom(PRESENT, 2 * PRESENT));
  fc.assert(
    fc.property(fc.array(time, { maxLength: 14, size: "max" }), (times) => {
      const ordered = timesInOrder(times, PRESENT);
      expect(ordered).toEqual(orderedTimes(times, PRESENT));
      expect(ordered.toSorted((one, other) => one - other)).toEqual(ordered);
      const sorted = times.toSorted((one, other) => one - other);
      if (times.every((one, at) => one === sorted[at] && one <= PRESENT)) {
        expect(ordered).toEqual(times);
      }
    }),
    { numRuns: 2000 },
  );
});
