import { type Arguments, parseArguments } from "./arguments.ts";
import { type CommandError, EXIT, toCommandError } from "./errors.ts";
import { type COMMAND_NAMES, refuseNoFolder } from "./folder-name.ts";
import { lookOf, type Streams } from "./terminal.ts";

/** Runs a command, and says what failed. Returns the exit code. */
export async function runProgram(args: readonly string[], streams: Streams): Promise<number> {
  try {
    const asked = args[0] === "help" ? [...args.slice(1), "--help"] : args;
    return await runCommand(asked, streams);
  } catch (error) {
    const shown = toCommandError(error);
    await explain(shown, args, streams);
    return shown.exitCode;
  }
}

type CommandRunner = (args: readonly string[], streams: Streams) => Promise<number>;

const COMMANDS: ReadonlyMap<string, () => Promise<CommandRunner>> = new Map<
  (typeof COMMAND_NAMES)[number],
  () => Promise<CommandRunner>
>([
  ["backfill", async () => (await import("./backfill/index.ts")).runBackfill],
  ["check", async () => (await import("./check/index.ts")).runCheck],
  ["init", async () => (await import("./init/index.ts")).runInit],
  ["log", async () => (await import("./log/index.ts")).runLog],
  ["notify", async () => (await import("./notify/index.ts")).runNotify],
  ["neocities", async () => (await import("./neocities/index.ts")).runNeocities],
]);

async function runCommand(args: readonly string[], streams: Streams): Promise<number> {
  const load = COMMANDS.get(args[0] ?? "");
  if (load !== undefined) return (await load())(args.slice(1), streams);
  // Before its options are parsed, which belong to another command.
  refuseNoFolder(args.slice(0, 1), args.length > 1);
  const given = parseArguments(args, streams);
  if (given !== undefined) await run(given, args, streams);
  return EXIT.done;
}

// Imports are lazy from here on, so that help and usage errors do not load the library.

async function run(given: Arguments, args: readonly string[], streams: Streams): Promise<void> {
  const { json, quiet, verbose } = given.mode;
  const { settle } = await import("./settings.ts");
  const settings = await settle(given, streams);
  if (settings === undefined) return;
  const backfill = process.env.RS_EMIT_BACKFILL;
  if (backfill !== undefined && backfill !== "") {
    const { handOver } = await import("./backfill/index.ts");
    return handOver(backfill, settings, streams);
  }
  const { publish } = await import("./console.ts");
  const result = await publish(settings, given.mode, streams);
  if (json) {
    const { toJson } = await import("./json-output.ts");
    streams.stdout.write(`${toJson(result)}\n`);
  } else if (!quiet) {
    const { summarize } = await import("./summary/summary.ts");
    streams.stdout.write(`${summarize(result, lookOf(streams.stdout), verbose, { args })}\n`);
  }
}

/** Reads the raw arguments, since parsing may have failed. */
async function explain(
  error: CommandError,
  args: readonly string[],
  { stdout, stderr }: Streams,
): Promise<void> {
  if (args.includes("--json")) {
    const { errorToJson } = await import("./json-output.ts");
    stdout.write(`${errorToJson(error)}\n`);
  } else {
    const { wrap } = await import("@rs-emit/core/words");
    const { width, paint } = lookOf(stderr);
    const paragraph = wrap(`rs-emit: ${error.message}`, width);
    stderr.write(`${paragraph.replace("rs-emit:", paint("red", "rs-emit:"))}\n`);
  }
  if (args.includes("--verbose")) {
    const { inspect } = await import("node:util");
    const { printableLines } = await import("@rs-emit/core/words");
    stderr.write(`\n${printableLines(inspect(error.cause ?? error))}\n`);
  }
}
