import { urlKey } from "@rs-emit/documents";
import type { Environment } from "../model/environment.ts";
import { EmitError } from "../model/errors.ts";
import { publishedCollections, type Recalled } from "../model/publication.ts";
import { type Inventory, ON_DEMAND } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import { Comparison, entryOf } from "./comparison.ts";
import { stalePagesError } from "./errors.ts";
import { recallOutput } from "./previous.ts";

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
  const comparison = await Comparison.of(own, live);
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
    if (verdict === "stale" || verdict === "both") pages[verdict].push(pathOf(key, settings.site));
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

function pathOf(key: string, site: string): string {
  return key.slice(urlKey(site).length) || "/";
}
