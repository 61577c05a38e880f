import type { Entry } from "@rs-emit/documents";
import type { Environment } from "../environment.ts";
import { type Evidence, gatherEvidence } from "../evidence/evidence.ts";
import { explainByFiles } from "../evidence/file-times.ts";
import { tellHistory } from "../evidence/tell.ts";
import { fileRules } from "../inventory/candidates.ts";
import { urlKey } from "../inventory/url.ts";
import type { Change, Inventory } from "../model.ts";
import { undatedNote, unknownSourcesNote, unreadVersionsNote } from "../notes.ts";
import type { Settings } from "../options.ts";
import type { Note } from "../result.ts";
import { deriveFirst } from "./first.ts";
import { pageAddresses } from "./pages.ts";
import { type Plan, withheldBelow } from "./plan.ts";
import { inLogOrder, tellChanges } from "./told.ts";

/** What the evidence tells of the whole past. */
interface Told {
  readonly changes: readonly Change[];
  /** The time of the publication that tells it, UTC seconds. */
  readonly time: number;
  readonly notes: readonly Note[];
}

/**
 * A first publication: nothing was published before, and the log is told by the evidence.
 *
 * @param present the time it is, UTC seconds
 * @throws {ShallowCloneError} when the beginning of the history is missing
 */
export async function planFirst(
  settings: Settings,
  environment: Environment,
  inventory: Inventory,
  others: readonly Entry[],
  present: number,
): Promise<Plan> {
  const files = inventory.resources.map(({ file }) => file);
  environment.onProgress?.({ step: "history", done: 0, total: 0 });
  const evidence = await gatherEvidence(settings, environment, files);
  const told =
    evidence.kind === "git"
      ? await tellByGit(settings, inventory, evidence, present)
      : tellByFiles(settings, inventory, present);
  const derived = deriveFirst(inventory, told.changes, deepest(settings));
  const collections = settings.collections.map((collection) => ({
    collection,
    configured: true,
    published: undefined,
    derived: derived.get(collection.url) ?? { changes: [], snapshot: [] },
    time: told.time,
    previous: undefined,
    since: told.time,
    changed: true,
    withheld: withheldBelow(inventory, collection.url),
  }));
  const undated = collections
    .flatMap((work) => work.derived.snapshot)
    .filter(({ lastmod }) => lastmod === undefined)
    .map(({ url }) => url);
  return {
    first: true,
    time: told.time,
    collections,
    others,
    memory: undefined,
    undated,
    notes: [...told.notes, ...undatedNote(undated, settings)],
  };
}

async function tellByGit(
  settings: Settings,
  inventory: Inventory,
  { repository, sources }: Extract<Evidence, { kind: "git" }>,
  present: number,
): Promise<Told> {
  const { isCandidate } = fileRules({ ...settings, isOwnDocument: () => false });
  const hidden = new Set(inventory.withheld.map(({ url }) => urlKey(url)));
  const history = await tellHistory(repository, {
    sources,
    addressOf: pageAddresses(inventory, { ...settings, isCandidate }),
    messages: settings.messages,
    isHidden: (url) => hidden.has(urlKey(url)),
    now: present,
  });
  const changes = tellChanges(history.commits, present);
  const newest = changes.at(-1)?.datetime ?? 0;
  const committed = Math.min(history.newest ?? present, present);
  const time = settings.now ?? sourceDateEpoch() ?? (history.hasUncommitted ? present : committed);
  return {
    changes,
    time: Math.max(time, newest),
    notes: [...unknownSourcesNote(history.unknown), ...unreadVersionsNote(history.unread)],
  };
}

function tellByFiles({ folder }: Settings, inventory: Inventory, present: number): Told {
  const times = explainByFiles(
    folder,
    inventory.resources.map(({ file }) => file),
  );
  const changes = inventory.resources.map(({ url, file }): Change => {
    const time = Math.min(times.get(file)?.time ?? present, present);
    return { url, kind: "created", datetime: time, lastmod: time };
  });
  return { changes: changes.sort(inLogOrder), time: present, notes: [] };
}

/** Reproducible builds set the time of what they write: https://reproducible-builds.org */
function sourceDateEpoch(): number | undefined {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  return epoch !== undefined && /^\d+$/.test(epoch) ? Number(epoch) : undefined;
}

/** The collection of a URL: the deepest that holds it. */
function deepest({ collections }: Settings): (url: string) => string | undefined {
  const urls = collections.map(({ url }) => url).sort((one, other) => other.length - one.length);
  return (url) => urls.find((collection) => url.startsWith(collection));
}
