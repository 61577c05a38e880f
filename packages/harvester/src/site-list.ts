import { documentOf, element, lineOf, readableAddress, webLink } from "@rs-emit/feeds";
import { addressIn, HarvestError, shownAddress } from "@rs-emit/reader";
import { SaxesParser } from "saxes";

/** Bounds on an uploaded list of sites. */
export const SITE_LIST_LIMITS = {
  /** UTF-16 code units of the whole list. */
  length: 10_000_000,
  sites: 100_000,
  /** Nesting of an OPML file's folders. */
  depth: 64,
};

/** @throws {HarvestError} where a list is too long to be looked at */
function checkLength(text: string): void {
  if (text.length > SITE_LIST_LIMITS.length) {
    throw siteListLimitError("length", SITE_LIST_LIMITS.length);
  }
}

/**
 * A text that is markup, but no OPML.
 *
 * @param problem such as "line 3, column 7: a DOCTYPE is not accepted"
 */
function notOpmlError(problem: string): HarvestError {
  return new HarvestError({
    code: "NOT_OPML",
    problem: `This is no OPML file (${problem}).`,
    cure: "Give an OPML file as feed readers export it, or a text file with one address a line.",
  });
}

function siteListLimitError(limit: string, maximum: number): HarvestError {
  return new HarvestError({
    code: "SITE_LIST_LIMIT",
    problem: `The list passes the limit "${limit}" of ${maximum}.`,
    cure: "Split it into several lists.",
  });
}

/** What cannot be followed, without the user name and password that it may hold. */
export interface RefusedAddress {
  readonly address: string;
  readonly problem: string;
}

/** What a list of sites names. */
export interface SiteList {
  /** Each once, in the order of the list. */
  readonly addresses: readonly string[];
  /** Lines that hold anything but one address. */
  readonly refused: readonly RefusedAddress[];
}

/**
 * Reads a list of sites: an OPML file (it begins with `<`), or a text with one address a line, blank lines, and comments
 * from `#` on.
 *
 * @throws {HarvestError} where it is markup of another kind
 * @throws {HarvestError} where it passes a limit
 */
export function readSiteList(text: string): SiteList {
  checkLength(text);
  const list = text.replace(/^\ufeff/, "");
  return list.trimStart().startsWith("<")
    ? { addresses: readOpml(list), refused: [] }
    : readLines(list);
}

function readLines(list: string): SiteList {
  const addresses = new Set<string>();
  const refused: RefusedAddress[] = [];
  for (const [index, line] of list.split(/\r\n|[\n\r]/).entries()) {
    // Within an address `#` begins a fragment.
    const comment = line.search(/(?:^|\s)#/);
    const address = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (address === "") continue;
    const isAddress = addressIn(address) !== undefined && !/\p{Cc}/u.test(address);
    if (isAddress) addresses.add(address);
    else refused.push(refusedLine(index + 1, lineOf(shownAddress(address), 60)));
    if (addresses.size + refused.length > SITE_LIST_LIMITS.sites) throw exceeded("sites");
  }
  return { addresses: [...addresses], refused };
}

function refusedLine(line: number, address: string): RefusedAddress {
  const cure = "Write one address a line, and comments after #.";
  return { address, problem: `Line ${line} is no address: "${address}". ${cure}` };
}

interface Options {
  readonly position: false;
  readonly xmlns?: false;
}

/**
 * The addresses in an OPML file, each once, in its order. A feed reader's list has the address of each feed
 * (`xmlUrl`) and of its site (`htmlUrl`). A change log is looked for at the site, so the latter counts where both are there. Folders and outlines without either are passed over.
 *
 * @throws {HarvestError} where it is something else, or has a DOCTYPE
 * @throws {HarvestError} where it passes a limit
 */
export function readOpml(text: string): string[] {
  const sites = new Set<string>();
  for (const outline of readOutlines(text)) {
    const address = webLink(outline.get("htmlurl")) ?? webLink(outline.get("xmlurl"));
    if (address !== undefined) sites.add(address);
  }
  return [...sites];
}

/** The feeds in a list that `opml` wrote. Throws as {@link readOpml} does. */
export function readFeedList(text: string): FollowedFeed[] {
  return readOutlines(text).flatMap((outline) => {
    const [title = "", xmlUrl = ""] = [outline.get("title"), outline.get("xmlurl")];
    const htmlUrl = outline.get("htmlurl");
    return xmlUrl === "" ? [] : [{ title, xmlUrl, ...(htmlUrl === undefined ? {} : { htmlUrl }) }];
  });
}

/** The attributes of each outline with an address. Names are in lower case: some exporters write `htmlurl`. */
function readOutlines(text: string): ReadonlyMap<string, string>[] {
  checkLength(text);
  const outlines: ReadonlyMap<string, string>[] = [];
  const parser = new SaxesParser<Options>({ position: false });
  let depth = 0;
  parser.on("doctype", () => parser.fail("a DOCTYPE is not accepted"));
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > SITE_LIST_LIMITS.depth) throw exceeded("depth");
    if (depth === 1 && name !== "opml") parser.fail(`its root is ${name.slice(0, 60)}`);
    if (name !== "outline") return;
    const values = Object.entries(attributes);
    const outline = new Map(values.map(([name, value]) => [name.toLowerCase(), value]));
    if (outline.has("xmlurl") || outline.has("htmlurl")) outlines.push(outline);
    if (outlines.length > SITE_LIST_LIMITS.sites) throw exceeded("sites");
  });
  parser.on("closetag", () => {
    depth -= 1;
  });
  parser.on("error", ({ message }) => {
    const problem = message.replace(/\.$/, "");
    throw notOpmlError(`line ${parser.line}, column ${Math.max(1, parser.column)}: ${problem}`);
  });
  // Blanks before the declaration are a common slip.
  parser.write(text.replace(/^\ufeff/, "").trimStart()).close();
  return outlines;
}

function exceeded(limit: "depth" | "sites"): HarvestError {
  return siteListLimitError(limit, SITE_LIST_LIMITS[limit]);
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
