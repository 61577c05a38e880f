import { expect, test } from "vitest";
import { IMPORTS } from "./imports.ts";

/**
 * A leaf is a feature that could be deleted without touching the others. The number is how many files outside may
 * break if its folder were moved away. Raise none.
 */
const LEAVES: Readonly<Record<string, number>> = {
  // The bundle of core has a door for the command's backfill: @rs-emit/core/backfill.
  "core/src/backfill": 0,
  "core/src/compare": 1,
  "core/src/dump": 2,
  "core/src/sitemap": 2,
  "cli/src/backfill": 1,
  "cli/src/check": 1,
  "cli/src/init": 1,
  "cli/src/log": 1,
  "cli/src/neocities": 1,
  "cli/src/notify": 1,
  "harvester/src/sync": 1,
  "harvester/src/serve/web": 1,
  "harvester/src/serve/websub": 3,
  "harvester/src/readers/sitemap": 1,
};

test.each(Object.entries(LEAVES))("%s can be deleted", (leaf, most) => {
  const within = `${leaf}/`;
  expect(IMPORTS.filter(({ by }) => by.startsWith(within))).not.toEqual([]);
  const entering = IMPORTS.filter(
    ({ by, file }) => file.startsWith(within) && !by.startsWith(within),
  );
  // A leaf has one door.
  expect(entering.filter(({ file }) => file !== `${within}index.ts`)).toEqual([]);
  const breaking = [...new Set(entering.map(({ by }) => by))];
  expect(breaking.length, breaking.join("\n")).toBeLessThanOrEqual(most);
});
