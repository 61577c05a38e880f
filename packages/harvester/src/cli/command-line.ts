import { existsSync } from "node:fs";
import { Command, CommanderError, Option } from "@commander-js/extra-typings";
import { addressIn, HOSTS_AT_ONCE, ownVersion, reasonOf } from "@rs-emit/reader";
import { DEFAULT_SETTINGS } from "../check/harvester.ts";
import { EXIT, usageError } from "./errors.ts";
import { targetsOf, typedAddress } from "./given-sites.ts";
import {
  DATETIME,
  DURATION,
  FOLDER_URL,
  GLOB,
  number,
  PATH,
  parser,
  refuseTwoValues,
  repeated,
  requireOneMemory,
  SAMPLE,
  settingsOf,
  TEXT,
  tokensOf,
  valued,
  WEB_URL,
  withFeeds,
  withMemory,
  withRequests,
  withTokens,
  withTrust,
} from "./options.ts";
import type { OutputStreams } from "./terminal.ts";

const EXAMPLES = `
Examples:
  rs-harvest https://example.org/ --out feeds
  rs-harvest https://example.org/ --out feeds --poll-sitemaps
  rs-harvest --list sites.txt --out feeds --entries day
  rs-harvest ./dist --url https://example.org/ --out ./dist/feeds
  rs-harvest serve --data ./memory
  rs-harvest check https://example.org/
  rs-harvest sync https://example.org/ ./copy --delete
  rs-harvest import feeds.opml --data ./memory

Exit codes: 0 all well; 1 a site is out of reach or broken, or none is followed; 2 wrong usage.`;

const POLL_SITEMAPS = "follow sites without a change log by their sitemaps";

type End = (status: number) => void;

/**
 * Runs the command that the arguments name. Commands are loaded when they are needed: help and usage errors
 * do not load the database.
 * @returns the exit status
 * @throws {HarvestError}
 */
export async function runCommand(args: readonly string[], streams: OutputStreams): Promise<number> {
  let status: number = EXIT.done;
  const end = (ended: number) => {
    status = ended;
  };
  const command = harvestCommand(streams, end);
  for (const make of [serveCommand, checkCommand, syncCommand, importCommand, exportCommand]) {
    command.addCommand(make(streams, end));
  }
  for (const one of [command, ...command.commands]) refuseTwoValues(one);
  try {
    await command.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    // An option of the command that was meant is unknown here.
    refuseMistypedCommand(args.slice(0, 1), command);
    const wrong = error.message.replace(/^error: /, "").replaceAll(/\s+/g, " ");
    const sentence = wrong.charAt(0).toUpperCase() + wrong.slice(1).replace(/\.?$/, ".");
    const named = command.commands.find((one) => one.name() === args[0]);
    const asked = named === undefined ? "rs-harvest" : `rs-harvest ${named.name()}`;
    throw usageError(`${sentence} See: ${asked} --help`);
  }
  return status;
}

/** @throws {HarvestError} where a word is neither an address nor a path: it is a command with a slip, or none */
function refuseMistypedCommand(
  words: readonly string[],
  { commands }: { readonly commands: readonly { name(): string }[] },
): void {
  const names = commands.map((one) => one.name());
  const isWord = (word: string) => /^[a-z]+$/i.test(word) && addressIn(word) === undefined;
  const word = words.find((one) => isWord(one) && !names.includes(one) && !existsSync(one));
  if (word === undefined) return;
  throw usageError(
    `"${word}" is no address of a site, and no command.`,
    suggestion(word, names) ?? `Commands: ${names.join(", ")}. Addresses: https://example.org/`,
  );
}

/** Commander's own, which it makes where a command has no arguments. */
function suggestion(word: string, names: readonly string[]): string | undefined {
  if (word === "help") return "Did you mean: rs-harvest --help";
  const asked = new Command().exitOverride().configureOutput({ outputError: () => {} });
  asked.helpCommand(false);
  for (const name of names) asked.command(name);
  try {
    asked.parse([word], { from: "user" });
    return undefined;
  } catch (error) {
    const [, near] = /\(Did you mean (.*)\?\)/.exec(reasonOf(error)) ?? [];
    return near && `Did you mean: rs-harvest ${near}`;
  }
}

