import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const BOUND = join(import.meta.dirname, "../src/heap-growth.ts");

/** Prints the MiB of the young generation: after much work while it is bounded, and after as much again. */
const PROGRAM = `
import { getHeapSpaceStatistics } from "node:v8";
import { boundHeapGrowth } from ${JSON.stringify(BOUND)};
const size = () => getHeapSpaceStatistics().find((one) => one.space_name === "new_space").space_size / 2 ** 20;
const work = () => {
  for (let round = 0; round < 200; round++) Array.from({ length: 20_000 }, (_, at) => ({ at, text: "x" + at }));
};
const bound = boundHeapGrowth();
work();
const bounded = size();
bound[Symbol.dispose]();
work();
console.log(JSON.stringify({ bounded, after: size() }));
`;

test("V8's young generation does not grow during a run, and does afterwards", () => {
  const args = ["--input-type=module", "--no-warnings", "--eval", PROGRAM];
  const { bounded, after } = JSON.parse(execFileSync(process.execPath, args).toString());
  expect(bounded).toBeLessThanOrEqual(4);
  expect(after).toBeGreaterThanOrEqual(4 * bounded);
});
