import { existsSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CAPABILITY_LIST, FEED, SOURCE_DESCRIPTION } from "@rs-emit/core/words";
import type { CheckRequest, Sample, Site } from "@rs-emit/documents/check";
import { findConfig, readConfig } from "../config.ts";
import { CommandError, EXIT } from "../errors.ts";
import type { Config } from "../index.ts";
import { ownVersion } from "../option-groups.ts";
import { lookOf, type Streams } from "../terminal.ts";
import { wrapLine } from "../wrap.ts";
import { type CheckArguments, parseCheckArguments } from "./arguments.ts";
import { PublishedFolder, siteUrlOf } from "./folder.ts";
import { configFor, nextRunOf } from "./next-run.ts";

/** Pages of a live site that are compared by default. */
const USUAL_SAMPLE: Sample = 20;

/**
 * Returns the exit code: 1 for errors, and with `--strict` for warnings.
 * @throws {CommandError} if there is nothing to check
 */
export async function runCheck(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseCheckArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const { check, exitStatusOf, writeReport } = await import("@rs-emit/documents/check");
  const result = await check(await requestOf(given));
  const { width, paint } = lookOf(streams.stdout);
  const report = writeReport(result, given.format, paint);
  const lines = report.split("\n").map((line) => wrapLine(line, width));
  streams.stdout.write(given.format === "text" ? lines.join("\n") : report);
  return exitStatusOf(result, given.strict);
}

async function requestOf(given: CheckArguments): Promise<CheckRequest> {
  const config = await configOf(given);
  const target = given.target ?? config.folder;
  if (target === undefined) {
    throw new CommandError({
      code: "NO_FOLDER_GIVEN",
      problem: "What is to be checked?",
      cure:
        "Name the folder that you publish, or an address: npx rs-emit check dist, or " +
        "rs-emit check https://example.neocities.org/",
      option: "folder",
    });
  }
  return /^https?:\/\//i.test(target)
    ? liveRequest(target, given, config)
    : folderRequest(shortest(target), given, config);
}

async function configOf({ config, target }: CheckArguments): Promise<Config> {
  const isFolder = target !== undefined && !/^https?:\/\//i.test(target);
  const file = findConfig(config, isFolder ? target : undefined);
  return file === undefined ? {} : (await readConfig(file)).config;
}

async function folderRequest(
  folder: string,
  given: CheckArguments,
  config: Config,
): Promise<CheckRequest> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new CommandError({
      code: "NO_FOLDER",
      problem: `There is no folder ${folder}.`,
      cure: "Check the path, or name an address with https:// before it.",
      option: "folder",
    });
  }
  const url = given.url ?? siteUrlOf(folder, config.url) ?? config.url;
  if (url === undefined) {
    const { hasMarker } = await import("@rs-emit/core");
    if (hasMarker(folder)) throw builtWithoutLog(folder);
    throw new CommandError({
      code: "NOT_PUBLISHED",
      problem: `${folder} contains no documents of a change log.`,
      cure: `Publish it first: npx rs-emit ${given.target ?? "."} --url https://example.org/`,
      exitCode: EXIT.failed,
    });
  }
  const site = new PublishedFolder(folder, baseOf(url));
  const present = site.documents();
  const isList = ({ file }: { readonly file: string }) => file.endsWith(CAPABILITY_LIST);
  return {
    site,
    description: site.url + SOURCE_DESCRIPTION,
    otherwise: present.filter(isList).map((one) => one.url),
    sample: given.sample ?? "all",
    present,
    feed: feedOf(config),
    nextRun: (base) => nextRunOf({ url: base, folder, config: configFor(folder, config) }),
  };
}

function builtWithoutLog(folder: string): CommandError {
  return new CommandError({
    code: "NO_LOG",
    problem: `${folder} was built without its change log, which could not be read.`,
    cure: "Do not upload it with deletion. Build it again when the site answers.",
    exitCode: EXIT.failed,
  });
}

async function liveRequest(
  target: string,
  given: CheckArguments,
  config: Config,
): Promise<CheckRequest> {
  const { liveSite } = await import("@rs-emit/documents/check");
  const base = baseOf(target);
  const site = liveSite(fetch, `rs-emit/${ownVersion()}`);
  const { collections = [] } = config;
  const paths = collections.map((one) => (typeof one === "string" ? one : one.path));
  const folders = ["", ...paths.map((path) => path.replace(/^\/+/, ""))];
  const lists = folders.map((folder) => new URL(folder + CAPABILITY_LIST, base).href);
  return {
    site,
    description: base + SOURCE_DESCRIPTION,
    otherwise: [...new Set([...lists, ...(await linkedFrom(site, target))])],
    sample: given.sample ?? USUAL_SAMPLE,
    feed: feedOf(config),
    nextRun: (base) => nextRunOf({ url: base, folder: undefined, config }),
  };
}

function feedOf({ feed }: Config): string | false {
  if (feed === false) return false;
  return (typeof feed === "object" ? feed.file : undefined) ?? FEED;
}

async function linkedFrom(site: Site, address: string): Promise<readonly string[]> {
  const { bytesOf, NoAnswerError, resourceSyncLinks } = await import("@rs-emit/documents/check");
  try {
    const answer = await site.get(address);
    const page = await bytesOf(answer);
    return resourceSyncLinks(page, address, answer.header("link")).map(({ href }) => href);
  } catch (error) {
    if (error instanceof NoAnswerError) return [];
    throw error;
  }
}

/** The path as a person would write it. */
function shortest(path: string): string {
  const own = relative("", path);
  return own.startsWith("..") ? resolve(path) : own || ".";
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
  const isFile = /\/[^/]*\.[^/]*$/.test(url.pathname);
  if (isFile) return new URL(".", url).href;
  return url.href.endsWith("/") ? url.href : `${url.href}/`;
}
