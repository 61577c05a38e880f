import { type Entry, urlKey } from "@rs-emit/documents";
import { explainByFiles, type FileTimes, type GitHistory, historyOf } from "../history/history.ts";
import { readPageHistory } from "../history/page-history.ts";
import { withPastTitles } from "../history/past-titles.ts";
import type { RepositoryReading } from "../history/reading.ts";
import { originKindOf } from "../history/source-links.ts";
import { contentRule } from "../inventory/content-rule.ts";
import { anyOf, fileRules } from "../inventory/file-rules.ts";
import type { Environment } from "../model/environment.ts";
import { groupBy } from "../model/group.ts";
import { ownDocuments } from "../model/layout.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { excludedDigests } from "../model/own-attributes.ts";
import type { Derived, Plan } from "../model/plan.ts";
import type { ImportedLog } from "../model/publication.ts";
import { importedLog, newestChanges } from "../model/publication.ts";
import {
  type ChangeTime,
  filesOf,
  type Inventory,
  ON_DEMAND,
  pageFactsOf,
  type Resource,
  snapshotEntry,
} from "../model/resources.ts";
import { validQuotesIn } from "../news/valid-quotes.ts";
import type { Settings } from "../options/settings.ts";
import { finishPages, withFinishedDigests } from "../pages/finish.ts";
import { changesAfter, timeAfter } from "./after-imported.ts";
import { withFirstWords } from "./author-words.ts";
import { timeOf } from "./changed-times.ts";
import { namedSite, withName } from "./entry-names.ts";
import { changesOfCommits, pageAddresses } from "./history-changes.ts";
import { refuseFuture } from "./publication-time.ts";

interface PastChanges {
  readonly changes: readonly Change[];
  readonly time: number;
  readonly unread: number;
  readonly collectionOf: (url: string) => string | undefined;
  /** Whether a page's versions were compared, so that the time of its content is known. */
  readonly isCompared: (url: string) => boolean;
}

interface FirstFacts {
  readonly inventory: Inventory;
  readonly reading: Promise<RepositoryReading | undefined>;
  readonly others: readonly Entry[];
  readonly imported?: readonly ImportedLog[];
}

