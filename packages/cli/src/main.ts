import { type Arguments, parseArguments } from "./arguments.ts";
import { type CommandError, EXIT, toCommandError } from "./errors.ts";
import { lookOf, type Streams } from "./terminal.ts";

/**
 * The command `rs-emit`.
 *
 * @returns the exit code: 0 published or nothing to do, 1 failed, 2 wrong usage
 */
export async function main(args: readonly string[], streams: Streams = process): Promise<number> {
  try {
    if (args[0] === "backfill") {
      const { runBackfill } = await import("./backfill/command.ts");
      return await runBackfill(args.slice(1), streams);
    }
    if (args[0] === "check") {
      const { runCheck } = await import("./check/command.ts");
      return await runCheck(args.slice(1), streams);
    }
    if (args[0] === "neocities") {
      const { runNeocities } = await import("./neocities/command.ts");
      return await runNeocities(args.slice(1), streams);
    }
    if (args[0] === "log") {
      const { runLog } = await import("./log/command.ts");
      return await runLog(args.slice(1), streams);
    }
    const given = parseArguments(args, streams);
    if (given !== undefined) await run(given, streams);
    return EXIT.done;
  } catch (error) {
    const shown = toCommandError(error);
    await explain(shown, args, streams);
    return shown.exitCode;
  }
}

// Every import below waits until it is needed: help and mistakes must not wait for the library.

async function run(given: Arguments, streams: Streams): Promise<void> {
  const { json, quiet, verbose } = given.manner;
  const { settle } = await import("./settings.ts");
  const settings = await settle(given);
  const backfill = process.env.RS_EMIT_BACKFILL;
  if (backfill !== undefined && backfill !== "") {
    const { handOver } = await import("./backfill/hand-over.ts");
    return handOver(backfill, settings, streams);
  }
  const { publish } = await import("./publish.ts");
  const result = await publish(settings, given.manner, streams);
  if (json) {
    const { toJson } = await import("./json.ts");
    streams.stdout.write(`${toJson(result)}\n`);
  } else if (!quiet) {
    const { summarize } = await import("./summary/summary.ts");
    streams.stdout.write(`${summarize(result, lookOf(streams.stdout), verbose)}\n`);
  }
}

/** The arguments are asked directly: they may be what is wrong. */
async function explain(
  error: CommandError,
  args: readonly string[],
  { stdout, stderr }: Streams,
): Promise<void> {
  if (args.includes("--json")) {
    const { errorToJson } = await import("./json.ts");
    stdout.write(`${errorToJson(error)}\n`);
  } else {
    const { wrap } = await import("./wrap.ts");
    const { width, paint } = lookOf(stderr);
    const paragraph = wrap(`rs-emit: ${error.message}`, width);
    stderr.write(`${paragraph.replace("rs-emit:", paint("red", "rs-emit:"))}\n`);
  }
  if (args.includes("--verbose")) {
    const { inspect } = await import("node:util");
    stderr.write(`\n${inspect(error.cause ?? error)}\n`);
  }
}
