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

/** Who may enter which part of the store: what is asked of it there, others need not know. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  check: ["check/", "readers/", "serve/worker/", "cli/check-all.ts"],
  following: ["cli/", "serve/", "check/", "store/pages/"],
  pages: ["cli/", "serve/", "store/feed.ts"],
};

test.each(Object.entries(DOORS))("store/%s is entered by those who use it alone", (part, users) => {
  const within = `harvester/src/store/${part}/`;
  const others = IMPORTS.filter(
    ({ by, file }) => file.startsWith(within) && !by.startsWith(within),
  );
  expect(others).not.toEqual([]);
  const isUser = ({ by }: { readonly by: string }) =>
    users.some((user) => by.startsWith(`harvester/src/${user}`));
  expect(others.filter((one) => !isUser(one))).toEqual([]);
});
