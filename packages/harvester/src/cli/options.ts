import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type Command, Option, type OptionValues } from "@commander-js/extra-typings";
import { durationIn, isWebAddress, secondsOf } from "@rs-emit/documents";
import { ENTRY_MODES, type EntryMode } from "@rs-emit/feeds";
import { HostTokens, type TokenPlace } from "@rs-emit/reader";
import { DEFAULT_SETTINGS, type HarvesterSettings } from "../check/harvester.ts";
import { understood, usageError } from "./errors.ts";

interface Kind<Value> {
  readonly wanted: string;
  /** Gives `undefined` for a wrong one. */
  readonly read: (text: string) => Value | undefined;
  /** No message repeats it: it may hold a password. */
  readonly isSecret?: boolean;
}

/**
 * An option with a value.
 * @param usage such as `--out <folder>`
 */
export function valued<Usage extends string, Value>(
  usage: Usage,
  description: string,
  kind: Kind<Value>,
) {
  return new Option(usage, description).argParser(parser(optionIn(usage), kind));
}

/** An option with a value, which may be given several times. */
export function repeated<Usage extends string, Value>(
  usage: Usage,
  description: string,
  kind: Kind<Value>,
) {
  const parse = parser(optionIn(usage), kind);
  const none: readonly Value[] = [];
  return new Option(usage, `${description}; may be repeated`)
    .argParser((text: string, values: readonly Value[]): readonly Value[] => [
      ...values,
      parse(text),
    ])
    .default(none, "none");
}

/** @returns what reads a value, or throws a {@link HarvestError} that names the option */
export function parser<Value>(
  option: string,
  { wanted, read, isSecret = false }: Kind<Value>,
): (text: string) => Value {
  return (text) => {
    // Without its value, an option takes the next option's name for it.
    if (/^(?:--[a-z][a-z-]*|-[hV])$/.test(text)) {
      throw usageError(`${option} needs a value: ${text} is another option.`);
    }
    const value = read(text);
    if (value !== undefined) return value;
    throw usageError(`${option} needs ${wanted}${isSecret ? "" : `, not "${text}"`}.`);
  };
}

/** Nothing tells which of two values is meant. No message repeats them: they may hold a password. */
export function refuseTwoValues<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
): void {
  const given = new Map<string, unknown>();
  for (const option of command.options) {
    if (Array.isArray(option.defaultValue)) continue;
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (given.has(option.name()) && given.get(option.name()) !== value) {
        throw usageError(`${option.long} has two values: give one of them.`);
      }
      given.set(option.name(), value);
    });
  }
}

function optionIn(usage: string): string {
  return usage.replace(/ .*/, "");
}

export const TEXT: Kind<string> = { wanted: "a value", read: (text) => text };

export const GLOB: Kind<string> = { wanted: "a value", read: unlessBlank };

export const PATH: Kind<string> = { wanted: "a path", read: unlessBlank };

export const WEB_URL: Kind<string> = {
  wanted: "a whole address such as https://example.org/, without // in its path",
  read: webUrl,
};