function harvestCommand(streams: OutputStreams, end: End) {
  const command = newCommand("rs-harvest", streams)
    .usage("<site>… --out <folder> [options]")
    .description("Reads the change logs of sites, and writes Atom feeds of what changed.")
    .argument("[site...]", "any address of a site, or the folder of a built one")
    .addOption(valued("--list <file>", "more sites: one address a line, or an OPML file", PATH))
    .addOption(valued("--out <folder>", "where the feeds are written", PATH))
    .addOption(valued("--url <site>", "the address of a site that is read from a folder", WEB_URL))
    .option("--poll-sitemaps", POLL_SITEMAPS)
    .option(
      "--confirm-deletions",
      "accept that more than half of a site's known pages are missing from its lists",
    )
    .addOption(valued("--feeds-url <url>", "where the feeds will be published", FOLDER_URL))
    .addOption(valued("--now <datetime>", "the time of this run", DATETIME))
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "print errors only")
    .option("--verbose", "tell a terminal of every site, also of those without changes")
    .version(ownVersion(), "-V, --version", "show the version")
    .addHelpText("after", EXAMPLES)
    .enablePositionalOptions();
  return withMemory(withTokens(withTrust(withFeeds(command)))).action(async (sites, given) => {
    const { list, out, url } = given;
    if (sites.length === 0 && list === undefined) {
      throw usageError("No site was named. Give one or more addresses, or --list <file>.");
    }
    if (url !== undefined && (sites.length !== 1 || list !== undefined)) {
      throw usageError(
        "--url gives the address of one folder: name one folder with it, and nothing else.",
      );
    }
    if (url === undefined) refuseMistypedCommand(sites, command);
    const targets = targetsOf({ sites, list, url });
    if (out === undefined) throw usageError("Where should the feeds go? Say --out <folder>.");
    requireOneMemory(given);
    const { harvest } = await import("./harvest.ts");
    const tokens = tokensOf(given.tokenFor);
    end(await harvest({ ...given, out, targets, tokens, settings: settingsOf(given) }, streams));
  });
}

function serveCommand(streams: OutputStreams, end: End) {
  const command = newCommand("serve", streams)
    .description("Follows sites day by day, and serves their feeds and a page to follow more.")
    .addOption(
      new Option("--role <role>", "what this process does")
        .choices(["web", "worker", "all"] as const)
        .default("all" as const),
    )
    .addOption(valued("--host <address>", "the address it listens on", TEXT).default("127.0.0.1"))
    .addOption(
      valued(
        "--port <number>",
        "the port it listens on (default: 8480; a worker: none)",
        number(0, 65_535),
      ),
    )
    .addOption(valued("--public-url <url>", "its own address on the web", WEB_URL))
    .addOption(
      valued(
        "--token <secret>",
        "the password for following and unfollowing sites (or RS_HARVEST_TOKEN)",
        TEXT,
      ),
    )
    .option("--open", "let anybody follow sites, a limited number each hour")
    .option("--trust-proxy", "a client's address is the last one in X-Forwarded-For")
    .addOption(valued("--hub <url>", "a WebSub hub that pushes the feeds", WEB_URL))
    .addOption(
      valued("--interval <time>", "how often a site is checked", DURATION).default(
        DEFAULT_SETTINGS.interval,
        "daily",
      ),
    )
    .addOption(
      valued(
        "--concurrency <number>",
        "how many sites are checked at once",
        number(1, 1000),
      ).default(HOSTS_AT_ONCE),
    )
    .option("--poll-sitemaps", `${POLL_SITEMAPS}; also of those that are followed already`)
    .addOption(
      new Option("--log <format>", "how it says what it does: text, or json for collectors")
        .choices(["text", "json"] as const)
        .default("text" as const),
    );
  return withMemory(withTokens(withTrust(withFeeds(command)))).action(async (given) => {
    requireOneMemory(given);
    tokensOf(given.tokenFor);
    const token = given.token ?? process.env.RS_HARVEST_TOKEN;
    const { serve } = await import("./serve.ts");
    end(await serve({ ...given, token, settings: settingsOf(given) }, streams));
  });
}

