import type { PublishedChanges } from "@rs-emit/core";
import { printable } from "@rs-emit/core/words";
import { formatDatetime } from "@rs-emit/documents";
import { checkedOptions } from "../checked-options.ts";
import { findConfig, readConfig } from "../config.ts";
import { asReadingError, CommandError, EXIT } from "../errors.ts";
import type { Config } from "../index.ts";
import { PublishedFolder } from "../published-folder.ts";
import type { Streams } from "../terminal.ts";
import { type NotifyArguments, parseNotifyArguments } from "./arguments.ts";
import {
  type ChangedPages,
  changedPages,
  ENDPOINTS,
  type EngineReport,
  type IndexNow,
  tellEngines,
} from "./index-now.ts";
import { LiveSite, type NamedPage } from "./live.ts";
import { type PublishedCollection, type PublishedPlace, readPublished } from "./published.ts";
import { pingTo, publishTo, type Sent, submitTo } from "./send.ts";

/**
 * The command `rs-emit notify`: run after the deploy.
 * @throws {CommandError} if nothing was published, or the live site has another publication
 */
export async function runNotify(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseNotifyArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const plan = await planOf(given);
  const published = await readPublished(plan.folder, plan.site, plan.feedFile);
  const changed = await readingOf(changedPages(published.log, plan.indexNow?.since));
  const pages = given.pages ? await namedPages(plan, changed.present) : [];
  const live = new LiveSite(given.wait);
  await live.untilDocuments(published.collections);
  await live.untilPages(pages);
  const sent = await tell(published, plan);
  const told = await tellIndexNow(plan, changed, streams);
  for (const { to, about, problem } of [...sent, ...told.sent]) {
    if (problem !== undefined)
      streams.stderr.write(`rs-emit: ${to} was not notified of ${about}: ${printable(problem)}\n`);
    else if (!given.quiet) streams.stdout.write(`${to} was notified of ${about}\n`);
  }
  for (const warning of told.warnings) streams.stderr.write(`rs-emit: ${printable(warning)}\n`);
  if (!told.isAllTaken) streams.stderr.write(told.again);
  return [...sent, ...told.sent].every(({ problem }) => problem === undefined)
    ? EXIT.done
    : EXIT.failed;
}

/** The command has no memory between runs, so it prints how to repeat what failed. */
async function tellIndexNow(
  { folder, site, indexNow, config }: NotifyPlan,
  { urls, after }: ChangedPages,
  { stderr }: Streams,
): Promise<EngineReport & { readonly again: string }> {
  if (indexNow === undefined) return { sent: [], warnings: [], isAllTaken: true, again: "" };
  const words = ["npx", "rs-emit", "notify", folder, "--url", site, "--index-now", indexNow.key];
  if (after !== undefined) words.push("--since", formatDatetime(after));
  if (config !== undefined) words.push("--config", config);
  const again = `Tell what is missing: ${words.map(shellWord).join(" ")}\n`;
  const stop = () => {
    stderr.write(`\nrs-emit: It was stopped. ${again}`);
    process.exit(EXIT.failed);
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return { ...(await tellEngines(site, urls, indexNow)), again };
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

/** Quotes a word for POSIX shells. */
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

interface NotifyPlan {
  readonly folder: string;
  /** Ends with a slash. */
  readonly site: string;
  readonly hub: Hub | undefined;
  readonly pings: readonly string[];
  readonly feedFile: string | undefined;
  readonly indexNow: IndexNow | undefined;
  /** The config file, if an option names one. */
  readonly config: string | undefined;
}

type Hub = { readonly url: string; readonly payload: boolean };

async function planOf(given: NotifyArguments): Promise<NotifyPlan> {
  const file = findConfig(given.config, given.folder);
  const config: Config = file === undefined ? {} : (await readConfig(file)).config;
  const { folder = config.folder, url = config.url } = given;
  if (folder === undefined || url === undefined) {
    throw new CommandError({
      code: "NO_FOLDER_GIVEN",
      problem: "Which folder was published, and where?",
      cure: "Name both: npx rs-emit notify dist --url https://example.org/",
    });
  }
  const { hub = config.hub, indexNow = config.indexNow } = given;
  const options = {
    ...config,
    folder,
    url,
    hub,
    indexNow,
    pings: [config.pings ?? [], given.ping ?? []].flat(),
  };
  const flags = new Map(Object.entries({ ...given, pings: given.ping }));
  const fileOf = (option: string) => (flags.get(option) === undefined ? file : undefined);
  const settings = await checkedOptions(options, fileOf);
  const {
    site,
    pings,
    feedFile,
    indexNow: key,
    indexNowEndpoint: endpoints = ENDPOINTS,
  } = settings;
  if (settings.hub === undefined && pings.length === 0 && key === undefined) {
    throw new CommandError({
      code: "NOBODY_TO_TELL",
      problem: "There is nobody to notify.",
      cure: "Name a hub with --hub, a harvester with --ping, or a key of IndexNow with --index-now.",
    });
  }
  return {
    folder,
    site,
    hub: settings.hub,
    pings,
    feedFile,
    config: given.config,
    indexNow: key === undefined ? undefined : { key, endpoints, since: given.since },
  };
}

/** The pages in the notification that the folder has: a server may make others. */
async function namedPages(
  { folder, site }: NotifyPlan,
  urls: readonly string[],
): Promise<readonly NamedPage[]> {
  const pages = new PublishedFolder(folder, site);
  const named: NamedPage[] = [];
  for (const url of urls) {
    const { file } = await pages.get(url);
    if (file !== undefined) named.push({ url, file });
  }
  return named;
}

async function tell(
  { log, collections }: PublishedPlace,
  { site, hub, pings }: NotifyPlan,
): Promise<readonly Sent[]> {
  const toHub = hub === undefined ? [] : collections.map((each) => sendTo(hub, each, log));
  const toHarvesters = pings.map((address) => pingTo(address, site));
  return [...(await Promise.all(toHub)).flat(), ...(await Promise.all(toHarvesters))];
}

/** A hub that accepts the notification itself fetches the feed as well. */
async function sendTo(
  hub: Hub,
  collection: PublishedCollection,
  log: PublishedChanges,
): Promise<readonly Sent[]> {
  const { url, topic, feed, capabilityList } = collection;
  if (topic === undefined && feed === undefined) {
    return [{ to: hub.url, about: url, problem: NO_TOPIC }];
  }
  if (hub.payload !== true || topic === undefined) return publishTo(hub.url, collection);
  const { publishedNotifications } = await import("@rs-emit/core");
  // `notification.xml` is one document, and many changes need several.
  const notifications = await readingOf(publishedNotifications(log, url));
  const submitted = await submitTo(hub.url, topic, capabilityList, notifications);
  return [submitted, ...(await publishTo(hub.url, { ...collection, topic: undefined }))];
}

const NO_TOPIC =
  "it has neither a feed nor notification.xml, which a hub fetches. Publish with the option hub, and deploy.";

async function readingOf<Result>(reading: Promise<Result>): Promise<Result> {
  const { EmitError } = await import("@rs-emit/core");
  try {
    return await reading;
  } catch (error) {
    throw error instanceof EmitError ? asReadingError(error) : error;
  }
}
