import { ENTRY_MODES } from "@rs-emit/feeds";
import { Command, CommanderError, Option } from "commander";
import { ownVersion } from "../http/user-agent.ts";
import {
  type Arguments,
  type GivenCheck,
  type GivenHarvest,
  type GivenServe,
  type GivenSync,
  toCheck,
  toExport,
  toHarvest,
  toImport,
  toServe,
  toSync,
} from "./arguments.ts";
import { UsageError } from "./errors.ts";
import type { Streams } from "./streams.ts";

const EXAMPLES = `
Examples:
  rs-harvest https://example.org/ --out feeds
  rs-harvest --list sites.txt --out feeds --entries day
  rs-harvest ./dist --url https://example.org/ --out ./dist/feeds
  rs-harvest serve --data ./memory
  rs-harvest check https://example.org/
  rs-harvest sync https://example.org/ ./copy --delete
  rs-harvest import feeds.opml --data ./memory

Exit codes: 0 all well; 1 a site could not be read (the others were); 2 wrong usage.`;

/** `undefined` after printing help or the version. Throws {@link UsageError}. */
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
    .option("--from-lists", "watch a site's list of pages where it does not say what changed")
    .option("--gone", "pages missing from more than half of a list are gone: you have looked")
    .option("--feeds-url <url>", "the address where the feeds will be published")
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
  refuseNames(command);
  command.action((sites: string[], given: GivenHarvest) => found(toHarvest(sites, given)));
  command.addCommand(serveCommand(stdout, found));
  command.addCommand(checkCommand(stdout, found));
  command.addCommand(syncCommand(stdout, found));
  command.addCommand(importCommand(stdout, found));
  command.addCommand(exportCommand(stdout, found));
  return command;
}

function serveCommand(stdout: Streams["stdout"], found: (parsed: Arguments) => void): Command {
  const command = subcommand("serve", stdout)
    .description("Follows sites day by day, and serves their feeds and a page to follow more.")
    .addOption(new Option("--role <role>", "what this process does").choices(ROLES).default("all"))
    .option("--host <address>", "where it listens", "127.0.0.1")
    .option("--port <number>", "on which port (default: 8480; a worker: none)")
    .option("--public-url <url>", "its address as followers know it")
    .option("--token <secret>", "what following and unfollowing asks for (RS_HARVEST_TOKEN)")
    .option("--open", "let anybody follow sites, some at a time")
    .option(
      "--trust-proxy",
      "there is a proxy in front: believe the last address in X-Forwarded-For",
    )
    .option("--hub <url>", "a WebSub hub that pushes the feeds")
    .option("--interval <time>", "how often a site is checked", "daily")
    .option("--concurrency <number>", "how many sites are checked at once", "32");
  withCommonOptions(command);
  refuseNames(command);
  return command.action((given: GivenServe) => found(toServe(given)));
}

function checkCommand(stdout: Streams["stdout"], found: (parsed: Arguments) => void): Command {
  const command = subcommand("check", stdout)
    .usage("<site> [options]")
    .description("Judges what a site publishes: its documents, its host, and pages it lists.")
    .argument("<site>", "any address of the site")
    .option("--sample <number>", "pages that are compared: a number, or all", "20")
    .option("--strict", "warnings count as errors")
    .addOption(
      new Option("--format <format>", "how findings are written")
        .choices(["text", "json", "github"])
        .default("text"),
    )
    .option("--json", "the same as --format json")
    .option("--allow-private", "ask private addresses, such as your own machine")
    .option("--contact <address>", "who asks, for site owners: a web or mail address");
  refuseNames(command);
  return command.action((site: string, given: GivenCheck) => found(toCheck(site, given)));
}

