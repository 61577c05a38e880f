import type { Command } from "commander";
import { parse } from "../arguments.ts";
import { usageError } from "../errors.ts";
import { newCommand } from "../option-groups.ts";
import type { Streams } from "../terminal.ts";
import type { Choices } from "./pull-plan.ts";

export interface NeocitiesArguments {
  readonly site: string;
  /** By default the config's folder. */
  readonly folder: string | undefined;
  readonly pull: string | undefined;
  /** Which version wins where a file was edited on the site and here. */
  readonly choices: Choices;
  readonly delete: boolean;
  readonly skipRefused: boolean;
  readonly supporter: boolean;
  readonly saveKey: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly config: string | undefined;
}

const EXAMPLES = `
Examples:
  rs-emit neocities example ./dist
  rs-emit neocities example ./dist --delete --dry-run
  rs-emit neocities example --pull ./site
  rs-emit neocities example --pull ./site --theirs style.css --mine

The key is read from NEOCITIES_API_KEY, else from where --save-key kept it, else it is asked for.
To make one: https://neocities.org/settings, Manage Site Settings, API Key.

Exit codes: 0 everything is there; 1 failed: the same command goes on; 2 wrong usage.`;

/** Returns `undefined` after printing help or the version. Throws CommandError. */
export function parseNeocitiesArguments(
  args: readonly string[],
  streams: Streams,
): NeocitiesArguments | undefined {
  const command = neocitiesCommand(streams);
  if (!parse(command, args)) return undefined;
  const [site, folder] = command.args;
  const given = command.opts<Partial<NeocitiesArguments> & Choices>();
  if (site === undefined) {
    throw usageError("Which site?", "Name it, for example: npx rs-emit neocities example ./dist");
  }
  if (given.pull !== undefined && folder !== undefined) {
    throw usageError(
      "Two folders are named: --pull names the folder to fetch into.",
      "Name no other.",
      "pull",
    );
  }
  const { mine, theirs } = given;
  if (given.pull === undefined && theirs) {
    throw usageError(
      "--theirs takes the site's files.",
      "Give the folder to fetch into with --pull.",
      "pull",
    );
  }
  if (mine === true && theirs === true) {
    throw usageError(
      "Both --mine and --theirs are given for all files.",
      "Give one of them, or the names of files with one.",
      "mine",
    );
  }
  return {
    site,
    folder,
    pull: given.pull,
    choices: { ...(mine && { mine }), ...(theirs && { theirs }) },
    delete: given.delete ?? false,
    skipRefused: given.skipRefused ?? false,
    supporter: given.supporter ?? false,
    saveKey: given.saveKey ?? false,
    dryRun: given.dryRun ?? false,
    json: given.json ?? false,
    quiet: given.quiet ?? false,
    config: given.config,
  };
}

export function neocitiesCommand(streams: Streams): Command {
  return newCommand("rs-emit neocities", streams, EXAMPLES)
    .usage("<site> [dir] [options]")
    .description(
      "Uploads what differs to a site on Neocities: pages first, then the change log, then deletions. A " +
        "request has at most 100 files and 90 MB. Run it after rs-emit.",
    )
    .argument("[site]", "the site's name or address")
    .argument("[dir]", "the published folder")
    .option("--delete", "delete what the site has and the folder has not")
    .option(
      "--pull <dir>",
      "fetch what is newer on the site into a folder; what was edited there stays",
    )
    .option(
      "--mine [files...]",
      "of files edited on the site, the ones here go on: they stay, or are sent",
    )
    .option("--theirs [files...]", "with --pull: of such files, take the site's")
    .option("--dry-run", "say what would be sent and deleted, or fetched")
    .option("--supporter", "the site is a supporter's: any type of file, 50 GB")
    .option("--skip-refused", "leave out files that Neocities would refuse")
    .option("--save-key", "keep the key among your configs, for you alone; asks for it anew")
    .option("--config <file>", "read the folder from this file")
    .option("--json", "one JSON object on standard output")
    .option("--quiet", "say nothing but errors")
    .option("--verbose", "show where an error came from");
}
