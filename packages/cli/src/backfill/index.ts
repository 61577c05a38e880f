import type { BackfillResult } from "@rs-emit/core/backfill";
import { printable } from "@rs-emit/core/words";
import { Console, type PublishSettings } from "../console.ts";
import { asCommandError, EXIT } from "../errors.ts";
import { settle } from "../settings.ts";
import { lookOf, type Streams } from "../terminal.ts";
import { type BackfillArguments, parseBackfillArguments } from "./arguments.ts";

const INTERRUPTED = 130;

/** @throws {CommandError} for errors of the library */
export async function runBackfill(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseBackfillArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const result = await tellPast(given, streams);
  if (result === undefined) return INTERRUPTED;
  await showPast(result, given, streams);
  return EXIT.done;
}

/** Returns `undefined` if interrupted. */
async function tellPast(
  given: BackfillArguments,
  streams: Streams,
): Promise<BackfillResult | undefined> {
  const { options, fileOf } = await settle(
    given,
    undefined,
    "rs-emit backfill",
    given.past.build !== undefined,
  );
  const { backfill } = await import("@rs-emit/core/backfill");
  const { EmitError } = await import("@rs-emit/core");
  const console = new Console(given.mode, streams);
  const interrupt = new AbortController();
  const unlisten = listen(() => interrupt.abort());
  try {
    const { onProgress, confirmFirst, confirmFolder } = console;
    const { signal } = interrupt;
    const environment = { onProgress, confirmFirst, confirmFolder, signal };
    return await backfill(options, given.past, environment);
  } catch (error) {
    if (!(error instanceof EmitError)) throw error;
    if (error.code !== "INTERRUPTED") throw asCommandError(error, fileOf);
    await console.leave();
    if (!given.mode.quiet) streams.stderr.write(`\nrs-emit: ${printable(error.message)}\n`);
    return undefined;
  } finally {
    unlisten();
    await console.leave();
  }
}

/** The first Ctrl-C ends the run in order. The second ends it at once, and the next run cleans up. */
function listen(interrupt: () => void): () => void {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const stop = () => {
    for (const signal of signals) process.off(signal, listener);
  };
  const listener = () => {
    stop();
    interrupt();
  };
  for (const signal of signals) process.on(signal, listener);
  return stop;
}

async function showPast(
  result: BackfillResult,
  { mode: { json, quiet, verbose }, past }: BackfillArguments,
  { stdout }: Streams,
) {
  if (json) {
    const { backfillToJson } = await import("../json-output.ts");
    stdout.write(`${backfillToJson(result)}\n`);
  } else if (!quiet) {
    const { summarize } = await import("../summary/summary.ts");
    const { describeNext, publishingOf } = await import("./report.ts");
    const { extentOf } = await import("./report.ts");
    const look = lookOf(stdout);
    const words = { publishing: publishingOf(result), extent: extentOf(result, past) };
    const texts = [summarize(result, look, verbose, words), ...describeNext(result, look)];
    stdout.write(`${texts.join("\n\n")}\n`);
  }
}

/** Runs in a backfill's build: reports to the backfill instead of publishing. Throws CommandError. */
export async function handOver(
  file: string,
  { options, fileOf }: PublishSettings,
  { stderr }: Streams,
): Promise<void> {
  const { EmitError, handOver } = await import("@rs-emit/core");
  try {
    stderr.write(`rs-emit: ${await handOver(file, options)}\n`);
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, fileOf) : error;
  }
}
