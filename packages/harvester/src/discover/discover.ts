import type { Transport } from "../http/answer.ts";
import { UnreachableError } from "../http/errors.ts";
import { resolveUrl } from "../read/place.ts";
import { normalizeAddress } from "./address.ts";
import { NotFoundError } from "./errors.ts";
import { linksOf } from "./page-links.ts";
import type { PeekedDocument } from "./peeked-document.ts";
import { Search } from "./search.ts";

const WELL_KNOWN = ".well-known/resourcesync";

/** A line of robots.txt that names a sitemap, whatever group it stands in. */
const SITEMAP = /^[ \t]*sitemap[ \t]*:[ \t]*(\S+)/gim;

/** Folders above an address that are tried, from the nearest; the host's root always is. */
const FOLDERS = 6;

/** Links of one page, and sitemaps of one robots.txt, that are followed. */
const LINKS = 5;

/**
 * Finds the Source Description of a site from any address of it (ResourceSync 1.1, section 6.3), in this
 * order:
 *
 * 1. where the address is the host's root, the well-known URI there (IFCC-0001)
 * 2. what stands at the address: a ResourceSync document, followed upwards; or a page, whose header `Link`
 *    and `link` elements with the relation `resourcesync` lead to one
 * 3. `.well-known/resourcesync` in each folder from the address's up to the host's root: a site below a
 *    base path cannot publish at the root, and what stands there may be another site's
 * 4. the sitemaps that robots.txt names, where they are Resource Lists, followed upwards
 *
 * A document is known by its content. A host that cannot be had by `https:` is asked by `http:`.
 *
 * @param address as somebody types it, with or without a scheme
 * @returns the URL of the Source Description, or of the index of several; of the Capability List where
 *   nothing is above that
 * @throws {AddressError} when it is no address
 * @throws {NotFoundError} when there is nothing in any of these places
 * @throws {HarvestError} when something kept it from being found: then it may be there
 */
export async function discover(transport: Transport, address: string): Promise<string> {
  const start = normalizeAddress(address);
  try {
    return await discoverFrom(transport, start);
  } catch (error) {
    if (!(error instanceof UnreachableError) || !start.startsWith("https:")) throw error;
    return discoverPlainly(transport, start, error);
  }
}

/** @throws what `https:` failed by, where nothing is found by `http:`: it may be there */
async function discoverPlainly(
  transport: Transport,
  start: string,
  failure: UnreachableError,
): Promise<string> {
  try {
    return await discoverFrom(transport, start.replace("https:", "http:"));
  } catch (error) {
    const isNews = !(error instanceof UnreachableError) && !(error instanceof NotFoundError);
    throw isNews ? error : failure;
  }
}

async function discoverFrom(transport: Transport, start: string): Promise<string> {
  const search = new Search(transport, start);
  const root = new URL(`/${WELL_KNOWN}`, start).href;
  const atRoot = new URL(start).pathname === "/" ? await search.climb(root, true) : undefined;
  if (atRoot !== undefined) return atRoot;
  const page = await search.look(start, true);
  const fromPage = page && (await followPage(search, page));
  if (fromPage !== undefined) return fromPage;
  const origins = [...new Set([start, page?.base ?? start])];
  const places = [...new Set(origins.flatMap(wellKnownAbove))];
  for (const place of places) {
    const found = await search.climb(place, true);
    if (found !== undefined) return found;
  }
  for (const origin of origins) {
    const found = await followRobots(search, origin);
    if (found !== undefined) return found;
  }
  throw (
    search.failure ??
    new NotFoundError({ page: start, places: [root, ...places.filter((one) => one !== root)] })
  );
}

/** What stands at the address is a document itself, or a page that links to one. */
async function followPage(search: Search, page: PeekedDocument): Promise<string | undefined> {
  const own = await search.climb(page.url);
  if (own !== undefined) return own;
  for (const link of linksOf(page).slice(0, LINKS)) {
    const found = await search.climb(link);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function followRobots(search: Search, address: string): Promise<string | undefined> {
  const url = new URL("/robots.txt", address).href;
  const robots = await search.look(url, false);
  if (robots === undefined) return undefined;
  for (const [, sitemap = ""] of [...robots.text.matchAll(SITEMAP)].slice(0, LINKS)) {
    const target = resolveUrl(sitemap, robots.base);
    const found = target === undefined ? undefined : await search.climb(target);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The places for a Source Description in the folder of an address and in those above it. */
function wellKnownAbove(address: string): string[] {
  const names = new URL(address).pathname.split("/").slice(1, -1);
  const folders = names.map((_, at) => `/${names.slice(0, at + 1).join("/")}/`).reverse();
  return [...folders.slice(0, FOLDERS), "/"].map(
    (folder) => new URL(folder + WELL_KNOWN, address).href,
  );
}
