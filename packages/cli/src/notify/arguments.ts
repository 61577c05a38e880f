import { durationIn } from "@rs-emit/documents";
import type { Command } from "commander";
import { type Arguments, parse } from "../arguments.ts";
import { CommandError } from "../errors.ts";
import { collect, newCommand } from "../option-groups.ts";
import type { Streams } from "../terminal.ts";

export interface NotifyArguments extends Pick<Arguments, "config"> {
  readonly folder: string | undefined;
  readonly url: string | undefined;
  readonly hub: string | undefined;
  readonly ping: readonly string[] | undefined;
  /** Seconds to wait for the deploy. */
  readonly wait: number;
  readonly quiet: boolean;
}

const EXAMPLES = `
Examples:
  rs-emit notify dist --hub https://hub.example/
  rs-emit notify dist --wait 15m --ping https://feeds.example/ping

A repeat is harmless. Exit codes: 0 all were notified; 1 not all; 2 wrong usage.`;

/**
 * Returns `undefined` after printing help or the version.
 * @throws {CommandError}
 */
export function parseNotifyArguments(
  args: readonly string[],
  streams: Streams,
): NotifyArguments | undefined {
  const command = createCommand(streams);
  if (!parse(command, args)) return undefined;
  const {
    wait = "15m",
    quiet = false,
    ...given
  } = command.opts<{
    config?: string;
    hub?: string;
    ping?: string[];
    quiet?: boolean;
    url?: string;
    wait?: string;
  }>();
  const { config, hub, ping, url } = given;
  return { folder: command.args[0], config, hub, ping, url, wait: secondsOf(wait), quiet };
}

function secondsOf(wait: string): number {
  const seconds = durationIn(wait);
  if (seconds !== undefined) return seconds;
  throw new CommandError({
    code: "OPTION",
    option: "wait",
    problem: `--wait ${wait} is no length of time.`,
    cure: "Write it as 90s, 15m or 1h.",
  });
}

function createCommand(streams: Streams): Command {
  return newCommand("rs-emit notify", streams, EXAMPLES)
    .usage("[dir] [options]")
    .description("After the deploy: notifies hubs and harvesters of the publication.")
    .argument("[dir]", "the folder that was published")
    .option("--url <site>", "its address")
    .option("--hub <url>", "a WebSub hub")
    .option("--ping <url>", "a harvester's address for pings; repeatable", collect)
    .option("--wait <time>", "how long to wait for the deploy: 90s, 15m (default), 1h")
    .option("--config <file>", "read options from this file")
    .option("--quiet", "say nothing but errors")
    .option("--verbose", "show where an error came from");
}
