import { inspect, styleText } from "node:util";
import { printableJson, printableLines } from "@rs-emit/documents";
import { HarvestError } from "@rs-emit/reader";
import { databaseErrorOf } from "../store/errors.ts";
import { runCommand } from "./command-line.ts";
import { EXIT } from "./errors.ts";
import type { OutputStreams } from "./terminal.ts";

/** Returns the exit status: 0 success, 1 a site could not be read, 2 wrong usage. */
export async function main(
  args: readonly string[],
  streams: OutputStreams = process,
): Promise<number> {
  try {
    return await runCommand(args, streams);
  } catch (error) {
    explain(error, args, streams);
    return error instanceof HarvestError ? error.exitStatus : EXIT.failed;
  }
}

/** Shows an error; for a bug, with its stack. */
function explain(
  thrown: unknown,
  args: readonly string[],
  { stdout, stderr }: OutputStreams,
): void {
  const error = databaseErrorOf(thrown) ?? thrown;
  const isExpected = error instanceof HarvestError;
  const message = isExpected
    ? error.message
    : `This is a fault of the program, please report it: ${printableLines(inspect(error))}`;
  if (args.includes("--json")) {
    const code = isExpected ? error.code : "UNEXPECTED";
    stdout.write(`${printableJson({ error: { code, message } }, 0)}\n`);
  } else {
    stderr.write(`${styleText("red", "rs-harvest:", { stream: stderr })} ${message}\n`);
  }
}