/** Ends with a slash. */
export const FOLDER_URL: Kind<string> = {
  wanted:
    "a whole address of a folder such as https://example.org/feeds/, without // in its path, ? and #",
  read: (text) => {
    const url = webUrl(text);
    return url === undefined || /[?#]/.test(url) ? undefined : url.replace(/\/?$/, "/");
  },
};

/** UTC seconds. */
export const DATETIME: Kind<number> = {
  wanted: "a datetime such as 2026-10-01T12:00:00Z",
  read: secondsOf,
};

export function number(least: number, most: number): Kind<number> {
  return {
    wanted: `a number from ${least} to ${most}`,
    read: (text) => {
      const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
      return count >= least && count <= most ? count : undefined;
    },
  };
}

export const SAMPLE: Kind<number | "all"> = {
  wanted: "a whole number, or all",
  read: (text) => (text === "all" ? text : number(0, 999_999_999).read(text)),
};

/** A page or mail address, as a URL. */
const CONTACT: Kind<string> = {
  wanted: "a page or a mail address, such as https://example.org/about or me@example.org",
  read: (text) => {
    const whole = /^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
    const url = URL.parse(whole);
    return url !== null && /^(?:https?|mailto):$/.test(url.protocol) ? url.href : undefined;
  },
};

/** No message repeats a wrong one: it may be the token itself. */
const TOKEN_PLACE: Kind<TokenPlace> = {
  wanted:
    "a host and the name of an environment variable with the token, such as example.org=EXAMPLE_TOKEN",
  read: (text) => {
    const [, name, variable] = /^([^\s/?#@\\=]+)=([A-Za-z_]\w*)$/.exec(text) ?? [];
    const host = name === undefined ? undefined : URL.parse(`https://${name}/`)?.host;
    return host === undefined || variable === undefined ? undefined : { host, variable };
  },
  isSecret: true,
};

const POSTGRES: Kind<string> = {
  wanted: "the address of a PostgreSQL server, such as postgres://name:password@host/database",
  read: (text) => (/^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined),
  isSecret: true,
};

const DAY = 86_400;
const NAMED: Readonly<Record<string, string>> = { hourly: "1h", daily: "1d", weekly: "1w" };

/** Seconds of `30m`, `1h`, `daily`. */
export const DURATION: Kind<number> = {
  wanted: "a time such as 30m, 1h, daily or 7d, a minute at least and a year at most",
  read: (text) => {
    const seconds = durationIn(NAMED[text] ?? text) ?? 0;
    return seconds >= 60 && seconds <= 366 * DAY ? seconds : undefined;
  },
};

function unlessBlank(text: string): string | undefined {
  return text.trim() === "" ? undefined : text;
}

function webUrl(text: string): string | undefined {
  return isWebAddress(text.trim()) ? new URL(text.trim()).href : undefined;
}

export function withFeeds<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command
    .optionsGroup("Feeds:")
    .addOption(
      new Option(
        "--entries <each>",
        "what an entry is: a publication (a check, where a site does not say which changes belong together), a check, " +
          "a day, a week, a month or a change",
      )
        .choices(ENTRY_MODES)
        .default("publication" as const),
    )
    .option("--minor", "include minor changes");
}

export function withTrust<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return withRequests(
    command
      .optionsGroup("Safety:")
      .option("--use-lastmod", "accept changes without datetime: lastmod is their time")
      .option("--other-hosts", "accept changes of other hosts that a site names")
      .addOption(
        valued(
          "--max-pages <number>",
          "how many pages the compared lists of a site may name (default: 1000000)",
          number(1, 100_000_000),
        ),
      ),
  );
}

export function withRequests<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command
    .option("--allow-private", "read sites on private addresses, such as your own machine")
    .addOption(
      valued("--contact <address>", "your web or mail address, for owners of sites", CONTACT),
    );
}

/** Sources behind a token. `tokensOf` reads them. */
export function withTokens<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command.addOption(
    repeated(
      "--token-for <host>=<variable>",
      "send a host, over https alone, the token in an environment variable",
      TOKEN_PLACE,
    ),
  );
}

/** @throws {HarvestError} for two tokens for one host, or a variable that holds none */
export function tokensOf(places: readonly TokenPlace[]): HostTokens | undefined {
  if (places.length === 0) return undefined;
  const hosts = places.map(({ host }) => host);
  const twice = hosts.find((host, at) => hosts.indexOf(host) !== at);
  if (twice !== undefined) throw usageError(`--token-for ${twice} is given twice.`);
  return understood(() => new HostTokens(places), "--token-for: ");
}

export function withMemory<Args extends unknown[], Given extends OptionValues>(
  command: Command<Args, Given>,
) {
  return command
    .optionsGroup("Memory:")
    .addOption(valued("--data <folder>", "the folder of the database", PATH))
    .addOption(valued("--database <url>", "a PostgreSQL database instead", POSTGRES));
}

export function requireOneMemory(given: {
  readonly data?: string;
  readonly database?: string;
}): void {
  if (given.data === undefined || given.database === undefined) return;
  throw usageError("--data and --database are two places for one memory: give one of them.");
}

export function settingsOf(given: {
  readonly entries: EntryMode;
  readonly minor?: boolean | undefined;
  readonly useLastmod?: boolean | undefined;
  readonly otherHosts?: boolean | undefined;
  readonly interval?: number | undefined;
  readonly maxPages?: number | undefined;
}): HarvesterSettings {
  return {
    entries: given.entries,
    withMinor: given.minor ?? false,
    useLastmod: given.useLastmod ?? false,
    allowOtherHosts: given.otherHosts ?? false,
    interval: given.interval ?? DEFAULT_SETTINGS.interval,
    hasHub: false,
    maxPages: given.maxPages,
  };
}

export interface MemoryPlace {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

/** The database that the options name, or else the one in a default folder. */
export function memoryIn<Folder extends string | undefined>(
  { data, database }: MemoryPlace,
  otherwise: Folder,
): { readonly folder: string | Folder } | { readonly url: string } {
  if (database !== undefined) return { url: database };
  return { folder: data === undefined ? otherwise : resolve(data) };
}

/** XDG Base Directory, `$XDG_STATE_HOME`. */
function stateFolder(environment = process.env): string {
  const { XDG_STATE_HOME: state = "" } = environment;
  // The specification ignores relative paths.
  return join(isAbsolute(state) ? state : join(homedir(), ".local", "state"), "rs-harvest");
}

export function serviceFolder(): string {
  return join(stateFolder(), "service");
}

/** Each folder of feeds has its own database. */
export function memoryOf(out: string, environment = process.env): string {
  const name = createHash("sha256").update(resolve(out)).digest("hex").slice(0, 16);
  return join(stateFolder(environment), name);
}