function checkCommand(streams: OutputStreams, end: End) {
  const command = newCommand("check", streams)
    .usage("<site> [options]")
    .description("Checks what a site publishes: its documents, its host, and pages it lists.")
    .argument("<site>", "any address of the site", (text) =>
      typedAddress(text, `To check a folder before it is published: npx rs-emit check ${text}`),
    )
    .addOption(
      valued("--sample <number>", "how many pages are compared, or all", SAMPLE).default(20),
    )
    .option("--strict", "warnings count as errors")
    .addOption(
      new Option("--format <format>", "how findings are written")
        .choices(["text", "json", "github"] as const)
        .default("text" as const),
    )
    .option("--json", "the same as --format json");
  return withRequests(command).action(async (site, { json = false, ...given }) => {
    const { checkPublication } = await import("./check.ts");
    const format = json ? "json" : given.format;
    end(await checkPublication({ ...given, site, format }, streams));
  });
}

function syncCommand(streams: OutputStreams, end: End) {
  const command = newCommand("sync", streams)
    .usage("<site> <folder> [options]")
    .description("Makes a copy of a site in a folder, or brings it up to date.")
    .argument("<site>", "any address of the site", (text) =>
      typedAddress(text, "The site comes first, then the folder of the copy."),
    )
    .argument("<folder>", "where the copy is", parser("<folder>", PATH))
    .optionsGroup("Actions:")
    .option("--audit", "compare every file by its hash, and write nothing")
    .option("--repair", "fetch files again that are missing, or have other bytes: these are kept")
    .option("--dry-run", "list what would be done, and write nothing")
    .option("--delete", "delete files of resources that are gone from the site")
    .option(
      "--allow-mass-delete",
      "delete even more than half of the files, or all of a collection",
    )
    .optionsGroup("Selection:")
    .addOption(repeated("--collection <url>", "copy this collection only", GLOB))
    .addOption(repeated("--include <glob>", "copy only paths such as 'gallery/**'", GLOB))
    .addOption(repeated("--exclude <glob>", "leave out such paths", GLOB))
    .option("--other-hosts", "also copy what the site lists on other hosts")
    .option("--mirrors", "fetch from mirrors that the site names, where it states a SHA-256")
    .option("--no-dump", "fetch every resource by itself, without the packages of dumps")
    .optionsGroup("Safety:");
  return withTokens(withRequests(command))
    .optionsGroup("Output:")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "print problems only")
    .addHelpText("after", "\nExit codes: 0 in sync; 1 not in sync; 2 wrong usage.")
    .action(async (address, folder, given) => {
      if (given.audit && (given.dryRun || given.delete || given.repair)) {
        throw usageError(
          "--audit writes nothing: it goes neither with --delete nor --repair nor --dry-run.",
        );
      }
      if (given.repair && given.dryRun) {
        throw usageError("--repair goes not with --dry-run: --audit says what it would mend.");
      }
      const { syncSite } = await import("./sync.ts");
      end(await syncSite({ ...given, address, folder, tokens: tokensOf(given.tokenFor) }, streams));
    });
}

function importCommand(streams: OutputStreams, end: End) {
  const command = newCommand("import", streams)
    .description("Follows the sites of a list, which `rs-harvest serve` checks from then on.")
    .argument("<list>", "an OPML file, or a text with one address a line", parser("<list>", PATH))
    .option("--poll-sitemaps", `${POLL_SITEMAPS}; also of those that are followed already`)
    .option("--json", "one JSON object on standard output");
  return withMemory(command).action(async (list, given) => {
    requireOneMemory(given);
    const { importSources } = await import("./sources.ts");
    end(await importSources({ ...given, list }, streams));
  });
}

function exportCommand(streams: OutputStreams, end: End) {
  const command = newCommand("export", streams)
    .description("Lists the sites that `rs-harvest serve` follows, one address a line.")
    .addOption(
      valued("--opml <url>", "their feeds at the service's address instead, as OPML", FOLDER_URL),
    );
  return withMemory(command).action(async (given) => {
    requireOneMemory(given);
    const { exportSources } = await import("./sources.ts");
    end(await exportSources(given, streams));
  });
}

function newCommand(name: string, { stdout }: OutputStreams) {
  return new Command(name)
    .helpOption("-h, --help", "show this help")
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), outputError: () => {} });
}
