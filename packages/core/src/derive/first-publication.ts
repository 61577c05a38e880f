import type { Entry } from "@rs-emit/documents";
import { urlKey } from "@rs-emit/documents";
import { explainByFiles } from "../history/explain.ts";
import { type FileTimes, type GitHistory, historyOf } from "../history/history.ts";
import type { RepositoryReading } from "../history/reading.ts";
import { originOf } from "../history/source-links.ts";
import { tellHistory } from "../history/tell.ts";
import { fileRules } from "../inventory/candidates.ts";
import type { Environment } from "../model/environment.ts";
import type { Settings } from "../model/options.ts";
import { ownDocuments } from "../model/own-documents.ts";
import { ON_DEMAND } from "../model/snapshot-entry.ts";
import { type Change, filesOf, type Inventory } from "../model/types.ts";
import { type Note, undatedNote, unreadVersionsNote } from "../report/notes.ts";
import { deriveFirst } from "./first.ts";
import { pageAddresses } from "./pages.ts";
import { type Plan, remembered } from "./plan.ts";
import { refuseFuture } from "./publication-time.ts";
import { inLogOrder, tellChanges } from "./told.ts";

/** What history tells of the whole past. */
interface Told {
  readonly changes: readonly Change[];
  /** The time of the publication that tells it, UTC seconds. */
  readonly time: number;
  readonly notes: readonly Note[];
  /** The collection of a page that is told of, by its URL. */
  readonly collectionOf: (url: string) => string | undefined;
}

/** What a first publication has to go on. */
export interface FirstFacts {
  readonly inventory: Inventory;
  /** What git tells, maybe still being read. */
  readonly reading: Promise<RepositoryReading | undefined>;
  /** Entries of the Source Description that others wrote. */
  readonly others: readonly Entry[];
}

/**
 * A first publication: nothing was published before, and the log is told by history.
 *
 * @param present the time it is, UTC seconds
 * @throws {ShallowCloneError} when the beginning of the history is missing
 */
export async function planFirst(
  settings: Settings,
  environment: Environment,
  { inventory, reading, others }: FirstFacts,
  present: number,
): Promise<Plan> {
  environment.onProgress?.({ step: "history", done: 0, total: 0 });
  const history = await historyOf(await reading, settings, environment, inventory);
  const told =
    history.kind === "git"
      ? await tellByGit(settings, environment, inventory, history, present)
      : tellByFiles(inventory, history, present);
  const derived = deriveFirst(inventory, told.changes, told.collectionOf);
  const collections = settings.collections.map((collection) => ({
    collection,
    configured: true,
    published: undefined,
    derived: derived.get(collection.url) ?? { changes: [], snapshot: [] },
    time: told.time,
    previous: undefined,
    since: told.time,
    changed: true,
    withheld: remembered(inventory, collection.url),
  }));
  const undated = new Set(
    collections
      .flatMap((work) => work.derived.snapshot)
      .filter(({ lastmod, content }) => lastmod === undefined && content !== ON_DEMAND)
      .map(({ url }) => url),
  );
  const reasons = inventory.resources.flatMap(({ url, file }) =>
    file !== undefined && undated.has(url) ? { file, reason: history.files.reasonOf(file) } : [],
  );
  return {
    first: true,
    time: told.time,
    collections,
    others,
    memory: undefined,
    undated: [...undated],
    notes: [
      ...told.notes,
      ...undatedNote(reasons, history.kind, originOf(settings, environment).kind),
    ],
  };
}

async function tellByGit(
  settings: Settings,
  { builder }: Environment,
  inventory: Inventory,
  git: GitHistory,
  present: number,
): Promise<Told> {
  const isOwnDocument = ownDocuments(settings.collections, settings.feed?.file);
  const { isCandidate } = fileRules({ ...settings, isOwnDocument });
  const hidden = new Set(inventory.withheld.map(({ url }) => urlKey(url)));
  const rules = { ...settings, isCandidate, annotate: builder?.annotate };
  const { addressOf, collectionOf } = pageAddresses(inventory, rules);
  const history = await tellHistory(git, {
    addressOf,
    isHidden: (url) => hidden.has(urlKey(url)),
    now: present,
  });
  const changes = tellChanges(history.commits, present);
  const newest = changes.at(-1)?.datetime ?? 0;
  const committed = Math.min(history.newest ?? present, present);
  const time =
    settings.now ?? reproducibleTime(present) ?? (history.hasUncommitted ? present : committed);
  return {
    changes,
    time: Math.max(time, newest),
    notes: unreadVersionsNote(history.unread),
    collectionOf,
  };
}

function tellByFiles(inventory: Inventory, times: FileTimes, present: number): Told {
  const explained = explainByFiles(times, filesOf(inventory.resources));
  const changes = inventory.resources.flatMap(({ url, file }): Change[] => {
    const explanation = file === undefined ? undefined : explained.get(file);
    if (explanation === undefined) return [];
    const time = Math.min(explanation.time, present);
    return [{ url, kind: "created", datetime: time, lastmod: time }];
  });
  const collections = new Map(inventory.resources.map((one) => [one.url, one.collection]));
  return {
    changes: changes.sort(inLogOrder),
    time: present,
    notes: [],
    collectionOf: (url) => collections.get(url),
  };
}

/**
 * Reproducible builds set the time of what they write: https://reproducible-builds.org
 *
 * @throws {ClockError} when it is more than a day in the future
 */
function reproducibleTime(present: number): number | undefined {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch === undefined || !/^\d+$/.test(epoch)) return undefined;
  refuseFuture("SOURCE_DATE_EPOCH is", Number(epoch), present);
  return Number(epoch);
}
