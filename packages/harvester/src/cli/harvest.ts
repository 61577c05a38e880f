import { statSync } from "node:fs";
import {
  folderTransport,
  NotFoundError,
  normalizeAddress,
  openTransport,
  type Requester,
  RobotsMemory,
  respectRobots,
} from "@rs-emit/reader";
import type { HarvesterSettings } from "../check/harvester.ts";
import { makeFolder } from "../make-folder.ts";
import { horizonOf } from "../store/horizon.ts";
import { notePrinted, unprinted } from "../store/queries/reported.ts";
import { openStore } from "../store/store.ts";
import { bestNews } from "./best-news.ts";
import { briefReport, isBrief } from "./brief-report.ts";
import { checkAll, type ListsChoice, type Outcome } from "./check-all.ts";
import { EXIT, emptyFolderError, fileError, understood, usageError } from "./errors.ts";
import { type FeedPlace, writeFeeds } from "./feed-files.ts";
import { type MemoryPlace, memoryIn, memoryOf } from "./options.ts";
import { ReadingDisplay } from "./reading-display.ts";
import { type ReportOptions, report, reportJson } from "./report.ts";
import { addressesIn } from "./sources.ts";
import { Interruption, type Streams } from "./terminal.ts";

/** `rs-harvest <site>… --out <folder>` */
interface HarvestOptions
  extends GivenTargets,
    ListsChoice,
    MemoryPlace,
    ReportOptions,
    Requester,
    Pick<FeedPlace, "feedsUrl"> {
  readonly settings: HarvesterSettings;
  readonly json?: boolean | undefined;
  /** UTC seconds; by default the present. */
  readonly now?: number | undefined;
}

/** Returns the exit status: 1 if a site could not be read. */
export async function harvest(given: HarvestOptions, streams: Streams): Promise<number> {
  const targets = targetsOf(given);
  makeOutFolder(given.out);
  using interruption = new Interruption();
  // A built folder needs no memory: each run reads it whole, and ids are the same.
  const place = targets.folder === undefined ? memoryOf(given.out) : undefined;
  const store = await openStore(memoryIn(given, place));
  const now = () => given.now ?? Date.now() / 1000;
  const { transport, robots, close } = transportOf(targets, { ...given, now });
  try {
    const { signal } = interruption;
    const harvester = {
      database: store.database,
      transport,
      robots,
      signal,
      settings: given.settings,
      now,
      elapsed: () => performance.now() / 1000,
      random: Math.random,
    };
    const { addresses } = targets;
    const progress = new ReadingDisplay(streams.stderr, addresses.length);
    const isAnew = [place, given.data, given.database].every((memory) => memory === undefined);
    const feedPlace = { ...given, isAnew };
    const before = await horizonOf(store.database);
    const checked = await checkAll(harvester, addresses, given, {
      advance: (found) => progress.advance(found),
      beforeLong: async (sources) => {
        await writeFeeds(store.database, feedPlace, sources);
      },
    }).finally(() => progress.stop());
    signal.throwIfAborted();
    const outcomes = checked.map((outcome) => inWordsOf(targets, outcome));
    const read = outcomes.flatMap(({ source }) => source ?? []);
    const feeds = await writeFeeds(store.database, feedPlace, read);
    if (given.json) {
      const { changes, until } = await unprinted(store.database, read);
      await reportJson(outcomes, { feeds, reported: changes }, streams.stdout);
      // What was not printed whole is printed by the next run.
      await notePrinted(store.database, read, until);
    } else if (isBrief(outcomes, given, streams)) {
      const newsOf = (source: number) => bestNews(store.database, source, before);
      await briefReport(outcomes, { feeds, newsOf }, given, streams);
    } else report(outcomes, feeds, given, streams);
    return outcomes.every(({ result }) => result.kind === "checked") ? EXIT.done : EXIT.failed;
  } finally {
    await close();
    await store.close();
  }
}

/** Called first, so that a bad folder fails before any request. */
function makeOutFolder(out: string): void {
  try {
    makeFolder(out);
  } catch (error) {
    throw fileError(out, "written", error);
  }
}

function transportOf(
  { folder, addresses }: Targets,
  { allowPrivate, contact, tokens, now }: Requester & { readonly now: () => number },
) {
  if (folder !== undefined) {
    const transport = folderTransport(folder, addresses[0]);
    return { transport, robots: undefined, close: async () => {} };
  }
  const network = openTransport({ allowPrivate, contact, tokens, now });
  const robots = new RobotsMemory(now);
  const transport = respectRobots(network, { memory: robots });
  return { transport, robots, close: () => network.close() };
}

/** A folder's reader is its author, so problems are worded for authors, and a Change List helps better than other lists. */
function inWordsOf({ folder, addresses: [url] }: Targets, outcome: Outcome): Outcome {
  if (folder === undefined) return outcome;
  const { result } = outcome;
  const own = { ...outcome, silent: undefined };
  if (result.kind !== "failed" || !(result.error instanceof NotFoundError)) return own;
  const error = emptyFolderError(folder, url, result.error);
  return { ...own, result: { ...result, error } };
}

interface Targets {
  readonly addresses: readonly [string, ...string[]];
  /** A built site, which is read in place of its address. */
  readonly folder?: string;
}

interface GivenTargets {
  readonly sites: readonly string[];
  readonly list?: string | undefined;
  /** The address of a folder that is read instead of the network. */
  readonly url?: string | undefined;
}

/** The sites, each once. Throws {@link HarvestError}, also for a folder without its address. */
function targetsOf({ sites, list, url }: GivenTargets): Targets {
  const folder = sites.find(isFolder);
  const [site] = sites;
  if (url !== undefined) {
    if (folder === undefined) {
      throw usageError(`${site} is no folder: --url gives the address of a folder.`);
    }
    return { folder, addresses: [url] };
  }
  if (folder !== undefined) {
    throw usageError(`${folder} is a folder. Give its address: --url https://example.org/`);
  }
  const listed = list === undefined ? [] : addressesIn(list, `--list ${list}`);
  const named = sites.map((one) => understood(() => normalizeAddress(one)));
  const [first, ...others] = new Set([...named, ...listed]);
  if (first === undefined) throw usageError(`--list ${list} names no site.`);
  return { addresses: [first, ...others] };
}

/** Most addresses are no paths, so errors mean no. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
