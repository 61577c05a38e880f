import { INDEX_NOW_KEY } from "@rs-emit/core/words";
import { durationIn, isWebAddress, secondsOf } from "@rs-emit/documents";
import type { Command } from "commander";
import { type Arguments, parse } from "../arguments.ts";
import { usageError } from "../errors.ts";
import { collect, newCommand } from "../option-groups.ts";
import type { Streams } from "../terminal.ts";

export interface NotifyArguments extends Pick<Arguments, "config"> {
  readonly folder: string | undefined;
  readonly url: string | undefined;
  readonly hub: string | undefined;
  readonly ping: readonly string[] | undefined;
  /** The key. */
  readonly indexNow: string | undefined;
  /** UTC seconds. */
  readonly since: number | undefined;
  /** Seconds to wait for the deploy. */
  readonly wait: number;
  /** Whether the changed pages must be live, too. */
  readonly pages: boolean;
  readonly quiet: boolean;
}

const EXAMPLES = `
Examples:
  rs-emit notify dist --hub https://hub.example/
  rs-emit notify dist --wait 15m --ping https://feeds.example/ping
  rs-emit notify dist --index-now 3f1c9a4e7b2d5086
  rs-emit notify dist --index-now 3f1c9a4e7b2d5086 --since 2026-11-01T08:00:00Z

The folder remembers what was told, so each change is told once: run this where the
next build finds the folder. Exit codes: 0 all were notified; 1 not all; 2 wrong usage.`;

/** Returns `undefined` after printing help or the version. Throws CommandError. */
export function parseNotifyArguments(
  args: readonly string[],
  streams: Streams,
): NotifyArguments | undefined {
  const command = notifyCommand(streams);
  if (!parse(command, args)) return undefined;
  const {
    wait = "15m",
    pages = true,
    quiet = false,
    ...given
  } = command.opts<{
    config?: string;
    hub?: string;
    indexNow?: string;
    since?: string;
    pages?: boolean;
    ping?: string[];
    quiet?: boolean;
    url?: string;
    wait?: string;
  }>();
  const { since, ...others } = given;
  if (others.indexNow !== undefined) requireKey(others.indexNow);
  return {
    folder: command.args[0],
    config: others.config,
    hub: others.hub === undefined ? undefined : webAddressIn("hub", others.hub),
    ping: others.ping?.map((address) => webAddressIn("ping", address)),
    url: others.url,
    indexNow: others.indexNow,
    since: since === undefined ? undefined : timeOf(since),
    wait: waitIn(wait),
    pages,
    quiet,
  };
}

function waitIn(wait: string): number {
  const seconds = durationIn(wait);
  if (seconds !== undefined) return seconds;
  throw usageError(`--wait ${wait} is no length of time.`, "Write it as 90s, 15m or 1h.", "wait");
}

function webAddressIn(option: "hub" | "ping", text: string): string {
  if (isWebAddress(text)) return text;
  throw usageError(
    `--${option} ${text} is no address.`,
    "Write it in full, with https:// and no other // in it.",
    option,
  );
}

function requireKey(key: string): void {
  if (INDEX_NOW_KEY.test(key)) return;
  throw usageError(
    `"${key}" is no key of IndexNow.`,
    "A key has 8 to 128 letters, digits and hyphens: npx rs-emit init --index-now makes one.",
    "indexNow",
  );
}

function timeOf(since: string): number {
  const seconds = secondsOf(since);
  if (seconds !== undefined) return seconds;
  throw usageError(
    `--since ${since} is no datetime.`,
    "Write it as 2026-11-01 or 2026-11-01T08:00:00Z: the publication before the missed one.",
    "since",
  );
}

export function notifyCommand(streams: Streams): Command {
  return newCommand("rs-emit notify", streams, EXAMPLES)
    .usage("[dir] [options]")
    .description(
      "After the deploy: notifies hubs, harvesters and search engines of the publication.",
    )
    .argument("[dir]", "the folder that was published")
    .option("--url <site>", "its address")
    .option("--hub <url>", "a WebSub hub")
    .option("--ping <url>", "a harvester's address for pings; repeatable", collect)
    .option("--index-now <key>", "tell search engines of changed pages, with this key of IndexNow")
    .option("--since <datetime>", "tell of all changes after it, whatever was told before")
    .option("--wait <time>", "how long to wait for the deploy: 90s, 15m (default), 1h")
    .option("--no-pages", "wait for the documents only: for hosts that change pages on their way")
    .option("--config <file>", "read options from this file")
    .option("--quiet", "say nothing but errors")
    .option("--verbose", "show where an error came from");
}
