import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { IMPORTS, ROOT } from "./imports.ts";

/** The folders of core that every run passes, in the order of the table of steps. */
const STEPS = readFileSync(join(ROOT, "docs/architecture.md"), "utf8")
  .split("\n")
  .flatMap((line) => /^\| `packages\/core\/src\/([a-z]+)\/` +\| .* → /.exec(line)?.[1] ?? []);

/** @returns -1 for a leaf, and for what calls the steps */
function stepOf(file: string): number {
  return STEPS.findIndex((step) => file.startsWith(`core/src/${step}/`));
}

test("a step imports only steps before it", () => {
  const known = new Set(IMPORTS.map(({ by }) => STEPS[stepOf(by)]));
  expect(STEPS.filter((step) => !known.has(step))).toEqual([]);
  const forward = IMPORTS.filter(({ by, file }) => {
    const [step, imported] = [stepOf(by), stepOf(file)];
    return step >= 0 && (imported < 0 || imported > step);
  });
  expect(forward.map(({ by, file }) => `${by} imports ${file}`)).toEqual([]);
});
