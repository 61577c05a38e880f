import { type Entry, urlKey } from "@rs-emit/documents";
import type { Environment } from "../model/environment.ts";
import { EmitError, isEmitError } from "../model/errors.ts";
import { isFolder } from "../model/file-system.ts";
import { CAPABILITY_LIST } from "../model/layout.ts";
import { importedLogs, publishedCollections, type Recalled } from "../model/publication.ts";
import { type Inventory, ON_DEMAND } from "../model/resources.ts";
import { isReservedAddress } from "../model/site-address.ts";
import type { Settings } from "../options/settings.ts";
import { othersIn } from "./description.ts";
import { FolderStore } from "./document-store.ts";
import { noPreviousFolderError, otherSiteError, stalePagesError } from "./errors.ts";
import { isUnknownHost, SiteStore } from "./live-site.ts";
import { entryOf, LogComparison } from "./log-comparison.ts";
import { refuseTraces } from "./nothing-published.ts";
import { type RecallRequest, recall } from "./recall.ts";

/** @throws {EmitError} when it is unclear whether anything was published */
export async function recallFrom(settings: Settings, environment: Environment): Promise<Recalled> {
  const recalled = await recallPrevious(settings, environment);
  const isHere = recalled.kind === "published" && recalled.publication.folder === settings.folder;
  const here = isHere ? [] : await othersIn(new FolderStore(settings.folder));
  const replaced = importedLogs(recalled).flatMap(({ capabilityLists }) => capabilityLists);
  const own = [...settings.collections.map(({ url }) => url + CAPABILITY_LIST), ...replaced];
  return { ...recalled, others: kept([...recalled.others, ...here], own) };
}

function kept(others: readonly Entry[], own: readonly string[]): readonly Entry[] {
  const byLoc = new Map(others.map((entry) => [entry.loc, entry]));
  return [...byLoc.values()].filter(({ loc }) => !own.includes(loc));
}

async function recallPrevious(settings: Settings, environment: Environment): Promise<Recalled> {
  const { previous } = settings;
  switch (previous.kind) {
    case "none":
      return { kind: "nothing", others: [] };
    case "output":
      return settings.first
        ? recallOutput(settings, environment)
        : recallHereFirst(recallOutput(settings, environment), settings, environment);
    case "folder": {
      if (!isFolder(previous.folder)) {
        throw noPreviousFolderError(previous.folder);
      }
      const copy = recallFolder(settings, previous.folder);
      return settings.first ? copy : recallHereFirst(copy, settings, environment);
    }
    case "site":
      return recallSiteFirst(settings, environment);
    case "auto":
      return recallHereFirst(recallOutput(settings, environment), settings, environment);
  }
}

/** Reads a folder. Where it has at most a Source Description or a no-log file, reads the live site. */
async function recallHereFirst(
  folder: Promise<Recalled>,
  settings: Settings,
  environment: Environment,
): Promise<Recalled> {
  let lost: EmitError | undefined;
  const here = await folder.catch((error: unknown): Recalled => {
    if (!isEmitError(error, "LOST_LOG", "LOG_ELSEWHERE")) throw error;
    lost = error;
    return { kind: "nothing", others: [] };
  });
  if (here.kind === "published") return here;
  const site = isReserved(settings) ? here : await recallSite(settings, environment);
  if (site.kind === "published") return site;
  if (lost !== undefined) await requireNew(lost, settings, environment);
  return { ...site, ...here };
}

/**
 * The folder has a Source Description without its log, or a no-log file. Where nothing is live, a no-log file stops
 * nobody: the build may have been for a site that did not exist yet, or for a mistyped address.
 */
async function requireNew(
  lost: EmitError,
  settings: Settings,
  environment: Environment,
): Promise<void> {
  const { code, about: marked } = lost;
  if (code !== "LOG_ELSEWHERE") throw lost;
  const { site, movedFrom } = settings;
  if (marked === undefined || [site, movedFrom].includes(marked) || isReservedAddress(marked))
    return;
  try {
    const there = await recallAddresses([marked], { ...settings, movedFrom: marked }, environment);
    if (there.kind === "published") throw otherSiteError(marked, site);
  } catch (error) {
    if (!isUnknownHost(error)) throw error;
  }
}

/** Nobody can have published at an address that is reserved for examples. */
function isReserved({ site, movedFrom = site }: Settings): boolean {
  return isReservedAddress(site) && isReservedAddress(movedFrom);
}

