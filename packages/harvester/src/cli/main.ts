import { inspect, styleText } from "node:util";
import { HarvestError } from "../errors.ts";
import type { Arguments } from "./arguments.ts";
import { parseArguments } from "./command-line.ts";
import { EXIT, exitCodeOf } from "./errors.ts";
import type { Streams } from "./streams.ts";

/** Returns the exit status: 0 success, 1 a site could not be read, 2 wrong usage. */
export async function main(args: readonly string[], streams: Streams = process): Promise<number> {
  try {
    const parsed = parseArguments(args, streams);
    return parsed === undefined ? EXIT.done : await run(parsed, streams);
  } catch (error) {
    explain(error, args, streams);
    return exitCodeOf(error);
  }
}

// Lazy: help and usage errors do not load the database.
async function run(parsed: Arguments, streams: Streams): Promise<number> {
  if (parsed.command === "serve") {
    const { serve } = await import("./serve.ts");
    return serve(parsed, streams);
  }
  if (parsed.command === "sync") {
    const { syncSite } = await import("./sync.ts");
    return syncSite(parsed, streams);
  }
  if (parsed.command === "check") {
    const { checkPublication } = await import("./check.ts");
    return checkPublication(parsed, streams);
  }
  if (parsed.command === "import" || parsed.command === "export") {
    const { exportSources, importSources } = await import("./sources.ts");
    return parsed.command === "import"
      ? importSources(parsed, streams)
      : exportSources(parsed, streams);
  }
  const { harvest } = await import("./harvest.ts");
  return harvest(parsed, streams);
}

/** Shows an error; for a bug, with its stack. */
function explain(error: unknown, args: readonly string[], { stdout, stderr }: Streams): void {
  const isExpected = error instanceof HarvestError;
  const message = isExpected
    ? error.message
    : `This is a fault of the program, please report it: ${inspect(error)}`;
  if (args.includes("--json")) {
    const code = isExpected ? error.code : "UNEXPECTED";
    stdout.write(`${JSON.stringify({ error: { code, message } })}\n`);
  } else {
    stderr.write(`${styleText("red", "rs-harvest:", { stream: stderr })} ${message}\n`);
  }
}
