import { FEED_ENTRIES, type FeedEntries, GROUPS_OF_RUNS, list } from "@rs-emit/core/words";
import { type Command, CommanderError, Option } from "commander";
import { type CommandError, oneLine, usageError } from "./errors.ts";
import { refuseNoFolder } from "./folder-name.ts";
import type { Config } from "./index.ts";
import { addGroup, addRunOptions, collect, newCommand } from "./option-groups.ts";
import type { Streams } from "./terminal.ts";

export interface OutputMode {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

export interface Arguments {
  readonly mode: OutputMode;
  readonly config: string | undefined;
  readonly options: Config;
}

const EXAMPLES = `
Examples:
  rs-emit                 the first time: find the site, ask, and remember
  rs-emit ./dist --url https://example.neocities.org/ --link

Other commands, each with --help:
  rs-emit init            write the folder and the address into a config
  rs-emit log             show the changes that were published
  rs-emit check           judge a folder or a live site
  rs-emit neocities       upload to Neocities, or pull a site from there
  rs-emit notify          tell a hub and harvesters, after the deploy
  rs-emit backfill        publish the exact past, commit by commit

Options can stand in rs-emit.config.ts, .js, .mjs or .json beside the site.
Exit codes: 0 published, or nothing to do; 1 failed; 2 wrong usage.`;

const HELP = ["-h", "--help"];

/** What most authors want; `--help all` has the rest. */
const MOST_WANTED = [
  "--url",
  "--title",
  "--author",
  "--collection",
  "--exclude",
  "--link",
  "--sitemap",
  "--source-folder",
  "--note",
  "--dry-run",
];

/**
 * Parses the command line. Returns `undefined` after printing help or the version.
 * @throws {CommandError} for an unknown option, or an option without its value
 */
export function parseArguments(args: readonly string[], streams: Streams): Arguments | undefined {
  const command = publishCommand(streams);
  // Not for a run: options that the help hides are never suggested for misspelled ones.
  if (HELP.some((flag) => args.includes(flag)) && !args.includes("all")) shorten(command);
  const refuse = () => refuseNoFolder(command.args, command.opts<GivenOptions>().url !== undefined);
  if (!parse(command, args, refuse)) return undefined;
  refuse();
  return toArguments(command.args[0], command.opts());
}

/**
 * Returns false after printing help or the version.
 * @param refuse throws where the first of too many names is an address, a misspelled command or no folder
 * @throws {CommandError} for an unknown option, or an option without its value
 */
export function parse(command: Command, args: readonly string[], refuse = () => {}): boolean {
  refuseTwoValues(command);
  try {
    command.parse(args, { from: "user" });
    return true;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return false;
    if (error.code === "commander.excessArguments") {
      refuse();
      throw tooMany(command.args);
    }
    const wrong = oneLine(error.message.replace(/^error: /, "")).replace(/^./, upper);
    const help = `npx ${command.name()} --help`;
    const problem = wrong.replace(/\.?$/, ".");
    throw usageError(problem, `See: ${help}`);
  }
}

/** The command cannot know which of two values is meant. */
function refuseTwoValues(command: Command): void {
  const given = new Map<string, readonly [flag: string | undefined, value: unknown]>();
  for (const option of command.options) {
    if (option.variadic || option.parseArg === collect) continue;
    const name = option.attributeName();
    command.on(`option:${option.name()}`, (value: unknown) => {
      const [flag = option.long, before = value] = given.get(name) ?? [];
      given.set(name, [option.long, value]);
      if (flag === option.long && before === value) return;
      throw usageError(
        flag === option.long ? `${flag} has two values.` : `${flag} contradicts ${option.long}.`,
        "Give one of them.",
        name,
      );
    });
  }
}

/** The options of a run as the command line spells them. */
export type GivenOptions = Omit<Config, "feed" | "dump"> & {
  readonly dump?: boolean;
  readonly dumpChanges?: string;
  readonly feed?: string | boolean;
  readonly feedEntries?: string;
  readonly collection?: string[];
  readonly config?: string;
} & Partial<OutputMode>;

export function toArguments(folder: string | undefined, given: GivenOptions): Arguments {
  const {
    json = false,
    quiet = false,
    verbose = false,
    config,
    collection,
    feed,
    feedEntries,
    dump,
    dumpChanges,
    excerpts,
    ...options
  } = given;
  if (folder === undefined) refuseFolderAsName(options.sitemap);
  return {
    mode: { json, quiet, verbose },
    config,
    options: {
      ...options,
      // Only the negation is an option, and commander gives it a default.
      ...(excerpts === false ? { excerpts } : {}),
      ...(folder === undefined ? {} : { folder }),
      ...feedOf(feed, feedEntries),
      ...(dump === undefined ? {} : { dump }),
      ...(dumpChanges === undefined ? {} : { dump: { changes: countOf(dumpChanges) } }),
      ...(collection === undefined ? {} : { collections: collection }),
    },
  };
}

/** An option whose value is optional takes the folder after it as its value. */
function refuseFolderAsName(sitemap: Config["sitemap"]): void {
  if (typeof sitemap !== "string" || sitemap.endsWith(".xml")) return;
  throw usageError(
    `The option --sitemap is "${oneLine(sitemap)}", which is no name of a sitemap.`,
    "It must end with .xml. Name the folder before the option: npx rs-emit ./dist --sitemap",
    "sitemap",
  );
}

function feedOf(feed: GivenOptions["feed"], entries: string | undefined): Pick<Config, "feed"> {
  if (entries === undefined && typeof feed !== "string") return feed === undefined ? {} : { feed };
  return {
    feed: {
      ...(typeof feed === "string" ? { file: feed } : {}),
      ...(entries === undefined ? {} : { entries: entriesOf(entries) }),
    },
  };
}

function entriesOf(text: string): FeedEntries {
  const entries = FEED_ENTRIES.find((one) => one === text);
  if (entries !== undefined) return entries;
  throw usageError(
    `The option --feed-entries is "${text}".`,
    "It must be publication, day, week or month.",
    "feedEntries",
  );
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw usageError(
    `The option --dump-changes is "${text}".`,
    "It must be how many publications: 1 to 999.",
    "dumpChanges",
  );
}

function publishCommand(streams: Streams): Command {
  const command = newCommand("rs-emit", streams, EXAMPLES)
    .usage("<dir> --url <site> [options]")
    .description("Tells a site's followers what changed: run it after each build, then upload.")
    .argument("[dir]", "the folder of the built site");
  for (const group of GROUPS_OF_RUNS) addGroup(command, group);
  return addRunOptions(command);
}

/** Leaves what most authors want in the help, in one group. */
function shorten(command: Command): void {
  for (const option of command.options) {
    const isWanted = MOST_WANTED.some((name) => name === option.long);
    if (isWanted) option.helpGroup("Options:");
    else option.hidden = option.long !== "--version";
  }
  const help = new Option("-h, --help [all]", "show this; with all, every option");
  command.addHelpOption(help.helpGroup("Options:"));
}

/** Shells expand an unquoted pattern to file names. */
function tooMany(names: readonly string[]): CommandError {
  return usageError(
    `rs-emit publishes one folder, and ${names.length} are named: ${oneLine(list(names, 3))}.`,
    'If you wrote a pattern, put patterns in quotes: npx rs-emit ./dist --exclude "*.html". ' +
      "See: npx rs-emit --help",
  );
}

function upper(letter: string): string {
  return letter.toUpperCase();
}
