import { readFileSync } from "node:fs";
import { DatetimeError, parseDatetime } from "@rs-emit/documents";
import { Command, CommanderError, Option } from "commander";
import type { HarvesterSettings } from "../check/harvester.ts";
import type { EntryMode } from "../enter/entries.ts";
import { parseDuration } from "./duration.ts";
import { UsageError } from "./errors.ts";
import type { Streams } from "./streams.ts";

/** Where the harvester remembers what it has read. */
export interface MemoryPlace {
  /** A folder for the embedded database. */
  readonly data: string | undefined;
  /** A PostgreSQL server. */
  readonly database: string | undefined;
}

/** What both ways of running have in common. */
export interface CommonArguments extends MemoryPlace {
  readonly settings: HarvesterSettings;
  readonly allowPrivate: boolean;
  readonly contact: string | undefined;
}

/** `rs-harvest <site>… --out <folder>` */
export interface HarvestArguments extends CommonArguments {
  readonly command: "harvest";
  readonly sites: readonly string[];
  readonly list: string | undefined;
  readonly out: string;
  /** Where a folder that is read instead of the network will stand. */
  readonly url: string | undefined;
  /** Where the feeds will stand. */
  readonly feedsUrl: string | undefined;
  /** UTC seconds; the present where absent. */
  readonly now: number | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** `rs-harvest serve` */
export interface ServeArguments extends CommonArguments {
  readonly command: "serve";
  readonly role: "web" | "worker" | "all";
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly token: string | undefined;
  readonly open: boolean;
  readonly trustProxy: boolean;
  readonly hub: string | undefined;
  readonly concurrency: number;
}

export type Arguments = HarvestArguments | ServeArguments;

const EXAMPLES = `
Examples:
  rs-harvest https://example.org/ --out feeds
  rs-harvest --list sites.txt --out feeds --entries day
  rs-harvest ./dist --url https://example.org/ --out ./dist/feeds
  rs-harvest serve --data ./memory

Exit codes: 0 all well; 1 a site could not be read (the others were); 2 wrong usage.`;

/**
 * Reads the command line.
 *
 * @returns nothing when it only asked for help or the version, which are then shown
 * @throws {UsageError} for what it cannot mean
 */
export function parseArguments(args: readonly string[], streams: Streams): Arguments | undefined {
  let parsed: Arguments | undefined;
  const command = harvestCommand(streams, (found) => {
    parsed = found;
  });
  try {
    command.parse(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    const wrong = error.message.replace(/^error: /, "").replaceAll(/\s+/g, " ");
    const sentence = wrong.charAt(0).toUpperCase() + wrong.slice(1).replace(/\.?$/, ".");
    throw new UsageError(`${sentence} See: rs-harvest --help`);
  }
  return parsed;
}

function harvestCommand({ stdout }: Streams, found: (parsed: Arguments) => void): Command {
  const command = new Command("rs-harvest")
    .usage("<site>… --out <folder> [options]")
    .description("Reads what sites say that has changed, and writes Atom feeds of it.")
    .argument("[site...]", "any address of a site, or the folder of a built one")
    .option("--list <file>", "more sites: one address a line, or an OPML file")
    .option("--out <folder>", "where the feeds are written")
    .option("--url <site>", "the address of a site that is read from a folder")
    .option("--feeds-url <url>", "where the feeds will stand, so that they can say so")
    .option("--now <datetime>", "the time of this run")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "say nothing but errors")
    .version(ownVersion(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", EXAMPLES)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
  withCommonOptions(command);
  command.action((sites: string[], given: GivenHarvest) => found(toHarvest(sites, given)));
  command.addCommand(serveCommand(stdout, found));
  return command;
}

function serveCommand(stdout: Streams["stdout"], found: (parsed: Arguments) => void): Command {
  const command = new Command("serve")
    .description("Follows sites day by day, and serves their feeds and a page to follow more.")
    .addOption(new Option("--role <role>", "what this process does").choices(ROLES).default("all"))
    .option("--host <address>", "where it listens", "127.0.0.1")
    .option("--port <number>", "on which port", "8480")
    .option("--public-url <url>", "its address as followers know it")
    .option("--token <secret>", "what following and unfollowing asks for (RS_HARVEST_TOKEN)")
    .option("--open", "let anybody follow sites, some at a time")
    .option("--trust-proxy", "believe what a proxy says of who asks")
    .option("--hub <url>", "a WebSub hub that pushes the feeds")
    .option("--interval <time>", "how often a site is checked", "daily")
    .option("--concurrency <number>", "how many sites are checked at once", "32")
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
  withCommonOptions(command);
  return command.action((given: GivenServe) => found(toServe(given)));
}

const ROLES = ["web", "worker", "all"] as const;
const MODES = ["check", "day", "change"] as const;

function withCommonOptions(command: Command): void {
  command
    .optionsGroup("What feeds tell:")
    .addOption(
      new Option("--entries <each>", "an entry for each check, day or change")
        .choices(MODES)
        .default("check"),
    )
    .option("--minor", "tell minor changes, too")
    .optionsGroup("What is believed:")
    .option("--use-lastmod", "changes without datetime happened at their lastmod")
    .option("--other-hosts", "a site may tell of other hosts that it names")
    .option("--allow-private", "read sites on private addresses, such as your own machine")
    .option("--contact <address>", "who runs this, for site owners: a web or mail address")
    .optionsGroup("What was read:")
    .option("--data <folder>", "where it is remembered")
    .option("--database <url>", "a PostgreSQL server that remembers it instead");
}

interface GivenCommon {
  readonly entries: EntryMode;
  readonly minor?: boolean;
  readonly useLastmod?: boolean;
  readonly otherHosts?: boolean;
  readonly allowPrivate?: boolean;
  readonly contact?: string;
  readonly data?: string;
  readonly database?: string;
  readonly interval?: string;
}

interface GivenHarvest extends GivenCommon {
  readonly list?: string;
  readonly out?: string;
  readonly url?: string;
  readonly feedsUrl?: string;
  readonly now?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

interface GivenServe extends GivenCommon {
  readonly role: ServeArguments["role"];
  readonly host: string;
  readonly port: string;
  readonly publicUrl?: string;
  readonly token?: string;
  readonly open?: boolean;
  readonly trustProxy?: boolean;
  readonly hub?: string;
  readonly concurrency: string;
}

function toCommon(given: GivenCommon): CommonArguments {
  if (given.data !== undefined && given.database !== undefined) {
    throw new UsageError("--data and --database are two places for one memory: give one of them.");
  }
  return {
    settings: {
      entries: given.entries,
      withMinor: given.minor ?? false,
      useLastmod: given.useLastmod ?? false,
      allowOtherHosts: given.otherHosts ?? false,
      interval: parseDuration(given.interval ?? "daily"),
    },
    allowPrivate: given.allowPrivate ?? false,
    contact: given.contact,
    data: given.data,
    database: given.database,
  };
}

function toHarvest(sites: readonly string[], given: GivenHarvest): HarvestArguments {
  const { list, out, url, feedsUrl, now, json = false, quiet = false } = given;
  if (sites.length === 0 && list === undefined) {
    throw new UsageError("No site was named. Give one or more addresses, or --list <file>.");
  }
  if (out === undefined) throw new UsageError("Where should the feeds go? Say --out <folder>.");
  if (url !== undefined && sites.length !== 1) {
    throw new UsageError(
      "--url says where the site of one folder stands: name one folder with it.",
    );
  }
  return {
    command: "harvest",
    ...toCommon(given),
    sites,
    list,
    out,
    url: url === undefined ? undefined : toUrl("--url", url),
    feedsUrl: feedsUrl === undefined ? undefined : toUrl("--feeds-url", feedsUrl),
    now: now === undefined ? undefined : toSeconds(now),
    json,
    quiet,
  };
}

function toServe(given: GivenServe): ServeArguments {
  const { role, host, publicUrl, open = false, trustProxy = false, hub } = given;
  return {
    command: "serve",
    ...toCommon(given),
    role,
    host,
    port: toCount("--port", given.port, 0, 65_535),
    publicUrl: publicUrl === undefined ? undefined : toUrl("--public-url", publicUrl),
    token: given.token ?? process.env.RS_HARVEST_TOKEN,
    open,
    trustProxy,
    hub: hub === undefined ? undefined : toUrl("--hub", hub),
    concurrency: toCount("--concurrency", given.concurrency, 1, 1000),
  };
}

function toUrl(option: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href;
  throw new UsageError(
    `${option} needs a whole address such as https://example.org/, not "${text}".`,
  );
}

function toSeconds(text: string): number {
  try {
    return parseDatetime(text).seconds;
  } catch (error) {
    if (!(error instanceof DatetimeError)) throw error;
    throw new UsageError(`--now needs a datetime. ${error.message}`);
  }
}

function toCount(option: string, text: string, least: number, most: number): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= least && count <= most) return count;
  throw new UsageError(`${option} needs a number from ${least} to ${most}, not "${text}".`);
}

function ownVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
