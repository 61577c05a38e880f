import { existsSync } from "node:fs";
import { join } from "node:path";
import { urlKey } from "@rs-emit/documents";
import { standingIn } from "../derive/after-imported.ts";
import type { FirstFacts, Past } from "../derive/first-publication.ts";
import { changesOfCommits, pageAddresses } from "../derive/history-changes.ts";
import { refuseFuture } from "../derive/publication-time.ts";
import {
  explainByFiles,
  type FileTimes,
  type GitHistory,
  historyOf,
} from "../history/explanations.ts";
import { type PublishedCommit, readPageHistory } from "../history/page-history.ts";
import type { RepositoryReading } from "../history/repositories.ts";
import { originKindOf } from "../history/source-links.ts";
import { readableVersions } from "../history/versions.ts";
import { siteFileRules } from "../inventory/file-rules.ts";
import type { Environment } from "../model/environment.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { type ImportedLog, importedLogs, type Recalled } from "../model/publication.ts";
import { filesOf, type Inventory, pageFactsOf, type Resource } from "../model/resources.ts";
import { decodePath, servedFiles } from "../model/url.ts";
import type { Settings } from "../options/settings.ts";
import { contentRule } from "../page/content/content-rule.ts";

/** What a run has read before it plans. */
export interface ReadSite {
  readonly inventory: Inventory;
  readonly recalled: Recalled;
  readonly reading: Promise<RepositoryReading | undefined>;
  /** UTC seconds, read before the inventory. */
  readonly present: number;
}

/**
 * What a first publication needs of the site's past.
 * @throws {EmitError} `SHALLOW_CLONE` when the beginning of the history is missing
 */
export async function gatherPast(
  settings: Settings,
  environment: Environment,
  { inventory, recalled, reading, present }: ReadSite,
): Promise<FirstFacts> {
  environment.onProgress?.({ step: "history", done: 0, total: 0 });
  const history = await historyOf(await reading, settings, environment, inventory);
  const past =
    history.kind === "git"
      ? await pastFromGit(settings, environment, inventory, history, present)
      : pastFromFiles(inventory, history, present);
  const imported = importedLogs(recalled);
  const gone = imported.flatMap((log) => gonePages(log, settings, inventory));
  return { history, origin: originKindOf(settings, environment), past, imported, gone };
}

/** Which publications a line of commits was, where not each commit was one. */
interface PublishedLine {
  readonly publicationOf: (commit: string) => PublishedCommit | undefined;
  /** Of the newest publication. */
  readonly time: number;
}

/** @param line by default each commit is a publication, and the newest one is the first publication */
export async function pastFromGit(
  settings: Settings,
  { builder }: Environment,
  inventory: Inventory,
  git: GitHistory,
  present: number,
  line?: PublishedLine,
): Promise<Past> {
  const { isCandidate, isIncluded } = siteFileRules(settings);
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
      };
    },
    site: settings.site,
    rule: contentRule(settings.content),
    isIncluded,
    isPresent: (url) => resources.has(urlKey(url)),
    isHome: (url) => collections.some((one) => one.url === url),
    remembers: settings.excerpts,
    now: present,
    publicationOf: line?.publicationOf,
  });
  const commits = readableVersions(history.commits);
  const { statements, hasBaseline } = history;
  const told = { now: present, collectionOf, collections, statements, news, hasBaseline };
  const changes = changesOfCommits(commits, told);
  const newest = changes.at(-1)?.datetime ?? 0;
  const committed = Math.min(history.newest ?? present, present);
  const time =
    line?.time ??
    settings.now ??
    reproducibleTime(present) ??
    (history.hasUncommitted ? present : committed);
  return {
    changes,
    time: Math.max(time, newest),
    unread: history.unread,
    collectionOf,
    isCompared: (url) => git.files.output?.followsFile(url) ?? false,
  };
}

function pastFromFiles(inventory: Inventory, times: FileTimes, present: number): Past {
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

/** Pages of an imported log that are no longer there. */
function gonePages(log: ImportedLog, settings: Settings, inventory: Inventory): readonly string[] {
  const { resources, excluded, stale } = inventory;
  const here = new Set([...resources, ...excluded, ...stale].map(({ url }) => urlKey(url)));
  return [...standingIn(log)].flatMap(([key, url]) =>
    here.has(key) || isServedFile(url, settings) ? [] : url,
  );
}

/** Whether the URL is a file that is no page, such as an image. */
function isServedFile(url: string, { folder, site }: Pick<Settings, "folder" | "site">): boolean {
  const { pathname } = new URL(url);
  const path = decodePath(pathname.slice(new URL(site).pathname.length));
  return servedFiles(path).some((file) => existsSync(join(folder, file)));
}
