import { count, printable } from "@rs-emit/documents";
import {
  NotFoundError,
  openTransport,
  type Requester,
  RobotsMemory,
  respectRobots,
} from "@rs-emit/reader";
import { folderTransport } from "@rs-emit/reader/http/folder-transport";
import type { HarvesterSettings } from "../check/harvester.ts";
import { makeFolder } from "../folders.ts";
import { mergeSites } from "../site-list.ts";
import { horizonOf } from "../store/committed-entries.ts";
import { rename } from "../store/following/following.ts";
import { setLabels } from "../store/following/label.ts";
import { openStore } from "../store/open-store.ts";
import { notePrinted, unprinted } from "../store/pages/unprinted-changes.ts";
import type { Database } from "../store/schema.ts";
import { briefReport, isBrief } from "./brief-report.ts";
import { type CheckProgress, checkAll, type ListsChoice, type Outcome } from "./check-all.ts";
import { EXIT, emptyFolderError, fileError } from "./errors.ts";
import { type FeedPlace, writeFeeds } from "./feed-files.ts";
import type { Targets } from "./given-sites.ts";
import { type MemoryPlace, memoryIn, memoryOf } from "./options.ts";
import { isAnyFollowed, problemOf, type ReportOptions, report, reportJson } from "./report.ts";
import { Interruption, type Output, type OutputStreams, ProgressDisplay } from "./terminal.ts";

/** `rs-harvest <site>… --out <folder>` */
interface HarvestOptions
  extends ListsChoice,
    MemoryPlace,
    ReportOptions,
    Requester,
    Pick<FeedPlace, "feedsUrl"> {
  readonly targets: Targets;
  readonly settings: HarvesterSettings;
  readonly json?: boolean | undefined;
  /** UTC seconds; by default the present. */
  readonly now?: number | undefined;
}

/** Returns the exit status: 1 if a site could not be reached, or is broken, if none is followed, or a line of the list names none. */
export async function harvest(given: HarvestOptions, streams: OutputStreams): Promise<number> {
  const { targets } = given;
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
    const addresses = targets.sites.map(({ address }) => address);
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
    const names = new Map(targets.sites.map(({ address, name }) => [address, name]));
    const outcomes = checked.map((outcome) => {
      const name = names.get(outcome.address) ?? outcome.name;
      return { ...inWordsOf(targets, outcome), name };
    });
    const read = outcomes.flatMap(({ source }) => source ?? []);
    await callAsListed(store.database, targets, outcomes);
    const feeds = await writeFeeds(store.database, feedPlace, read);
    if (given.json) {
      const { changes, until } = await unprinted(store.database, read);
      const { refused } = targets;
      await reportJson(outcomes, { feeds, reported: changes, refused }, streams.stdout);
      // What was not printed whole is printed by the next run.
      await notePrinted(store.database, read, until);
    } else if (isBrief(outcomes, given, streams)) {
      await briefReport(outcomes, { feeds, before, ...store }, given, streams);
    } else report(outcomes, feeds, given, streams);
    if (!given.json) {
      for (const { problem } of targets.refused) streams.stderr.write(`${printable(problem)}\n`);
    }
    const isWell = isAnyFollowed(outcomes) && outcomes.every((one) => problemOf(one) === undefined);
    return isWell && targets.refused.length === 0 ? EXIT.done : EXIT.failed;
  } finally {
    await close();
    await store.close();
  }
}

/** The list of this run says what its sites are called, and how they are labelled. */
async function callAsListed(
  database: Database,
  { sites }: Targets,
  outcomes: readonly Outcome[],
): Promise<void> {
  const sourceOf = new Map(outcomes.map(({ address, source }) => [address, source]));
  for (const [source, of] of Map.groupBy(sites, ({ address }) => sourceOf.get(address))) {
    if (source === undefined) continue;
    // Several addresses may lead to one site.
    const [{ name, labels } = {}] = mergeSites(of.map((one) => ({ ...one, address: "" })));
    if (name !== undefined) await rename(database, source, name);
    if (labels !== undefined) await setLabels(database, source, labels);
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
  { folder, sites: [{ address }] }: Targets,
  { allowPrivate, contact, tokens, now }: Requester & { readonly now: () => number },
) {
  if (folder !== undefined) {
    const transport = folderTransport(folder, address);
    return { transport, robots: undefined, close: async () => {} };
  }
  const network = openTransport({ allowPrivate, contact, tokens, now });
  const robots = new RobotsMemory(now);
  const transport = respectRobots(network, { memory: robots });
  return { transport, robots, close: () => network.close() };
}

/** A folder's reader is its author, so problems are worded for authors, and a Change List helps better than other lists. */
function inWordsOf({ folder, sites: [{ address: url }] }: Targets, outcome: Outcome): Outcome {
  if (folder === undefined) return outcome;
  const { result } = outcome;
  if (result.kind !== "failed" || !(result.error instanceof NotFoundError)) return outcome;
  const error = emptyFolderError(folder, url, result.error);
  return { ...outcome, standing: "not-read", result: { ...result, error } };
}

/** On a terminal: how many sites are read, and what was found in them so far. */
class ReadingDisplay {
  readonly #display: ProgressDisplay;
  #changes = 0;
  #failures = 0;

  constructor(stream: Output, sites: number) {
    this.#display = new ProgressDisplay(stream, sites, "Reading sites");
  }

  advance({ reported, standing, result }: Parameters<CheckProgress["advance"]>[0]): void {
    this.#changes += reported;
    if (result.kind !== "merged" && problemOf({ standing, result }) !== undefined) {
      this.#failures += 1;
    }
    const failures = this.#failures === 0 ? "" : `, ${count(this.#failures, "failure")}`;
    this.#display.advance(`: ${count(this.#changes, "change")}${failures}`);
  }

  stop(): void {
    this.#display.stop();
  }
}