function syncCommand(stdout: Streams["stdout"], found: (parsed: Arguments) => void): Command {
  const command = subcommand("sync", stdout)
    .usage("<site> <folder> [options]")
    .description("Makes a copy of a site in a folder, or brings it up to date.")
    .argument("<site>", "any address of the site")
    .argument("<folder>", "where the copy is")
    .optionsGroup("What is done:")
    .option("--audit", "compare every file by its hash, and write nothing")
    .option("--dry-run", "say what would be done, and write nothing")
    .option("--delete", "delete files of resources that are gone from the site")
    .option("--allow-mass-delete", "even if they are more than half of all, and more than five")
    .optionsGroup("What is copied:")
    .option("--collection <url>", "this collection only; may be repeated", collect, [])
    .option("--include <glob>", "paths such as 'gallery/**' only; may be repeated", collect, [])
    .option("--exclude <glob>", "no such paths; may be repeated", collect, [])
    .option("--other-hosts", "what the site lists of other hosts, too")
    .option("--no-dump", "fetch every resource by itself, even where there are packages of many")
    .optionsGroup("Trust:")
    .option("--allow-private", "ask private addresses, such as your own machine")
    .option("--contact <address>", "who asks, for site owners: a web or mail address")
    .optionsGroup("Output:")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "say nothing but problems")
    .addHelpText("after", "\nExit codes: 0 in sync; 1 not in sync; 2 wrong usage.");
  refuseNames(command);
  return command.action((site: string, folder: string, given: GivenSync) =>
    found(toSync(site, folder, given)),
  );
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value];
}

function importCommand(stdout: Streams["stdout"], found: (parsed: Arguments) => void): Command {
  const command = subcommand("import", stdout)
    .description("Follows the sites of a list, which `rs-harvest serve` checks from then on.")
    .argument("<list>", "an OPML file, or a text with one address a line")
    .option("--json", "one JSON object on standard output");
  withMemoryOptions(command);
  refuseNames(command);
  return command.action((list: string, given: Parameters<typeof toImport>[1]) =>
    found(toImport(list, given)),
  );
}

function exportCommand(stdout: Streams["stdout"], found: (parsed: Arguments) => void): Command {
  const command = subcommand("export", stdout)
    .description("Lists the sites that `rs-harvest serve` follows, one address a line.")
    .option("--opml <url>", "their feeds at the service's address instead, as OPML");
  withMemoryOptions(command);
  refuseNames(command);
  return command.action((given: Parameters<typeof toExport>[0]) => found(toExport(given)));
}

function subcommand(name: string, stdout: Streams["stdout"]): Command {
  return new Command(name)
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
}

const ROLES = ["web", "worker", "all"] as const;

function withCommonOptions(command: Command): void {
  command
    .optionsGroup("What feeds contain:")
    .addOption(
      new Option("--entries <each>", "an entry for each publication, check, day or change")
        .choices(ENTRY_MODES)
        .default("publication"),
    )
    .option("--minor", "include minor changes")
    .option("--titles", "ask new pages of a watched list for their titles, a few at a time")
    .optionsGroup("Trust:")
    .option("--use-lastmod", "changes without datetime happened at their lastmod")
    .option("--other-hosts", "a site may report changes of other hosts that it names")
    .option("--allow-private", "read sites on private addresses, such as your own machine")
    .option("--contact <address>", "who runs this, for site owners: a web or mail address");
  withMemoryOptions(command);
}

function withMemoryOptions(command: Command): void {
  command
    .optionsGroup("Memory:")
    .option("--data <folder>", "where it is remembered")
    .option("--database <url>", "a PostgreSQL server that remembers it instead");
}

/** Without its value, an option takes the next option's name for it: refused. */
function refuseNames(command: Command): void {
  const names = new Set([
    ...command.options.flatMap(({ short, long }) => [short, long]),
    "-h",
    "--help",
  ]);
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (value: unknown) => {
      if (!option.required || typeof value !== "string" || !names.has(value)) return;
      throw new UsageError(`${option.long} needs a value: ${value} is another option.`);
    });
  }
}
