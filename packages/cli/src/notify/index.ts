import { EmitError, keepNotified, type Notified, readNotified } from "@rs-emit/core";
import { printable } from "@rs-emit/core/words";
import { formatDatetime } from "@rs-emit/documents";
import { findConfig, readConfig } from "../config.ts";
import { asReadingError, CommandError, EXIT, noFolderGivenError } from "../errors.ts";
import type { Config } from "../index.ts";
import { PublishedFolder } from "../published-folder.ts";
import { checkedOptions } from "../settings.ts";
import type { Streams } from "../terminal.ts";
import { type NotifyArguments, parseNotifyArguments } from "./arguments.ts";
import { type Hub, type HubNews, newsOf, tellHub } from "./hub.ts";
import {
  type ChangedPages,
  changedPages,
  ENDPOINTS,
  type IndexNow,
  tellEngines,
} from "./index-now.ts";
import { type PublishedPlace, readPublished, untoldChanges } from "./published.ts";
import { pingTo, type Sent } from "./send.ts";
import { LiveSite, type NamedPage } from "./wait-until-live.ts";

/**
 * The command `rs-emit notify`: run after the deploy.
 * @throws {CommandError} if nothing was published, or the live site has another publication
 */
export async function runNotify(args: readonly string[], streams: Streams): Promise<number> {
  const given = parseNotifyArguments(args, streams);
  if (given === undefined) return EXIT.done;
  const plan = await planOf(given);
  const published = await readPublished(plan.folder, plan.site, plan.feedFile);
  const notified = readNotified(plan.folder);
  const news = await readingOf(newsFor(plan, published, notified));
  const told = plan.indexNow === undefined ? notified.hub : notified.indexNow;
  const changed = await readingOf(changedPages(published, told, plan.since));
  const pages = given.pages ? await namedPages(plan, changed.present) : [];
  const live = new LiveSite(given.wait);
  await live.untilDocuments(published.collections);
  await live.untilPages(pages);
  const sent = await tell(plan, news);
  // At once: who stops the run while an engine is asked must not tell the hub twice.
  keep(plan.folder, { hub: memoryOf(sent), indexNow: {} });
  const { hub, indexNow } = plan;
  const engines = indexNow && (await tellEngines(plan.site, changed.urls, indexNow));
  const all = [...sent, ...(engines?.sent ?? [])];
  if (engines?.isAllTaken) keep(plan.folder, { hub: {}, indexNow: changed.memory });
  for (const { to, about, problem } of all) {
    if (problem !== undefined)
      streams.stderr.write(`rs-emit: ${to} was not notified of ${about}: ${printable(problem)}\n`);
    else if (!given.quiet) streams.stdout.write(`${to} was notified of ${about}\n`);
  }
  if (hub !== undefined && !given.quiet && sent.every(({ to }) => to !== hub.url))
    streams.stdout.write(`Nothing is new since ${hub.url} was notified last\n`);
  for (const warning of engines?.warnings ?? [])
    streams.stderr.write(`rs-emit: ${printable(warning)}\n`);
  if (engines?.isAllTaken === false) streams.stderr.write(againOf(changed));
  return all.every(({ problem }) => problem === undefined) ? EXIT.done : EXIT.failed;
}

/** The folder remembers; a copy of it that CI makes anew does not. */
function againOf({ after }: ChangedPages): string {
  const since =
    after === undefined
      ? ""
      : `; in another copy of the folder, add --since ${formatDatetime(after)}`;
  return `Run this again to tell what is missing${since}\n`;
}

function newsFor(
  { folder, hub, since }: NotifyPlan,
  { log, collections }: PublishedPlace,
  told: Notified,
): Promise<readonly HubNews[]> {
  if (hub === undefined) return Promise.resolve([]);
  const changes = untoldChanges(collections, told.hub, since);
  const knownFeed = (url = "") => (since === undefined ? told.hub[url] : undefined);
  return Promise.all(
    changes.map((one) => newsOf(folder, log, one, knownFeed(one.collection.feed))),
  );
}

function memoryOf(sent: readonly Sent[]): Notified["hub"] {
  const accepted = sent.filter(({ problem }) => problem === undefined);
  return Object.assign({}, ...accepted.map(({ memory }) => memory));
}

/** Everybody was told, so a folder that cannot be written is no failure: the next run tells it again. */
function keep(folder: string, told: Notified): void {
  try {
    keepNotified(folder, told);
  } catch (error) {
    if (!(error instanceof EmitError)) throw error;
  }
}

interface NotifyPlan {
  readonly folder: string;
  /** Ends with a slash. */
  readonly site: string;
  readonly hub: Hub | undefined;
  readonly pings: readonly string[];
  readonly feedFile: string | undefined;
  readonly indexNow: IndexNow | undefined;
  /** UTC seconds. */
  readonly since: number | undefined;
}

async function planOf(given: NotifyArguments): Promise<NotifyPlan> {
  const file = findConfig(given.config, given.folder);
  const config: Config = file === undefined ? {} : (await readConfig(file)).config;
  const { folder = config.folder, url = config.url } = given;
  if (folder === undefined || url === undefined) {
    throw noFolderGivenError(
      "Which folder was published, and where?",
      "Name both: npx rs-emit notify dist --url https://example.org/",
    );
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
    hub: settings.hub && { url: settings.hub.url, payload: settings.hub.payload === true },
    since: given.since,
    pings,
    feedFile,
    indexNow: key === undefined ? undefined : { key, endpoints },
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
  { site, hub, pings }: NotifyPlan,
  news: readonly HubNews[],
): Promise<readonly Sent[]> {
  const toHub = hub === undefined ? [] : news.map((each) => tellHub(hub, each));
  const toHarvesters = pings.map((address) => pingTo(address, site));
  return [...(await Promise.all(toHub)).flat(), ...(await Promise.all(toHarvesters))];
}

async function readingOf<Result>(reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    throw error instanceof EmitError ? asReadingError(error) : error;
  }
}
