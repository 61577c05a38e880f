import { expect, test } from "vitest";
import { FAULTS, tryMutations } from "./mutations.run.ts";

test("of the faults that one edit makes of the specifications' examples, 99 % are found", () => {
  const faults = tryMutations().filter(({ legal }) => legal === undefined);
  const missed = faults.filter(({ isFound }) => !isFound);
  expect({ all: faults.length, missed: missed.length }).toEqual(FAULTS);
  expect(1 - missed.length / faults.length).toBeGreaterThan(0.99);
  // A media type that nobody registered is not told from one that somebody did.
  const kinds = missed.map(({ mutation: { edit, attribute } }) => `${edit} ${attribute}`);
  expect(new Set(kinds)).toEqual(new Set(["misspell value type"]));
});
