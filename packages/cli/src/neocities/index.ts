import { dirname, resolve } from "node:path";
import { isFolder } from "@rs-emit/core";
import { count, list, missingFolder, plural, printableJson, wrap } from "@rs-emit/core/words";
import { findConfig, isFile, readConfig } from "../config.ts";
import { CommandError, EXIT, noFolderGivenError } from "../errors.ts";
import { askYesNo } from "../question.ts";
import { lookOf, type Streams } from "../terminal.ts";
import { NeocitiesApi, type SiteInfo } from "./api.ts";
import { type NeocitiesArguments, parseNeocitiesArguments } from "./arguments.ts";
import { keyFor, saveKey } from "./key.ts";
import { type PullResult, pull } from "./pull.ts";
import { type PushResult, push } from "./push.ts";
import { FREE, SUPPORTER } from "./upload-plan.ts";

const QUESTION = "Keep this key for the next time, among your configs, for you alone?";

/** @throws {CommandError} if something is refused, or the host does not answer */
export async function runNeocities(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseNeocitiesArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const { stderr } = streams;
  const folder = given.pull === undefined ? await folderOf(given) : folderToFill(given.pull);
  const key = await keyFor(given.site, streams, { asksAnew: given.saveKey });
  const api = new NeocitiesApi(key, process.env.NEOCITIES_API_URL);
  const url = addressOf(given.site, await api.info());
  const isSilent = given.json || given.quiet;
  const tell = (sentence: string) => {
    if (!isSilent) stderr.write(`${wrap(sentence, lookOf(stderr).width)}\n`);
  };
  if (given.saveKey || (key.isTyped && !isSilent && (await askYesNo(QUESTION, streams)))) {
    tell(`The key is kept in ${saveKey(given.site, key.value, folder)}, for you alone.`);
  }
  if (given.pull !== undefined) {
    const { choices, dryRun } = given;
    const result = await pull({ api, url, folder, choices, dryRun, tell });
    showResult(result, pulledInWords(result, given.dryRun, folder, url), given, streams);
    return EXIT.done;
  }
  const result = await push({
    api,
    folder,
    url,
    limits: given.supporter ? SUPPORTER : FREE,
    deletes: given.delete,
    skipsRefused: given.skipRefused,
    choices: given.choices,
    dryRun: given.dryRun,
    tell,
  });
  showResult(result, pushedInWords(result, given.dryRun, url), given, streams);
  return EXIT.done;
}

function folderToFill(folder: string): string {
  let path = resolve(folder);
  while (!isFile(path) && dirname(path) !== path) path = dirname(path);
  if (!isFile(path)) return folder;
  throw new CommandError({
    code: "NO_FOLDER",
    problem: `${path} is a file.`,
    cure: "Name a folder with --pull: one that is not there is made.",
    option: "pull",
  });
}

async function folderOf({ folder, config }: NeocitiesArguments): Promise<string> {
  const file = findConfig(config, folder);
  const found = folder ?? (file && (await readConfig(file)).config.folder);
  if (found === undefined) {
    throw noFolderGivenError(
      "Which folder is uploaded?",
      "Name it, for example: npx rs-emit neocities example ./dist",
    );
  }
  if (isFolder(found)) return found;
  throw new CommandError({ ...missingFolder(found, "Check the path."), option: "folder" });
}

/** The live address of the site. Throws CommandError for another site's key. */
function addressOf(site: string, { name, domain }: SiteInfo): string {
  const own = [
    `https://${name}.neocities.org/`,
    ...(domain === undefined ? [] : [`https://${domain}/`]),
  ];
  const asked = URL.canParse(site) ? new URL("/", site).href : undefined;
  if (site.toLowerCase() === name.toLowerCase()) return own[0] ?? "";
  const found = own.find((one) => asked !== undefined && new URL(one).host === new URL(asked).host);
  if (found !== undefined) return asked ?? found;
  throw new CommandError({
    code: "NEOCITIES_OTHER_SITE",
    problem: `The key is of the site ${name}, not of ${site}.`,
    cure: `Give the key of ${site}, or the name ${name}.`,
  });
}

function showResult(
  result: PushResult | PullResult,
  sentences: readonly string[],
  { json, quiet }: NeocitiesArguments,
  { stdout }: Streams,
): void {
  const { width } = lookOf(stdout);
  if (json) stdout.write(`${printableJson(result)}\n`);
  else if (!quiet) stdout.write(`${sentences.map((one) => wrap(one, width)).join("\n")}\n`);
}

function pushedInWords(result: PushResult, dryRun: boolean, url: string): readonly string[] {
  const { sent, deleted, unchanged, surplus, refused, leftOut } = result;
  const first =
    sent.length === 0
      ? `Nothing to send: ${same(unchanged, ` on ${url}`)}`
      : `${filesWere(sent.length, dryRun)} sent to ${url}: ${shown(sent)}. ${same(unchanged)}`;
  return [
    first,
    ...named(`${filesWere(deleted.length, dryRun)} deleted`, deleted),
    ...named("On the site only", surplus, " To delete what the folder has not: --delete."),
    ...named("Not sent, since Neocities refuses it", refused),
    ...named("Left out", leftOut),
  ];
}

function named(what: string, paths: readonly string[], more = ""): readonly string[] {
  return paths.length === 0 ? [] : [`${what}: ${shown(paths)}.${more}`];
}

function pulledInWords(
  { fetched, removed, edited, unchanged, surplus, leftOver, leftOut }: PullResult,
  dryRun: boolean,
  folder: string,
  url: string,
): readonly string[] {
  const removedHere = dryRun ? "Would be removed here" : "Removed here";
  return [
    `${filesWere(fetched.length, dryRun)} fetched from ${url} into ${folder}. ${same(unchanged)}`,
    ...named(`${removedHere}, as on the site`, removed),
    ...named("Edited here, and left so", edited),
    ...named("In the folder only", surplus),
    ...named("On the site only, since their pages were deleted", leftOver),
    ...named("Not fetched, for their names", leftOut),
  ];
}

const SHOWN = 8;

function shown(paths: readonly string[]): string {
  return list(paths, SHOWN);
}

function filesWere(number: number, dryRun: boolean): string {
  return `${count(number, "file")} ${dryRun ? "would be" : plural(number, "was", "were")}`;
}

function same(number: number, where = ""): string {
  return `${count(number, "file")}${where} ${plural(number, "is", "are")} the same.`;
}
