import { type DocumentReader, robotsSitemaps } from "@rs-emit/documents";
import {
  FetchError,
  foldersAbove,
  HarvestError,
  hasCode,
  inHttps,
  isAbsent,
  isHttp,
  isSameHost,
  normalizeAddress,
  resolveUrl,
  siteHost,
  type Transport,
} from "@rs-emit/reader";
import { feedOf } from "@rs-emit/reader/discover/own-feed";
import { documentIn, type PeekedDocument, partOf, peek } from "@rs-emit/reader/discover/peek";
import { isUnanswered } from "@rs-emit/reader/http/errors";
import { askTyped } from "@rs-emit/reader/http/https-first";
import { linksOf } from "@rs-emit/reader/page-links";
import { type Besides, NothingToReadError } from "../../check/reader.ts";

/** The usual names of sitemaps. */
const NAMES = ["sitemap.xml", "sitemap_index.xml"];

/** The name that Astro's integration gives to its index. */
const LAST_NAME = "sitemap-index.xml";

/** Sitemaps of one robots.txt, and links of one page, that are looked at. */
const MOST_LISTS = 20;

/** Folders above an address in which a site may have its own sitemap, from the nearest. */
const FOLDERS = 3;

/** The lists of a site's pages. */
export interface FoundLists {
  /** Addresses of Resource Lists, sitemaps or their indexes: all that the first successful place has. */
  readonly roots: readonly string[];
  /** The host whose pages they list, as `siteHost` gives it: they may be on another one. */
  readonly site: string;
}

/**
 * Finds the lists of a site's pages, in this order: the lists in the address's own folder and those above it, where the
 * address is no host's root; the sitemaps that robots.txt names; `/sitemap.xml`; `/sitemap_index.xml`; those that the page
 * links to with `rel="sitemap"`; `/sitemap-index.xml`. An address that is a list itself is taken as it is. Only robots.txt may
 * name lists on other hosts (sitemaps.org, "Sitemaps & Cross Submits").
 *
 * @param address as a follower gave it
 * @throws {HarvestError} where there are none
 * @throws {HarvestError} where a request failed, so that a list may exist
 */
export function findLists(transport: Transport, address: string): Promise<FoundLists> {
  return askTyped(transport, normalizeAddress(address), findFrom);
}

async function findFrom(transport: Transport, url: string): Promise<FoundLists> {
  const search = new ListSearch(transport, url);
  const page = await search.look(url);
  const start = page?.base ?? url;
  if (page !== undefined && (await search.isList(page)))
    return { roots: [page.url], site: siteHost(url) };
  const root = new URL("/", start).href;
  const site = siteHost(start);
  const isOwn = (url: string) => siteHost(url) === site;
  const named = page === undefined ? [] : linksOf(page, "sitemap").filter(isOwn);
  const places = [
    ...foldersAbove(start)
      .slice(0, FOLDERS)
      .flatMap((folder) => NAMES.map((name) => [folder + name])),
    async () => search.namedIn(new URL("/robots.txt", start).href),
    ...NAMES.map((name) => [root + name]),
    named,
    [root + LAST_NAME],
  ];
  for (const place of places) {
    const urls = typeof place === "function" ? await place() : place;
    const lists = await search.listsAmong(urls);
    if (lists.length > 0) return { roots: isHttp(start) ? lists : lists.map(inHttps), site };
  }
  throw (
    search.failure ??
    noListError(
      [...NAMES, LAST_NAME].map((name) => root + name),
      page,
    )
  );
}

/** Looks for the lists of a site, and says only whether it has any: see {@link OtherReader.suggest}. */
export async function findBesides(
  transport: Transport,
  address: string,
): Promise<Besides | undefined> {
  try {
    await findLists(transport, address);
    return { publishes: "sitemap" };
  } catch (error) {
    if (!(error instanceof HarvestError)) throw error;
    return error instanceof NothingToReadError ? error.besides : undefined;
  }
}

class ListSearch {
  /** The first failure after which a list may still exist. */
  failure: HarvestError | undefined;
  readonly #failed = new Set<string>();
  readonly #transport: Transport;
  readonly #start: string;

  /** @param start where the search begins; if nothing answers there, the search fails */
  constructor(transport: Transport, start: string) {
    this.#transport = transport;
    this.#start = start;
  }

  async look(url: string): Promise<PeekedDocument | undefined> {
    try {
      const answer = await this.#transport.get(url);
      return answer.status === "fresh" ? await peek(url, answer) : undefined;
    } catch (error) {
      if (!(error instanceof FetchError) || isUnanswered(error, this.#start)) throw error;
      if (isAbsent(error)) return undefined;
      this.failure ??= error;
      this.#failed.add(url);
      return undefined;
    }
  }

  async namedIn(robots: string): Promise<string[]> {
    const { text = "", base = robots } = (await this.look(robots)) ?? {};
    // What another host answers says nothing of this one's lists elsewhere.
    const isNamed = (url: string) => isSameHost(base, robots) || isSameHost(url, robots);
    return robotsSitemaps(text)
      .flatMap((target) => resolveUrl(target, robots) ?? [])
      .filter(isNamed);
  }

  /** Returns the lists; with one that can be read, also those that cannot: their first reading comes later. */
  async listsAmong(urls: readonly string[]): Promise<readonly string[]> {
    const named = [...new Set(urls)].slice(0, MOST_LISTS);
    const lists = new Set<string>();
    for (const url of named) {
      const peeked = await this.look(url);
      if (peeked !== undefined && (await this.isList(peeked))) lists.add(url);
    }
    return lists.size === 0 ? [] : named.filter((url) => lists.has(url) || this.#failed.has(url));
  }

  /** Whether it is a plain sitemap, a Resource List, or an index of them, and can be read. */
  async isList(peeked: PeekedDocument): Promise<boolean> {
    try {
      const document = await documentIn(peeked);
      return document !== undefined && isListOfPages(document);
    } catch (error) {
      if (!hasCode(error, "UNREADABLE")) throw error;
      this.failure ??= error;
      this.#failed.add(peeked.url);
      return false;
    }
  }
}

/** Any other capability means that the document lists something else than pages. */
export function isListOfPages({ head }: Pick<DocumentReader, "head">): boolean {
  const { capability } = head.metadata;
  return capability === undefined || capability.trim() === "resourcelist";
}

/**
 * A site without a Change List and without a list of its pages.
 *
 * @param places the addresses that were tried
 */
function noListError(
  places: readonly string[],
  page: PeekedDocument | undefined,
): NothingToReadError {
  const feed = page && feedOf(page);
  const fault = {
    code: "NO_LIST",
    problem:
      "This site publishes neither ResourceSync documents nor a list of its pages: robots.txt names no sitemap in XML, " +
      `${partOf(page)} has no link to one, and there is none at ${places.join(", ")}.`,
    cure: "To be followed, its author has to publish a sitemap or, better, a Change List, as rs-emit does.",
  };
  return new NothingToReadError(fault, {
    publishes: feed === undefined ? "nothing" : "feed",
    feed,
  });
}
