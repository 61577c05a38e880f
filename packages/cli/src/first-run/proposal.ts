import { existsSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { EmitError, isFolder, parseSiteUrl, pathBelow, refuseTestAddress } from "@rs-emit/core";
import { printable, wrap } from "@rs-emit/core/words";
import { NAMES } from "../config.ts";
import { asCommandError, CommandError, EXIT, noFolderGivenError } from "../errors.ts";
import { asWord } from "../folder-name.ts";
import { siteUrlOf } from "../published-folder.ts";
import { askText, askYesNo, canAsk, PROPOSALS } from "../question.ts";
import { lookOf, type Streams } from "../terminal.ts";
import { findAddress, findFolder } from "./find-site.ts";

const CONFIG = "rs-emit.config.json";
const ADDRESS = "Address, such as https://moss.neocities.org/: ";
const FOLDER = "The folder that holds your pages, such as website: ";

export interface GivenAddress {
  readonly folder?: string | undefined;
  readonly url?: string | undefined;
  readonly testAddress?: boolean | undefined;
  /** Nothing is remembered. */
  readonly dryRun?: boolean | undefined;
  /** The key for the config. */
  readonly indexNow?: string | undefined;
}

/** Values that no option sets: found, or still missing. */
interface Proposal {
  readonly folder: string | undefined;
  readonly url: string | undefined;
  readonly file?: string;
  /** The folder's own documents have the address. */
  readonly isPublished?: boolean;
}

export function propose({ folder, url }: GivenAddress): Proposal {
  const project = resolve();
  const found = folder === undefined ? findFolder(project) : asTyped(folder);
  if (url !== undefined) return { folder: found, url };
  const published =
    found !== undefined && isFolder(found) ? siteUrlOf(found, undefined) : undefined;
  return published === undefined
    ? { folder: found, url, ...findAddress(project, found) }
    : { folder: found, url: published, isPublished: true };
}

/** Says what was found in place of a question. */
export function describeFound({ folder = ".", url, file, isPublished }: Proposal): string {
  const where = isPublished ? "as published there" : file && `from ${file}`;
  const address = url && `Address: ${url}${where === undefined ? "" : ` (${where})`}\n`;
  return `Folder:  ${folder === "." ? "this folder" : printable(folder)}\n${address ?? ""}`;
}

interface Agreed {
  readonly folder: string;
  readonly url: string;
}

/** The author said no, and knows how to continue. */
export const DECLINED = "declined";

/**
 * Shows the proposal, asks for missing values, and writes the config after a yes, but not for a dry run.
 * @param question what a yes agrees to
 * @returns `undefined` where nobody can be asked, or a value stays missing
 * @throws {CommandError} for an invalid address that was not typed here, or if a config exists
 */
export async function agree(
  proposal: Proposal,
  question: keyof typeof PROPOSALS,
  given: GivenAddress,
  streams: Streams,
  command = "rs-emit",
): Promise<Agreed | typeof DECLINED | undefined> {
  if (!canAsk(streams)) return undefined;
  refuseSecondConfig();
  const { stderr } = streams;
  const known = proposal.folder === undefined ? await askFolder(given, streams) : proposal;
  if (known?.folder === undefined) return undefined;
  const { folder, url: found } = known;
  const stated = found && siteAddress(found, given);
  stderr.write(describeFound({ ...known, url: stated }));
  const url = stated ?? (await askAddress(given, streams));
  if (url === undefined) return undefined;
  const { dryRun = false, indexNow } = given;
  if (!dryRun) stderr.write(`A yes writes both into ${CONFIG}.\n`);
  if (!(await askYesNo(PROPOSALS[question], streams))) {
    stderr.write(
      `Nothing was written. When you are ready: ${commandLine({ folder, url }, command)}\n`,
    );
    return DECLINED;
  }
  if (!dryRun) writeConfig({ folder, url, indexNow });
  return { folder, url };
}

/** Repeats until there is such a folder, or no answer. */
async function askFolder(given: GivenAddress, streams: Streams): Promise<Proposal | undefined> {
  for (let prompt = FOLDER; ; ) {
    const typed = await askText(prompt, streams);
    if (typed === "") return undefined;
    if (isFolder(typed)) return propose({ ...given, folder: typed });
    prompt = `There is no folder ${typed} here.\n${FOLDER}`;
  }
}

/** Repeats until it is a site's address, or there is no answer. */
async function askAddress(given: GivenAddress, streams: Streams): Promise<string | undefined> {
  const { stderr } = streams;
  for (;;) {
    const typed = await askText(ADDRESS, streams);
    if (typed === "") return undefined;
    try {
      return siteAddress(typed, given);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      stderr.write(`${wrap(error.problem, lookOf(stderr).width)}\n`);
    }
  }
}

/** Normalizes an address; `https://` may be omitted. Throws CommandError for an invalid address. */
export function siteAddress(text: string, { testAddress }: GivenAddress): string {
  const hasNoScheme = /^[\w-]+(?:\.[\w-]+)+\/?$/.test(text);
  try {
    const url = parseSiteUrl("url", hasNoScheme ? `https://${text}` : text);
    refuseTestAddress({ url, testAddress });
    return url;
  } catch (error) {
    throw error instanceof EmitError ? asCommandError(error, () => undefined) : error;
  }
}

export function writeConfig(site: Agreed & Pick<GivenAddress, "indexNow">): void {
  refuseSecondConfig();
  const { folder, url, indexNow } = site;
  const config = { folder: asTyped(folder), url, indexNow };
  try {
    writeFileSync(CONFIG, `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError({
      code: "CONFIG_UNWRITABLE",
      problem: `The config ${CONFIG} could not be written (${reason}).`,
      cure: `Give the options each time: ${commandLine(site)}`,
      exitCode: EXIT.failed,
      cause: error,
    });
  }
}

function refuseSecondConfig(): void {
  const present = NAMES.find((name) => existsSync(name));
  if (present === undefined) return;
  throw new CommandError({
    code: "CONFIG_PRESENT",
    problem: `There is a config already: ${present}.`,
    cure: 'Write "folder" and "url" into it.',
  });
}

/** @param given without found values */
export function missingError(
  given: GivenAddress,
  proposal: Proposal,
  command: string,
): CommandError {
  const isFound =
    (given.folder === undefined && proposal.folder !== undefined) ||
    (given.url === undefined && proposal.url !== undefined);
  const found =
    proposal.url === undefined
      ? "Give what was found here, and your own address"
      : "Give what was found here, if it is right";
  const advice = isFound ? found : "Give it, for example";
  const cure = `${advice}: ${commandLine(proposal, command)}`;
  if (given.folder === undefined) {
    const problem = "The folder of the built site is missing.";
    return noFolderGivenError(problem, cure);
  }
  const problem = "The site's address is missing: change logs hold full URLs.";
  return new CommandError({ code: "URL_MISSING", problem, cure, option: "url" });
}

function commandLine({ folder = "./dist", url }: Proposal, command = "rs-emit"): string {
  return `npx ${command} ${asWord(folder)} --url ${url ?? "https://example.neocities.org/"}`;
}

function asTyped(folder: string): string {
  return pathBelow("", folder) || ".";
}
