import { expect, test } from "vitest";
import { IMPORTS } from "../../../test/imports.ts";

const IMPORTED = Map.groupBy(
  IMPORTS.filter(({ by }) => by.startsWith("harvester/")),
  ({ by }) => by,
);

/** All files that a file leads to. */
function reached(from: string, known = new Set<string>()): Set<string> {
  for (const { file } of IMPORTED.get(from) ?? []) {
    if (known.has(file)) continue;
    known.add(file);
    reached(file, known);
  }
  return known;
}

test("no circle of imports has more than two files, those for types counted", () => {
  const reach = new Map([...IMPORTED.keys()].map((file) => [file, reached(file)]));
  const circles = [...reach].map(([file, all]) =>
    [...all].filter((other) => reach.get(other)?.has(file)).sort(),
  );
  expect(circles.filter((files) => files.length > 2)).toEqual([]);
});
