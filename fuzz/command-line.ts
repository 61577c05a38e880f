import { parseArgs } from "node:util";
import { READERS } from "./readers.ts";

export interface FuzzOptions {
  readonly readers: readonly string[];
  /** For each reader. */
  readonly minutes: number;
  readonly seed: number;
  readonly out: string;
}

/** Options that mean nothing. */
export class UsageError extends Error {}

export const HELP = `npm run fuzz -- [--reader NAME]... [--minutes NUMBER] [--seed NUMBER] [--out FOLDER]

Makes inputs from the kept ones in fuzz/corpus, lets the readers read them, and goes on from those
that run new code. Ends with 1 where an input breaks a bound (fuzz/bounds.ts): it throws what is no
error of the project, or takes too much time or memory.

  --reader NAME      one reader; may be given several times. All of them one after another without it:
${Object.entries(READERS)
  .map(([name, { reads }]) => `                     ${name.padEnd(5)} ${reads}\n`)
  .join(
    "",
  )}  --minutes NUMBER   for each reader; 1 without it. 0 reads what is kept, and makes nothing new
  --seed NUMBER      the same seed makes the same inputs; without it, the time is one
  --out FOLDER       where inputs are written: those that break a bound into FOLDER/faults/NAME, those that
                     run new code into FOLDER/grown/NAME, from where the next run goes on; without it fuzz/out
`;

/** @throws {UsageError} */
export function parseCommandLine(args: readonly string[], now: number): FuzzOptions | "help" {
  const { help, reader, minutes, seed, out } = valuesOf(args);
  if (help) return "help";
  const unknown = reader.find((name) => !(name in READERS));
  if (unknown !== undefined) {
    throw new UsageError(`There is no reader ${unknown}, but ${Object.keys(READERS).join(", ")}.`);
  }
  return {
    readers: reader,
    minutes: numberOf("--minutes", minutes),
    seed: seed === undefined ? now % 2 ** 31 : numberOf("--seed", seed),
    out,
  };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        reader: { type: "string", multiple: true, default: Object.keys(READERS) },
        minutes: { type: "string", default: "1" },
        seed: { type: "string" },
        out: { type: "string", default: "fuzz/out" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message);
  }
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new UsageError(`${option} is a number from 0 on, not ${text}.`);
}
