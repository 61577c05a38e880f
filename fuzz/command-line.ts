import { parseArgs } from "node:util";
import { READERS } from "./readers.ts";

export interface FuzzOptions {
  readonly readers: readonly string[];
  /** For each reader. */
  readonly minutes: number;
  readonly seed: number;
  readonly out: string;
}

const NAMES = Object.keys(READERS);

/** As many seeds are different: the state of the random numbers has 32 bits. */
const SEEDS = 2 ** 32;

/** Options that mean nothing. */
export class UsageError extends Error {}

export const HELP = `npm run fuzz -- [--reader NAME]... [--minutes NUMBER] [--seed NUMBER] [--out FOLDER]

Changes the inputs in fuzz/corpus at random, repeats each of their parts many times, and lets the readers
of strangers' bytes read them.
Inputs that run new code are kept, and changed again. An input is a fault where a reader throws an
error that is not one of the project's own, or takes more time or memory than fuzz/bounds.ts allows.
The exit code is 0 without faults, 1 with faults, 2 for wrong options.

  --reader NAME      which reader to test; repeat it for several. Default: all, one after another
${Object.entries(READERS)
  .map(([name, { reads }]) => `                     ${name.padEnd(5)} ${reads}\n`)
  .join(
    "",
  )}  --minutes NUMBER   time for each reader. Default: 1. With 0, the kept inputs are read, and no others
  --seed NUMBER      a whole number: the random numbers begin with it. Default: the time
  --out FOLDER       where inputs are written. Default: fuzz/out
                     FOLDER/faults/NAME: inputs that are faults, and what is wrong with each
                     FOLDER/grown/NAME: inputs that ran new code; the next run reads them, too
`;

/** @throws {UsageError} */
export function parseCommandLine(args: readonly string[], now: number): FuzzOptions | "help" {
  const { help, reader, minutes, seed, out } = valuesOf(args);
  if (help) return "help";
  const unknown = reader.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no reader '${unknown}'. There are: ${NAMES.join(", ")}.`);
  }
  return {
    readers: reader,
    minutes: numberOf("--minutes", minutes),
    seed: seed === undefined ? now % SEEDS : seedOf(seed),
    out,
  };
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        reader: { type: "string", multiple: true, default: NAMES },
        minutes: { type: "string", default: "1" },
        seed: { type: "string" },
        out: { type: "string", default: "fuzz/out" },
        help: { type: "boolean", default: false },
      },
    }).values;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    const [problem = ""] = error.message.split("\n");
    throw new UsageError(problem.replace(/\.?$/, "."));
  }
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && number >= 0) return number;
  throw new UsageError(`${option} is a number that is not negative. '${text}' is none.`);
}

function seedOf(text: string): number {
  const seed = numberOf("--seed", text);
  if (Number.isInteger(seed) && seed < SEEDS) return seed;
  throw new UsageError(`--seed is a whole number below ${SEEDS}. '${text}' is none.`);
}
