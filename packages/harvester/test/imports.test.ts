import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "../src");
const IMPORT = /^(?:import|export) (?:type )?[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/** The files that each file imports, be it for their types alone. */
const IMPORTED: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => {
      const text = readFileSync(join(SOURCE, file), "utf8");
      const targets = [...text.matchAll(IMPORT)].map(([, named, lazy]) => named ?? lazy ?? "");
      return [file, targets.map((target) => relative(SOURCE, join(SOURCE, dirname(file), target)))];
    }),
);

/** All files that a file leads to. */
function reached(file: string, known = new Set<string>()): Set<string> {
  for (const target of IMPORTED.get(file) ?? []) {
    if (known.has(target)) continue;
    known.add(target);
    reached(target, known);
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

test("a check knows how sites without a Change List are followed by the port alone", () => {
  const leaf = (file: string) => file.startsWith("readers/sitemap/");
  const broken = [...IMPORTED].filter(([file, all]) => !leaf(file) && all.some(leaf));
  expect(broken.map(([file]) => file)).toEqual(["readers/index.ts"]);
});
