import { type Command, Option, type OptionValues } from "@commander-js/extra-typings";
import { secondsOf } from "@rs-emit/documents";
import { ENTRY_MODES, type EntryMode } from "@rs-emit/feeds";
import type { HarvesterSettings } from "../check/harvester.ts";
import { UsageError } from "./errors.ts";

export const DAY = 86_400;

/** Reads an option's value. Throws a {@link UsageError} that names the option. */
type Parser<Value> = (option: string) => (text: string) => Value;

/** @param wanted describes right values */
function parser<Value>(
  wanted: string,
  parse: (text: string) => Value | undefined,
  isSecret = false,
): Parser<Value> {
  return (option) => (text) => {
    // Without its value, an option takes the next option's name for it.
    if (/^(?:--[a-z][a-z-]*|-[hV])$/.test(text)) {
      throw new UsageError(`${option} needs a value: ${text} is another option.`);
    }
    const value = parse(text);
    if (value !== undefined) return value;
    throw new UsageError(`${option} needs ${wanted}${isSecret ? "" : `, not "${text}"`}.`);
  };
}

export const toText = parser("a value", (text) => text);

export const toPath = parser("a path", (text) => (text.trim() === "" ? undefined : text));

export const toUrl = parser("a whole address such as https://example.org/", webUrl);

/** Ends with a slash. */
export const toFolderUrl = parser(
  "a whole address of a folder such as https://example.org/feeds/, without ? and #",
  (text) => {
    const url = webUrl(text);
    return url === undefined || /[?#]/.test(url) ? undefined : url.replace(/\/*$/, "/");
  },
);

/** UTC seconds. */
export const toSeconds = parser("a datetime such as 2026-10-01T12:00:00Z", secondsOf);

export function toCount(least: number, most: number): Parser<number> {
  return parser(`a number from ${least} to ${most}`, (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return count >= least && count <= most ? count : undefined;
  });
}

/** A page or mail address, as a URL. */
const toContact = parser(
  "a page or a mail address, such as https://example.org/about or me@example.org",
  (text) => {
    const whole = /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
    const url = URL.parse(whole);
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined;
  },
);

/** The address may hold a password. */
const toDatabase = parser(
  "the address of a PostgreSQL server, such as postgres://name:password@host/database",
  (text) => (/^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined),
  true,
);

const SECONDS: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3600,
  d: DAY,
  w: 604_800,
};
const NAMED: Readonly<Record<string, string>> = { hourly: "1h", daily: "1d", weekly: "1w" };

/** Seconds of `30m`, `1h`, `daily`. */
export const toDuration = parser(
  "a time such as 30m, 1h, daily or 7d, a minute at least and a year at most",
  (text) => {
    const [, count, unit = ""] = /^(\d+)([smhdw])$/.exec(NAMED[text] ?? text) ?? [];
    const seconds = Number(count) * (SECONDS[unit] ?? 0);
    return seconds >= 60 && seconds <= 366 * DAY ? seconds : undefined;
  },
);

/** Pages that are compared. */
export const toSample = parser("a whole number, or all", (text): number | "all" | undefined => {
  if (text === "all") return text;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
});

const toSomeText = parser("a value", (text) => (text.trim() === "" ? undefined : text));

/** An option that may be repeated. */
export function collected(option: string) {
  return (text: string, texts: readonly string[]): readonly string[] => [
    ...texts,
    toSomeText(option)(text),
  ];
}

function webUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

export function withEntries<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command
    .optionsGroup("What feeds contain:")
    .addOption(
      new Option(
        "--entries <each>",
        "an entry for each publication (for each check where a site does not tell them apart), check, day or change",
      )
        .choices(ENTRY_MODES)
        .default("publication" as const),
    )
    .option("--minor", "include minor changes")
    .option("--titles", "ask new pages of a watched list for their titles, a few at a time");
}

export function withTrust<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return withRequests(
    command
      .optionsGroup("Trust:")
      .option("--use-lastmod", "changes without datetime happened at their lastmod")
      .option("--other-hosts", "a site may report changes of other hosts that it names")
      .option(
        "--max-pages <number>",
        "pages that the watched lists of a site may name (default: 1000000)",
        toCount(1, 100_000_000)("--max-pages"),
      ),
  );
}

export function withRequests<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command
    .option("--allow-private", "read sites on private addresses, such as your own machine")
    .option(
      "--contact <address>",
      "who runs this, for site owners: a web or mail address",
      toContact("--contact"),
    );
}

export function withMemory<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command
    .optionsGroup("Memory:")
    .option("--data <folder>", "where it is remembered", toPath("--data"))
    .option(
      "--database <url>",
      "a PostgreSQL server that remembers it instead",
      toDatabase("--database"),
    );
}

export function requireOneMemory(given: {
  readonly data?: string;
  readonly database?: string;
}): void {
  if (given.data === undefined || given.database === undefined) return;
  throw new UsageError("--data and --database are two places for one memory: give one of them.");
}

export function settingsOf(given: {
  readonly entries: EntryMode;
  readonly minor?: boolean | undefined;
  readonly useLastmod?: boolean | undefined;
  readonly otherHosts?: boolean | undefined;
  readonly interval?: number | undefined;
  readonly titles?: boolean | undefined;
  readonly maxPages?: number | undefined;
}): HarvesterSettings {
  return {
    entries: given.entries,
    withMinor: given.minor ?? false,
    useLastmod: given.useLastmod ?? false,
    allowOtherHosts: given.otherHosts ?? false,
    interval: given.interval ?? DAY,
    hasHub: false,
    withTitles: given.titles ?? false,
    maxPages: given.maxPages,
  };
}
