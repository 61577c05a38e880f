import { type Head, robotsSitemaps } from "@rs-emit/documents";
import { foldersAbove, isSameHost, normalizeAddress, resolveUrl, siteHost } from "../address.ts";
import { HarvestError } from "../errors.ts";
import { FetchError, isAbsent, isRefusal, isSilence } from "../http/errors.ts";
import { askTyped } from "../http/https-first.ts";
import type { Transport } from "../http/transport.ts";
import { linksOf } from "../page-links.ts";
import { documentIn, type PeekedDocument, partOf, peek } from "./peek.ts";

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
 * An address is asked as it is typed; only a bare name may be asked by http.
 * Returns its URL, its index's, or that of a Capability List with nothing above. Throws {@link
 * AddressError}, {@link NotFoundError}, or {@link HarvestError} if it may exist.
 */
export async function discover(transport: Transport, address: string): Promise<string> {
  return askTyped(transport, normalizeAddress(address), discoverFrom);
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
  const answered = [root, ...others].filter((place) => search.hasAnswered(place));
  throw new NotFoundError({
    page: start,
    read: partOf(page),
    places: [root, ...others],
    answered,
    refused: search.refused,
    unread: search.failure,
  });
}

async function followPage(search: Search, page: PeekedDocument): Promise<string | undefined> {
  const own = await search.climb(page.url);
  if (own !== undefined) return own;
  for (const link of linksOf(page, "resourcesync").slice(0, LINKS)) {
    const found = await search.climb(link);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function sitemapsOf(search: Search, address: string): Promise<string[]> {
  const robots = await search.look(new URL("/robots.txt", address).href, false);
  if (robots === undefined) return [];
  const targets = robotsSitemaps(robots.text).slice(0, LINKS);
  return targets.flatMap((target) => resolveUrl(target, robots.base) ?? []);
}

function wellKnownAbove(address: string): string[] {
  const root = new URL("/", address).href;
  return [...foldersAbove(address).slice(0, FOLDERS), root].map((folder) => folder + WELL_KNOWN);
}

interface LookedAt {
  readonly page: string;
  /** What was read of it, as {@link partOf} says it. */
  readonly read?: string;
  /** The first is where the author should publish it. */
  readonly places: readonly [string, ...string[]];
  /** Those at which something is that is no ResourceSync document: many hosts send a page in place of a 404. */
  readonly answered?: readonly string[];
  /** Those that redirect to nowhere, or that the host does not let us see. */
  readonly refused?: readonly FetchError[];
  /** Why a sitemap that robots.txt names could not be read. */
  readonly unread?: HarvestError | undefined;
}

/** No change log was found at the address or around it. */
export class NotFoundError extends HarvestError {
  constructor({ page, read = "the page", places, answered = [], refused = [], unread }: LookedAt) {
    const [place] = places;
    const other = [...answered, ...refused.map(({ url }) => url)];
    const [nothing, ...others] = places.filter((one) => !other.includes(one));
    const elsewhere = others.length === 0 ? "" : ` (nor at ${others.join(", ")})`;
    const found = [
      ...(nothing === undefined ? [] : [`there is nothing at ${nothing}${elsewhere}`]),
      ...(answered.length === 0 ? [] : [`what is at ${answered.join(" and ")} is something else`]),
      ...refused.map(({ message }) => message.replace(/\.$/, "")),
    ];
    const named =
      unread === undefined
        ? "no robots.txt names them"
        : `what robots.txt names could not be read (${unread.message.replace(/\.$/, "")})`;
    super({
      code: "NO_SOURCE",
      problem:
        `This site publishes no ResourceSync documents: ${found.join(", ")}, ${read} ` +
        `${page} has no link to them, and ${named}.`,
      cure: `To be followed, its author has to publish a Source Description at ${place}, as rs-emit does.`,
      cause: unread,
    });
  }
}

const REQUESTS = 40;

/** Documents from a list up to the index of Source Descriptions. Bounds cycles. */
const CLIMB = 6;

class Search {
  /** The first failure after which something may still exist. */
  failure: HarvestError | undefined;
  readonly refused: FetchError[] = [];
  readonly #transport: Transport;
  readonly #host: string;
  readonly #peeked = new Map<string, PeekedDocument | undefined>();

  /** @param start where the search begins; if its host does not answer, the search fails */
  constructor(transport: Transport, start: string) {
    this.#transport = transport;
    this.#host = siteHost(start);
  }

  /**
   * Reads an address, if something is there, and notes a failure. Throws if the site's own host
   * does not answer.
   * @param isCertain something must be there, so a 403 is a failure
   */
  async look(url: string, isCertain: boolean): Promise<PeekedDocument | undefined> {
    if (this.#peeked.has(url)) return this.#peeked.get(url);
    if (this.#peeked.size >= REQUESTS) return undefined;
    const peeked = await this.#ask(url, isCertain);
    this.#peeked.set(url, peeked);
    return peeked;
  }

  /** Whether something is at an address that was looked at. */
  hasAnswered(url: string): boolean {
    return this.#peeked.get(url) !== undefined;
  }

  /**
   * Follows `up` and `index` links (ResourceSync 1.1, section 6.2) to the topmost document.
   * @param isWellKnown only the host itself can have put it there
   */
  async climb(url: string, isWellKnown = false): Promise<string | undefined> {
    const before = this.failure;
    let best: string | undefined;
    let next: string | undefined = url;
    for (let step = 0; step < CLIMB && next !== undefined; step += 1) {
      const peeked: PeekedDocument | undefined = await this.look(next, !isWellKnown || step > 0);
      const document = peeked && (await this.#understand(peeked));
      if (peeked === undefined || document === undefined) break;
      const place = foundPlace(peeked, isWellKnown && step === 0);
      if (document.kind === "source-description-index") return place;
      if (document.kind === "source-description") best = place;
      else if (document.kind === "capability-list") best ??= place;
      next = wayUp(document, peeked);
    }
    // The document that failed may have been the better answer.
    return this.failure === before ? best : undefined;
  }

  async #ask(url: string, isCertain: boolean): Promise<PeekedDocument | undefined> {
    try {
      const answer = await this.#transport.get(url);
      return answer.status === "fresh" ? await peek(url, answer) : undefined;
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (isAbsent(error)) return undefined;
      if (isSilence(error) && siteHost(url) === this.#host) throw error;
      if (isRefusal(error)) this.refused.push(error);
      if (isCertain || !isRefusal(error)) this.failure ??= error;
      return undefined;
    }
  }

  async #understand(peeked: PeekedDocument) {
    try {
      return await documentIn(peeked);
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      this.failure ??= error;
      return undefined;
    }
  }
}

/** At a well-known URI only the host can redirect. Elsewhere anybody could speak for the site. */
function foundPlace({ base, permanentUrl }: PeekedDocument, isWellKnown: boolean): string {
  return isWellKnown || isSameHost(permanentUrl, base) ? permanentUrl : base;
}

function wayUp(
  { head, kind }: { readonly head: Head; readonly kind: string | undefined },
  { base }: PeekedDocument,
): string | undefined {
  const relations = kind === "source-description" ? ["index"] : ["up", "index"];
  for (const relation of relations) {
    const link = head.links.find(({ rel }) => rel.toLowerCase() === relation);
    if (link !== undefined) return resolveUrl(link.href, base);
  }
  return undefined;
}
