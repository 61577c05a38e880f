import { documentOf, element, lineOf, readableAddress, webLink } from "@rs-emit/feeds";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { HarvestError } from "./errors.ts";

/** Bounds on an uploaded list of sites. */
export const SITE_LIST_LIMITS = {
  /** UTF-16 code units of the whole list. */
  length: 10_000_000,
  sites: 100_000,
  /** Nesting of an OPML file's folders. */
  depth: 64,
  /** UTF-16 code units of an address. */
  address: 2_000,
};

/** @throws {SiteListLimitError} where a list is too long to be looked at */
function checkLength(text: string): void {
  if (text.length > SITE_LIST_LIMITS.length) {
    throw new SiteListLimitError("length", SITE_LIST_LIMITS.length);
  }
}

/** A text that is markup, but no OPML. */
export class NotOpmlError extends HarvestError {
  readonly code = "NOT_OPML";
  /** @param problem such as "line 3, column 7: a DOCTYPE is not accepted" */
  constructor(problem: string) {
    super(
      `This is no OPML file (${problem}). Give an OPML file as feed readers export it, or a text file ` +
        "with one address a line.",
    );
  }
}

/** A line of a list of sites that is no address. */
export class NotAddressError extends HarvestError {
  readonly code = "NOT_ADDRESS";
  /** Counted from 1. */
  readonly line: number;
  constructor(line: number, text: string) {
    super(`Line ${line} is no address: "${text}". Write one address a line, and comments after #.`);
    this.line = line;
  }
}

export class SiteListLimitError extends HarvestError {
  readonly code = "SITE_LIST_LIMIT";
  readonly limit: string;
  constructor(limit: string, maximum: number) {
    super(`The list passes the limit "${limit}" of ${maximum}. Split it into several lists.`);
    this.limit = limit;
  }
}

/**
 * The addresses in a list of sites, each once, in its order: an OPML file (it begins with `<`), or
 * a text with one address a line, blank lines, and comments from `#` on.
 *
 * @throws {NotOpmlError} where it is markup of another kind
 * @throws {NotAddressError} where a line holds more than an address
 * @throws {SiteListLimitError} where it passes a limit
 */
export function readSiteList(text: string): string[] {
  checkLength(text);
  const list = text.replace(/^\ufeff/, "");
  return list.trimStart().startsWith("<") ? readOpml(list) : readLines(list);
}

function readLines(list: string): string[] {
  const addresses = new Set<string>();
  for (const [index, line] of list.split(/\r\n|[\n\r]/).entries()) {
    // Within an address `#` begins a fragment.
    const comment = line.search(/(?:^|\s)#/);
    const address = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (address === "") continue;
    if (/[\s\p{Cc}]/u.test(address) || address.length > SITE_LIST_LIMITS.address) {
      throw new NotAddressError(index + 1, lineOf(address, 60));
    }
    addresses.add(address);
    if (addresses.size > SITE_LIST_LIMITS.sites) {
      throw new SiteListLimitError("sites", SITE_LIST_LIMITS.sites);
    }
  }
  return [...addresses];
}

interface Options {
  readonly position: false;
  readonly xmlns?: false;
}

/**
 * The addresses in an OPML file, each once, in its order. A feed reader's list has the address of each feed
 * (`xmlUrl`) and of its site (`htmlUrl`). A change log is looked for at the site, so the latter counts where both are there. Folders and outlines without either are passed over.
 *
 * @throws {NotOpmlError} where it is something else, or has a DOCTYPE
 * @throws {SiteListLimitError} where it passes a limit
 */
export function readOpml(text: string): string[] {
  checkLength(text);
  const sites = new Set<string>();
  const parser = new SaxesParser<Options>({ position: false });
  let depth = 0;
  parser.on("doctype", () => parser.fail("a DOCTYPE is not accepted"));
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > SITE_LIST_LIMITS.depth) throw exceeded("depth");
    if (depth === 1 && tag.name !== "opml") parser.fail(`its root is ${tag.name.slice(0, 60)}`);
    const address = tag.name === "outline" ? addressOf(tag) : undefined;
    if (address !== undefined) sites.add(address);
    if (sites.size > SITE_LIST_LIMITS.sites) throw exceeded("sites");
  });
  parser.on("closetag", () => {
    depth -= 1;
  });
  parser.on("error", ({ message }) => {
    const problem = message.replace(/\.$/, "");
    throw new NotOpmlError(`line ${parser.line}, column ${Math.max(1, parser.column)}: ${problem}`);
  });
  // Blanks before the declaration are a common slip.
  parser.write(text.replace(/^\ufeff/, "").trimStart()).close();
  return [...sites];
}

/** Some exporters write `htmlurl`. */
function addressOf({ attributes }: SaxesTagPlain): string | undefined {
  const byName = new Map<string, string>();
  for (const [name, value] of Object.entries(attributes)) byName.set(name.toLowerCase(), value);
  return webLink(byName.get("htmlurl")) ?? webLink(byName.get("xmlurl"));
}

function exceeded(limit: "depth" | "sites"): SiteListLimitError {
  return new SiteListLimitError(limit, SITE_LIST_LIMITS[limit]);
}

export const OPML_TYPE = "text/x-opml";

export interface FollowedFeed {
  readonly title: string;
  /** Where the feed stands; may be relative to the list. */
  readonly xmlUrl: string;
  /** What the feed is about: a collection, or a site. */
  readonly htmlUrl?: string;
}

/** A list of feeds as OPML 2.0 ("subscription lists"), as feed readers import it. */
export function opml(feeds: readonly FollowedFeed[], title = "Followed sites"): string {
  const outlines = feeds.map((feed) => {
    const name = lineOf(feed.title) || readableAddress(feed.htmlUrl ?? feed.xmlUrl);
    const { xmlUrl } = feed;
    const htmlUrl = webLink(feed.htmlUrl);
    // Some readers show text, some title.
    return element("outline", { type: "rss", text: name, title: name, xmlUrl, htmlUrl });
  });
  return documentOf(
    element("opml", { version: "2.0" }, [
      element("head", {}, [element("title", {}, [lineOf(title)])]),
      element("body", {}, outlines),
    ]),
  );
}
