import { once } from "node:events";
import type { PublishedChange, PublishedChanges } from "@rs-emit/core";
import {
  COLOURS,
  count,
  cutTo,
  isReportedElsewhere,
  type Look,
  newsLine,
  pageName,
  plural,
  printable,
  printableJson,
  whatOf,
} from "@rs-emit/core/words";
import type { Command } from "commander";
import { type Arguments, parse } from "../arguments.ts";
import { findConfig, readConfig } from "../config.ts";
import { asReadingError, CommandError, EXIT, noFolderGivenError, usageError } from "../errors.ts";
import { plainChange } from "../json-output.ts";
import { collect, newCommand } from "../option-groups.ts";
import { lookOf, type OutputStream, type Streams } from "../terminal.ts";

/** @throws {CommandError} if nothing was published, or it cannot be read */
export async function runLog(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseLogArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const where = given.where ?? (await folderOfConfig(given));
  const { EmitError, openPublished } = await import("@rs-emit/core");
  try {
    const published = await openPublished(where);
    await showLog(published, given, streams);
  } catch (error) {
    throw error instanceof EmitError ? asReadingError(error) : error;
  }
  return EXIT.done;
}

async function folderOfConfig({ config }: LogArguments): Promise<string> {
  const file = findConfig(config, undefined);
  const folder = file === undefined ? undefined : (await readConfig(file)).config.folder;
  if (folder !== undefined) return folder;
  throw noFolderGivenError(
    "Whose log?",
    "Name the folder that you publish, or an address: npx rs-emit log dist, or " +
      "rs-emit log https://example.neocities.org/",
  );
}

async function showLog(
  published: PublishedChanges,
  { collection, since, minor, json }: LogArguments,
  { stdout, stderr }: Streams,
): Promise<void> {
  const collections = collection?.map((path) => urlOfCollection(published, path));
  const look = lookOf(stdout);
  const changes = published.readWithQuotes(collections ?? published.collections, sinceIn(since));
  const isListed = (url: string) =>
    (collections ?? published.collections).some((one) => url.startsWith(one));
  let hidden = 0;
  for await (const change of changes) {
    if (change.minor && !minor) {
      hidden += 1;
      continue;
    }
    if (!json && isReportedElsewhere(change, isListed)) continue;
    const line = json
      ? changeToJson(change)
      : changeToLine(change, pageName(change, change.collection), look);
    if (!(await writeLine(stdout, line))) return;
  }
  if (hidden > 0 && !json) stderr.write(hiddenNote(hidden));
}

function hiddenNote(hidden: number): string {
  return `${count(hidden, "minor change is", "minor changes are")} not shown: --minor shows ${plural(hidden, "it", "them")}.\n`;
}

function urlOfCollection({ site, collections }: PublishedChanges, path: string): string {
  const asked = URL.canParse(path) ? path : site + path.replace(/^\/+/, "");
  const url = collections.find((one) => one === asked || one === `${asked}/`);
  if (url !== undefined) return url;
  const paths = collections.map((one) => one.slice(site.length) || "/");
  throw new CommandError({
    code: "NO_COLLECTION",
    problem: `No collection ${path} was published.`,
    cure: `There ${plural(paths.length, "is", "are")}: ${paths.join(", ")}.`,
    option: "collection",
  });
}

/** @throws {CommandError} for what is no date */
function sinceIn(since: string | undefined): number | undefined {
  if (since === undefined) return undefined;
  const seconds = /^\d{4}-/.test(since) ? Date.parse(since) / 1000 : Number.NaN;
  if (!Number.isNaN(seconds)) return Math.floor(seconds);
  throw usageError(
    `The option --since is ${JSON.stringify(since)}.`,
    "It must be a date or datetime, such as 2026-10-05 or 2026-10-05T18:30:00Z.",
    "since",
  );
}

/** Returns false once the reader is gone: a pager may close early. */
async function writeLine(stdout: OutputStream, line: string): Promise<boolean> {
  if (stdout.write(`${line}\n`)) return true;
  try {
    await once(stdout, "drain");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EPIPE") return false;
    throw error;
  }
}

/** @param name the page's name in feeds */
function changeToLine(change: PublishedChange, name: string, look: Look): string {
  const { datetime, minor, message } = change;
  const kind = whatOf(change);
  const date = new Date(datetime * 1000).toISOString().slice(0, 10);
  const words = message === undefined ? "" : `: ${message}`;
  const news = newsLine(change);
  const told = news === "" ? "" : ` – ${news}`;
  const room = look.width - `${date} ${kind} `.length;
  const text = cutTo(room, printable(`${name}${minor ? " (minor)" : ""}${words}${told}`));
  if (minor) return look.paint("dim", `${date} ${kind} ${text}`);
  return `${look.paint("dim", date)} ${look.paint(COLOURS[kind], kind)} ${text}`;
}

function changeToJson(change: PublishedChange): string {
  return printableJson(plainChange(change), 0);
}

interface LogArguments extends Pick<Arguments, "config"> {
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
function parseLogArguments(args: readonly string[], streams: Streams): LogArguments | undefined {
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
