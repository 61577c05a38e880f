import type { Command } from "commander";
import { type Arguments, parse } from "../arguments.ts";
import { collect, newCommand } from "../option-groups.ts";
import type { Streams } from "../terminal.ts";

export interface LogArguments extends Pick<Arguments, "config"> {
  /** A folder or an address; by default the config's folder. */
  readonly where: string | undefined;
  /** Paths of collections; all by default. */
  readonly collection: readonly string[] | undefined;
  readonly since: string | undefined;
  readonly minor: boolean;
  readonly json: boolean;
}

const EXAMPLES = `
Examples:
  rs-emit log dist
  rs-emit log https://example.neocities.org/ --since 2026-10-01
  rs-emit log dist --collection moss/ --minor --json

Exit codes: 0 shown; 1 there is no log, or it cannot be read; 2 wrong usage.`;

/** Returns `undefined` after printing help or the version. Throws CommandError. */
export function parseLogArguments(
  args: readonly string[],
  streams: Streams,
): LogArguments | undefined {
  const command = logCommand(streams);
  if (!parse(command, args)) return undefined;
  const options = command.opts<Partial<LogArguments>>();
  const { config, collection, since, minor = false, json = false } = options;
  return { where: command.args[0], config, collection, since, minor, json };
}

export function logCommand(streams: Streams): Command {
  return newCommand("rs-emit log", streams, EXAMPLES)
    .usage("<dir or url> [options]")
    .description("Shows the changes that were published, newest first, as followers read them.")
    .argument("[place]", "a published folder, or the address of a site")
    .option("--since <date>", "only changes from this date or datetime on, in UTC")
    .option("--collection <path>", "only the changes of a collection; repeatable", collect)
    .option("--minor", "minor changes, too, which feeds leave out")
    .option("--config <file>", "read the folder from this file")
    .option("--json", "one JSON object on each line")
    .option("--verbose", "show where an error came from");
}