/** Reads the live site. Where it is empty, reads the output folder's log, which is not deployed yet. */
async function recallSiteFirst(settings: Settings, environment: Environment): Promise<Recalled> {
  const site = await recallSite(settings, environment);
  if (site.kind === "published") return site;
  const output = await recallOutput(settings, environment).catch((error: unknown): Recalled => {
    if (isEmitError(error, "LOST_LOG")) return site;
    throw error;
  });
  return output.kind === "published" ? output : site;
}

export function recallOutput(settings: Settings, { documents }: Environment): Promise<Recalled> {
  return recallFolder(settings, documents ?? settings.folder);
}

export function recallFolder(settings: Settings, folder: string): Promise<Recalled> {
  return recall(new FolderStore(folder), requestOf(settings, false));
}

/** Reads the live site at its present or former address. */
export async function recallSite(settings: Settings, environment: Environment): Promise<Recalled> {
  const { site, movedFrom } = settings;
  const addresses = movedFrom === undefined ? [site] : [site, movedFrom];
  try {
    return await recallAddresses(addresses, settings, environment);
  } catch (error) {
    if (!isSiteUnclear(error) || !(await environment.confirmFirst?.(error.problem))) throw error;
    return { kind: "nothing", others: [] };
  }
}

/** Reads the first of the addresses that was published, or makes sure that none was. */
async function recallAddresses(
  addresses: readonly string[],
  settings: Settings,
  { cacheFolder, siteLimits: limits }: Environment,
): Promise<Recalled> {
  const { first } = settings;
  let recalled: Recalled = { kind: "nothing", others: [] };
  const stores = addresses.map((site) => new SiteStore({ site, first, cacheFolder, limits }));
  for (const store of stores) {
    recalled = await recall(store, requestOf(settings, true));
    if (recalled.kind === "published") return recalled;
    if (store.unclear !== undefined) throw store.unclear;
  }
  if (!first) for (const store of stores) await refuseTraces(store, settings);
  return recalled;
}

/** Whether the error leaves open what the live site has published. */
export function isSiteUnclear(error: unknown): error is EmitError {
  return isEmitError(error, "SITE_UNREACHABLE", "SITE_STATUS", "SITE_CATCH_ALL");
}

function requestOf(settings: Settings, strict: boolean): RecallRequest {
  const { site, movedFrom, collections, period, force, first } = settings;
  return { site, movedFrom, collections, period, force, first, strict };
}

/**
 * With the live site's log, an outdated page looks edited. The folder's older documents distinguish it.
 * @throws {EmitError} `STALE_PAGES`
 */
export async function refuseStalePages(
  settings: Settings,
  environment: Environment,
  recalled: Recalled,
  inventory: Inventory,
): Promise<void> {
  const live = publishedCollections(recalled);
  if (settings.previous.kind !== "site" || live.length === 0) return;
  const older = await recallOutput(settings, environment).catch((error: unknown) => {
    if (error instanceof EmitError) return undefined; // Unreadable documents are written anew.
    throw error;
  });
  if (older?.kind !== "published") return;
  const own = older.publication.collections;
  const comparison = await LogComparison.of(own, live);
  const isBuilt = environment.builder !== undefined;
  if (isBuilt && !comparison.hasBase) return;
  if (comparison.relation === "same" || comparison.relation === "ahead") return;
  const resources = new Map(inventory.resources.map((page) => [urlKey(page.url), page]));
  const isLeftOut = leftOut(recalled, inventory);
  const pages: { stale: string[]; both: string[] } = { stale: [], both: [] };
  for (const key of new Set([...own, ...live].flatMap(({ snapshot }) => [...snapshot.keys()]))) {
    const [here, there] = [resources.get(key), entryOf(live, key)];
    if (isLeftOut(key) || [here, there].some((one) => one?.content === ON_DEMAND)) continue;
    const verdict = comparison.verdict(key, here, there);
    if (verdict === "stale" || verdict === "both")
      pages[verdict].push(pathOfKey(key, settings.site));
  }
  // A builder's pages are never edited in the folder: the sources decide.
  const both = isBuilt ? [] : pages.both;
  if (pages.stale.length + both.length === 0) return;
  const { site, folder } = settings;
  throw stalePagesError({ site, folder, stale: pages.stale, both });
}

/** Pages of a folder that no list contains. */
function leftOut(recalled: Recalled, { excluded, stale }: Inventory): (key: string) => boolean {
  const here = new Set([...excluded, ...stale].map(({ url }) => urlKey(url)));
  const there = publishedCollections(recalled);
  return (key) => here.has(key) || there.some((collection) => collection.excluded.has(key));
}

function pathOfKey(key: string, site: string): string {
  return key.slice(urlKey(site).length) || "/";
}
