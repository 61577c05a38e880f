import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLUGINS, withOptions } from "../scripts/plugin-options.ts";
import { architecture, withExample } from "../scripts/worked-example.ts";

const ROOT = join(import.meta.dirname, "..");
const READMES = globSync("packages/*/README.md", { cwd: ROOT });

test.each(PLUGINS)(
  "options in $readme are the schema's: node scripts/plugin-options.ts writes them",
  ({ readme, schema }) => {
    const text = readFileSync(readme, "utf8");
    expect(text).toBe(withOptions(text, schema));
  },
);

test("a link in a package's README leads somewhere on npm too, which has no other folder", () => {
  expect(READMES.length).toBeGreaterThan(6);
  for (const readme of READMES) {
    const text = readFileSync(join(ROOT, readme), "utf8");
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !/^(?:https:\/\/|#)/.test(target))).toEqual([]);
  }
});

test("every path that docs/architecture.md names exists", () => {
  const text = architecture();
  const paths = [
    ...text.matchAll(/`(packages\/[\w./-]+|(?:docs|examples|scripts|test)\/[\w./-]+)`/g),
  ];
  const named = [...new Set(paths.map(([, path = ""]) => path))];
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the example in docs/architecture.md is what three runs write: node scripts/worked-example.ts", async () => {
  expect(await withExample(architecture())).toBe(architecture());
});