/** @throws {EmitError} `SHALLOW_CLONE` when the beginning of the history is missing */
export async function planFirst(
  settings: Settings,
  environment: Environment,
  { inventory, reading, others, imported = [] }: FirstFacts,
  present: number,
): Promise<Plan> {
  environment.onProgress?.({ step: "history", done: 0, total: 0 });
  const history = await historyOf(await reading, settings, environment, inventory);
  const known =
    history.kind === "git"
      ? await pastFromGit(settings, environment, inventory, history, present)
      : pastFromFiles(inventory, history, present);
  const past = { ...known, time: timeAfter(imported, known.time, present) };
  const derived = deriveFirst(inventory, past, settings);
  const importedBy = new Map(imported.map((log) => [log.collection, log]));
  const changesOf = (url: string) =>
    changesAfter(
      importedBy.get(url),
      derived.get(url)?.changes ?? [],
      settings,
      inventory,
      past.time,
    );
  const times = new Map(
    [...derived.values()].flatMap(({ snapshot }) =>
      snapshot.map(({ url, changed }) => [urlKey(url), changed]),
    ),
  );
  const pages = await finishPages(
    settings,
    inventory,
    (collection) => newestChanges(importedLog(importedBy.get(collection)), changesOf(collection)),
    {
      changedAt: (url) => times.get(urlKey(url)),
      validQuotes: validQuotesIn(inventory.resources),
    },
  );
  const finished = withFinishedDigests(pages);
  const collections = settings.collections.map((collection) => ({
    collection,
    configured: true,
    published: undefined,
    imported: importedBy.get(collection.url),
    derived: {
      changes: changesOf(collection.url),
      snapshot: derived.get(collection.url)?.snapshot.map(finished) ?? [],
    },
    unlogged: { sameMarkup: 0, links: 0, renewed: 0 },
    time: past.time,
    previous: undefined,
    since: past.time,
    changed: true,
    excluded: excludedDigests(inventory, collection.url),
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
  const ofOthers = inventory.resources.flatMap(({ url, file }) => {
    const isDated = file !== undefined && !undated.has(url) && history.kind === "git";
    return isDated && history.files.isMadeOfOthers(file) ? file : [];
  });
  return {
    first: true,
    time: past.time,
    present,
    collections,
    others,
    published: undefined,
    undated: [...undated],
    pages,
    clockCorrected: false,
    past: {
      history: history.kind,
      origin: originKindOf(settings, environment),
      undated: reasons,
      madeOfOthers: ofOthers,
      unreadVersions: past.unread,
    },
  };
}

export async function pastFromGit(
  settings: Settings,
  { builder }: Environment,
  inventory: Inventory,
  git: GitHistory,
  present: number,
): Promise<PastChanges> {
  const isOwnDocument = ownDocuments(settings.collections, settings);
  const { isCandidate } = fileRules({ ...settings, isOwnDocument });
  const { collections, news } = settings;
  const excluded = new Map(inventory.excluded.map((one) => [urlKey(one.url), one]));
  const resources = new Map(inventory.resources.map((one) => [urlKey(one.url), one]));
  const rules = { ...settings, isCandidate, annotate: builder?.annotate };
  const { addressOf, collectionOf } = pageAddresses(inventory, rules);
  const history = await readPageHistory(git, {
    addressOf,
    presentOf: (url) => {
      const present: Partial<Resource> = resources.get(urlKey(url)) ?? {};
      return {
        isExcluded: excluded.has(urlKey(url)),
        leadsTo: excluded.get(urlKey(url))?.leadsTo,
        ...pageFactsOf(present),
        blocks: present.blocks,
        undecoded: present.undecoded,
        isFrameMenu: present.isFrameMenu,
      };
    },
    site: settings.site,
    rule: contentRule(settings.content),
    isIncluded: anyOf(settings.include),
    isHome: (url) => collections.some((one) => one.url === url),
    remembers: settings.excerpts,
    now: present,
  });
  const commits = withPastTitles(history.commits, collectionOf);
  const { statements } = history;
  const told = { now: present, collectionOf, collections, statements, news };
  const changes = changesOfCommits(commits, told);
  const newest = changes.at(-1)?.datetime ?? 0;
  const committed = Math.min(history.newest ?? present, present);
  const time =
    settings.now ?? reproducibleTime(present) ?? (history.hasUncommitted ? present : committed);
  return {
    changes,
    time: Math.max(time, newest),
    unread: history.unread,
    collectionOf,
    isCompared: (url) => git.files.output?.followsFile(url) ?? false,
  };
}

function pastFromFiles(inventory: Inventory, times: FileTimes, present: number): PastChanges {
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
    unread: 0,
    collectionOf: (url) => collections.get(url),
    isCompared: () => false,
  };
}

/** https://reproducible-builds.org. Throws clockError. */
function reproducibleTime(present: number): number | undefined {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  if (epoch === undefined || !/^\d+$/.test(epoch)) return undefined;
  refuseFuture("SOURCE_DATE_EPOCH is", Number(epoch), present);
  return Number(epoch);
}

/** A page is left out when its history ends in another state, or when an earlier build left its file. */
function deriveFirst(
  inventory: Inventory,
  { changes: past, collectionOf, isCompared }: Omit<PastChanges, "time" | "unread">,
  { collections, note }: Pick<Settings, "collections" | "note">,
): ReadonlyMap<string, Derived> {
  const byUrl = new Map(inventory.resources.map((one) => [urlKey(one.url), one]));
  const stale = keysOf(inventory.stale);
  const last = new Map(past.map(({ url, kind }) => [urlKey(url), kind]));
  const fitting = past.filter(({ url }) => {
    const key = urlKey(url);
    const exists = byUrl.has(key);
    return (last.get(key) !== "deleted") === exists && (exists || !stale.has(key));
  });
  const lastmods = new Map(fitting.map(({ url, lastmod }) => [url, lastmod]));
  const { changes: dated, changed } = withTimes(fitting, isCompared);
  const site = namedSite(inventory);
  const titled = dated.map((change) => {
    const page = byUrl.get(urlKey(change.url));
    const collection = collections.find(({ url }) => url === page?.collection);
    if (change.title !== undefined || page === undefined || collection === undefined) return change;
    // The versions of a source file do not contain the page's title.
    return withName({ ...change, title: page.title }, page.url, collection, site);
  });
  const worded = withFirstWords(titled, (url) => byUrl.get(urlKey(url)), note);
  const noted = worded.filter(({ noteDigest }) => noteDigest !== undefined);
  const notes = new Map(noted.map(({ url, noteDigest }) => [url, noteDigest]));
  const changes = groupBy(worded, ({ url }) => collectionOf(url));
  const resources = groupBy(inventory.resources, ({ collection }) => collection);
  const derived = new Map<string, Derived>();
  for (const collection of new Set([...changes.keys(), ...resources.keys()])) {
    if (collection === undefined) continue;
    derived.set(collection, {
      changes: changes.get(collection) ?? [],
      snapshot: (resources.get(collection) ?? []).map((resource) =>
        snapshotEntry(
          { ...resource, noteDigest: notes.get(resource.url) },
          lastmods.get(resource.url),
          changed.get(resource.url) ?? "unknown",
        ),
      ),
    });
  }
  return derived;
}

/** When each page's content last changed; a withdrawn page keeps it for its return. */
function withTimes(past: readonly Change[], isCompared: PastChanges["isCompared"]) {
  const changed = new Map<string, ChangeTime>();
  const changes = past.map((change): Change => {
    const { url, kind, minor, moved, lastmod, changed: own } = change;
    if (kind === "deleted") return minor ? { ...change, ...timeOf(changed.get(url)) } : change;
    if ((minor && own === undefined) || !isCompared(url)) return change;
    const isSame = moved !== undefined && own === undefined;
    changed.set(url, isSame ? (changed.get(moved) ?? "unknown") : lastmod);
    return change;
  });
  return { changes, changed };
}

function keysOf(pages: readonly { readonly url: string }[]): ReadonlySet<string> {
  return new Set(pages.map(({ url }) => urlKey(url)));
}
