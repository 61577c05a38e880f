import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { sample } from "./thorough.ts";

const DEMO = resolve(import.meta.dirname, "../scripts/demo.ts");

function headlinesOf(example: string) {
  const args = [DEMO, example];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.match(
    /(?:First publication:|\d+ (?:minor )?changes?,|Nothing changed).*$|^1 site is followed by its change log\. \d+ files/gm,
  );
}

/** What the author of each example is told. */
const LIVES: readonly (readonly [example: string, ...headlines: readonly string[]])[] = [
  [
    "handmade",
    "First publication: the change log of https://handmade.example/ is written.",
    "2 changes, published 5 October 2026, 18:30 UTC.",
    "5 changes, 4 of them minor, published 19 October 2026, 07:45 UTC.",
    "7 changes, 3 of them minor, published 8 November 2026, 10:15 UTC.",
    "Nothing changed since 8 November 2026, 10:15 UTC.",
    "1 site is followed by its change log. 6 files",
  ],
  [
    "astro",
    "First publication: the change log of https://gallery.example/ is written.",
    "3 changes, 1 of them minor, published 11 October 2026, 16:20 UTC.",
    "2 changes, published 18 October 2026, 18:00 UTC.",
    "9 minor changes, published 1 November 2026, 17:30 UTC.",
    "8 changes, 4 of them minor, published 15 November 2026, 15:45 UTC.",
    "Nothing changed since 15 November 2026, 15:45 UTC.",
    "1 site is followed by its change log. 4 files",
  ],
  [
    "eleventy",
    "First publication: the change log of https://garden.example/ is written. 8 of 8 commits built.",
    "4 changes, 1 of them minor, published 4 October 2026, 18:30 UTC.",
    "4 changes, published 18 October 2026, 17:45 UTC.",
    "12 minor changes, published 25 October 2026, 18:10 UTC.",
    "5 changes, published 8 November 2026, 19:20 UTC.",
    "Nothing changed since 8 November 2026, 19:20 UTC.",
    "1 site is followed by its change log. 4 files",
  ],
];

test.each(sample(LIVES, 1))(
  "examples/%s is published several times, and a last run finds nothing",
  (example, ...headlines) => {
    expect(headlinesOf(example)).toEqual(headlines);
  },
);
