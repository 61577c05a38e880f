import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");

/** Where generated inputs stand, a folder for each row; nothing in it is ever committed. */
const ALL_INPUTS = join(ROOT, ".tmp/bench");

/** The folder of the row that this process measures. */
export const INPUTS = process.env.BENCH_INPUTS ?? ALL_INPUTS;

export function inputsOf(row: string): string {
  return join(ALL_INPUTS, row);
}

/** Where the measured programs stand, as deep as their sources: relative imports hold. */
export const PROGRAMS = join(ROOT, ".tmp/bench-programs");

/** A folder of input, made once; a making that was cut short starts over. */
export async function generated(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const folder = join(INPUTS, name);
  const done = `${folder}.done`;
  if (existsSync(done)) return folder;
  process.stderr.write(`making ${name} ...\n`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await make(folder);
  writeFileSync(done, "");
  return folder;
}

export function removeInputs(row: string): void {
  rmSync(inputsOf(row), { recursive: true, force: true });
}

const SIZE = Number(process.env.BENCH_SIZE ?? 1);

/** Whether rows are only tried out, with small inputs: what they take says nothing. */
export const IS_TRIAL = SIZE < 1;

/**
 * A size of an input: less in a trial.
 *
 * @param least what the row needs to work at all
 */
export function sized(count: number, least = 1): number {
  return Math.max(Math.ceil(count * SIZE), least);
}
