import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { inputsOf, removeInputs } from "./places.ts";
import { missing } from "./process.ts";
import { preparePrograms } from "./programs.ts";
import { ROWS } from "./rows/index.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: Object.keys(ROWS) },
    rounds: { type: "string", default: "5" },
    size: { type: "string", default: "1" },
    keep: { type: "boolean", default: false },
  },
});
const unknown = values.only.find((name) => !(name in ROWS));
if (unknown !== undefined) throw new Error(`No row ${unknown}; there are ${Object.keys(ROWS)}.`);

preparePrograms();
const failed = values.only.filter((name) => {
  process.stderr.write(`${name}\n`);
  const lacking = missing(ROWS[name] ?? []);
  if (lacking.length > 0) {
    process.stderr.write(`Left out: install ${lacking.join(", ")}.\n`);
    return false;
  }
  const isDone = runRow(name);
  if (!values.keep) removeInputs(name);
  return !isDone;
});
if (failed.length > 0) {
  process.stderr.write(`Not measured: ${failed.join(", ")}. The errors stand above.\n`);
  process.exitCode = 1;
}

/** In a process of its own: a row that fails does not end the others. It prints its figures itself. */
function runRow(name: string): boolean {
  const args = [join(import.meta.dirname, "row.ts"), name, values.rounds];
  const env = { ...process.env, BENCH_INPUTS: inputsOf(name), BENCH_SIZE: values.size };
  return spawnSync(process.execPath, args, { stdio: "inherit", env }).status === 0;
}
