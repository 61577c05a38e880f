import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { missing } from "../bench/process.ts";
import { preparePrograms } from "../bench/programs.ts";
import { ROWS } from "../bench/rows/index.ts";

const PROGRAM = resolve(import.meta.dirname, "../bench/row.ts");
/** Below the ports that systems give to clients. Servers of a row have this one, and some behind it. */
const PORT = String(20_000 + (process.pid % 500) * 20);

const inputs = mkdtempSync(join(tmpdir(), "rs-emit-bench-"));
beforeAll(preparePrograms);
afterAll(() => rmSync(inputs, { recursive: true, force: true }));

// As small as a row can be: whether it still runs, not what it takes.
test.for(Object.entries(ROWS))("the row %s measures something", async ([name, needs], { skip }) => {
  const lacking = missing(needs);
  skip(lacking.length > 0, `without ${lacking.join(", ")}`);
  skip(
    needs.includes("psql") && process.env.RS_HARVEST_TEST_DATABASE === undefined,
    "without a server",
  );
  const env = { BENCH_INPUTS: join(inputs, name), BENCH_SIZE: "0.0001", BENCH_PORT: PORT };
  const run = promisify(execFile)(process.execPath, [PROGRAM, name, "1"], {
    env: { ...process.env, ...env },
  });
  const lines = (await run).stdout.split("\n").filter((line) => line.startsWith("| "));
  expect(lines.length).toBeGreaterThan(1); // the first is the head
});
