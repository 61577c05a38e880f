import { HarvestError } from "../errors.ts";
import type { Transport } from "../http/answer.ts";
import { UnreachableError } from "../http/errors.ts";
import { resolveUrl } from "../read/place.ts";
import { normalizeAddress } from "./address.ts";
import { linksOf, sitemapsIn } from "./page-links.ts";
import { type PeekedDocument, Search } from "./search.ts";

const WELL_KNOWN = ".well-known/resourcesync";

/** Folders above an address that are tried, nearest first; the root always is. */
const FOLDERS = 6;

/** Links followed of one page, and sitemaps of one robots.txt. */
const LINKS = 5;

/**
 * Finds a site's Source Description from any of its addresses (ResourceSync 1.1, section 6.3):
 * 1. at the host's root: the well-known URI (IFCC-0001)
 * 2. at the address: a ResourceSync document, followed upwards, or a page's `resourcesync` links
 * 3. `.well-known/resourcesync` in each folder above: base paths cannot publish at the root
 * 4. sitemaps in robots.txt that are Resource Lists, followed upwards
 * Returns its URL, its index's, or that of a Capability List with nothing above. Throws {@link
 * AddressError}, {@link NotFoundError}, or {@link HarvestError} if it may exist.
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

/** Throws the error of `https:` if `http:` finds nothing: it may exist. */
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
  const sitemaps: string[] = [];
  for (const origin of origins) sitemaps.push(...(await sitemapsOf(search, origin)));
  const { failure } = search;
  for (const sitemap of sitemaps) {
    const found = await search.climb(sitemap);
    if (found !== undefined) return found;
  }
  if (failure !== undefined) throw failure;
  const others = places.filter((one) => one !== root);
  // A sitemap is rarely a Resource List: one that cannot be read does not mean that there may be a change log.
  throw new NotFoundError({ page: start, places: [root, ...others], unread: search.failure });
}

async function followPage(search: Search, page: PeekedDocument): Promise<string | undefined> {
  const own = await search.climb(page.url);
  if (own !== undefined) return own;
  for (const link of linksOf(page).slice(0, LINKS)) {
    const found = await search.climb(link);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function sitemapsOf(search: Search, address: string): Promise<string[]> {
  const robots = await search.look(new URL("/robots.txt", address).href, false);
  if (robots === undefined) return [];
  const targets = sitemapsIn(robots.text).slice(0, LINKS);
  return targets.flatMap((target) => resolveUrl(target, robots.base) ?? []);
}

function wellKnownAbove(address: string): string[] {
  const names = new URL(address).pathname.split("/").slice(1, -1);
  const folders = names.map((_, at) => `/${names.slice(0, at + 1).join("/")}/`).reverse();
  return [...folders.slice(0, FOLDERS), "/"].map(
    (folder) => new URL(folder + WELL_KNOWN, address).href,
  );
}

interface LookedAt {
  readonly page: string;
  /** The first is where the author should publish it. */
  readonly places: readonly [string, ...string[]];
  /** Why a sitemap that robots.txt names could not be read. */
  readonly unread?: HarvestError | undefined;
}

/** No change log was found at the address or around it. */
export class NotFoundError extends HarvestError {
  readonly code = "NO_SOURCE";
  constructor({ page, places, unread }: LookedAt) {
    const [place, ...others] = places;
    const elsewhere = others.length === 0 ? "" : ` (nor at ${others.join(", ")})`;
    const named =
      unread === undefined
        ? "no robots.txt names them"
        : `what robots.txt names could not be read (${unread.message.replace(/\.$/, "")})`;
    super(
      `This site publishes no ResourceSync documents: there is nothing at ${place}${elsewhere}, the page ` +
        `${page} has no link to them, and ${named}. ` +
        `To be followed, its author has to publish a Source Description at ${place}, as rs-emit does.`,
      unread === undefined ? {} : { cause: unread },
    );
  }
}
