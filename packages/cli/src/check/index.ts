import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CheckRequest, Sample, Site, Stop } from "@rs-emit/check";
import type { EmitError, EmitOptions } from "@rs-emit/core";
import { CAPABILITY_LIST, missingFolder, SOURCE_DESCRIPTION, wrapLine } from "@rs-emit/core/words";
import { findConfig, readConfig } from "../config.ts";
import { builtWithoutLogError, CommandError, EXIT, noFolderGivenError } from "../errors.ts";
import { asFlag } from "../flags.ts";
import { shortPath } from "../folder-name.ts";
import type { Config } from "../index.ts";
import { PublishedFolder, siteUrlOf, urlIn } from "../published-folder.ts";
import { checkedOptions } from "../settings.ts";
import { lookOf, type Streams } from "../terminal.ts";
import { ownVersion } from "../version.ts";
import { type CheckArguments, parseCheckArguments } from "./arguments.ts";

/** The number of a live site's pages that are compared by default. */
const USUAL_SAMPLE: Sample = 20;

/**
 * Returns the exit code: 1 for errors, and with `--strict` for warnings.
 * @throws {CommandError} if there is nothing to check
 */
export async function runCheck(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseCheckArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const { check, exitStatusOf, writeReport } = await import("@rs-emit/check");
  const result = await check(await requestOf(given));
  const { width, paint } = lookOf(streams.stdout);
  const report = writeReport(result, given.format, paint);
  const lines = report.split("\n").map((line) => wrapLine(line, width));
  streams.stdout.write(given.format === "text" ? lines.join("\n") : report);
  return exitStatusOf(result, given.strict);
}

async function requestOf(given: CheckArguments): Promise<CheckRequest> {
  const found = await configOf(given);
  const target = given.target ?? found.config.folder;
  if (target === undefined) {
    throw noFolderGivenError(
      "What is to be checked?",
      "Name the folder that you publish, or an address: npx rs-emit check dist, or " +
        "rs-emit check https://example.neocities.org/",
    );
  }
  return isAddress(target)
    ? liveRequest(target, given, found)
    : folderRequest(shortPath(target, "."), given, found);
}

function isAddress(target: string): boolean {
  return /^https?:\/\//i.test(target);
}

interface FoundConfig {
  readonly file: string | undefined;
  readonly config: Config;
}

async function configOf({ config, target }: CheckArguments): Promise<FoundConfig> {
  const folder = target === undefined || isAddress(target) ? undefined : target;
  const file = findConfig(config, folder);
  return { file, config: file === undefined ? {} : (await readConfig(file)).config };
}

async function folderRequest(
  folder: string,
  given: CheckArguments,
  { file, config }: FoundConfig,
): Promise<CheckRequest> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    const cure = "Check the path, or name an address with https:// before it.";
    throw new CommandError({ ...missingFolder(folder, cure), option: "folder" });
  }
  // A config nearby may belong to another folder.
  const isOther = config.folder !== undefined && resolve(config.folder) !== resolve(folder);
  const own = isOther ? {} : config;
  const likely = typeof own.url === "string" ? own.url : undefined;
  const url = given.url ?? siteUrlOf(folder, likely) ?? own.url;
  if (url === undefined) {
    const { hasNoLogFile } = await import("@rs-emit/core");
    if (hasNoLogFile(folder)) throw builtWithoutLogError(folder);
    throw new CommandError({
      code: "NOT_PUBLISHED",
      problem: `${folder} contains no documents of a change log.`,
      cure: `Publish it first: npx rs-emit ${given.target ?? "."} --url https://example.org/`,
      exitCode: EXIT.failed,
    });
  }
  const options = { ...own, folder, url: baseOf(url) };
  const { feedFile } = await checkedOptions(options, () => file);
  const site = new PublishedFolder(folder, options.url);
  const present = site.documents();
  const isList = ({ file }: { readonly file: string }) => file.endsWith(CAPABILITY_LIST);
  return {
    site,
    description: site.url + SOURCE_DESCRIPTION,
    otherwise: present.filter(isList).map((one) => one.url),
    sample: given.sample ?? "all",
    present,
    feed: feedFile ?? false,
    nextRun: (base) => nextRunOf({ ...options, url: base }, "output"),
  };
}

async function liveRequest(
  target: string,
  given: CheckArguments,
  { file, config }: FoundConfig,
): Promise<CheckRequest> {
  const { liveSite } = await import("@rs-emit/check");
  const base = baseOf(target);
  const site = liveSite(fetch, `rs-emit/${ownVersion()}`);
  const isOther = config.url !== undefined && baseOf(String(config.url)) !== base;
  const options = { folder: ".", ...(isOther ? {} : config), url: base };
  const { collections, feedFile } = await checkedOptions(options, () => file);
  const lists = [base, ...collections].map((url) => url + CAPABILITY_LIST);
  return {
    site,
    description: base + SOURCE_DESCRIPTION,
    otherwise: [...new Set([...lists, ...(await linkedFrom(site, target))])],
    sample: given.sample ?? USUAL_SAMPLE,
    feed: feedFile ?? false,
    nextRun: (url) => nextRunOf({ ...options, url }, "site"),
  };
}

async function linkedFrom(site: Site, address: string): Promise<readonly string[]> {
  const { bytesOf, NoAnswerError, resourceSyncLinks } = await import("@rs-emit/check");
  try {
    const answer = await site.get(address);
    const page = await bytesOf(answer);
    return resourceSyncLinks(page, address, answer.header("link"));
  } catch (error) {
    if (error instanceof NoAnswerError) return [];
    throw error;
  }
}

function baseOf(address: string): string {
  if (!URL.canParse(address)) {
    throw new CommandError({
      code: "URL_MALFORMED",
      problem: `"${address}" is not a URL.`,
      cure: "Write it in full.",
    });
  }
  const url = new URL(address);
  url.search = "";
  url.hash = "";
  if (url.pathname.endsWith(`/${SOURCE_DESCRIPTION}`)) return new URL("..", url).href;
  const isFile = /\/[^/]*\.[^/]*$/.test(url.pathname);
  if (isFile) return new URL(".", url).href;
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}

/** The error that would stop a run after the publication in the folder or on the site. */
async function nextRunOf(
  options: EmitOptions & { readonly url: string },
  from: "output" | "site",
): Promise<Stop | undefined> {
  const { stopOfNextRun } = await import("@rs-emit/core");
  const error = await stopOfNextRun(options, from);
  if (error === undefined) return undefined;
  const { folder, url } = options;
  const { problem, cure } = error.worded(asFlag);
  const path = documentOf(error, url);
  return {
    document: path === undefined ? url : urlIn(url, path),
    file: path === undefined || from === "site" ? undefined : join(folder, path),
    what: problem,
    cure,
  };
}

/** The document of an error, relative to the site. */
function documentOf({ about }: EmitError, url: string): string | undefined {
  if (about === undefined || !/^https?:/.test(about)) return about;
  return about.startsWith(url) ? about.slice(url.length) : undefined;
}
