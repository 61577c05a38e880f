import {
  documentOf,
  type Element,
  element,
  lineOf,
  readableAddress,
  webLink,
} from "@rs-emit/feeds";
import { HarvestError } from "@rs-emit/reader";
import { SaxesParser } from "saxes";

/** Lists of feeds as feed readers write and read them: OPML 2.0, "subscription lists". */

export const OPML_TYPE = "text/x-opml";

export interface FollowedFeed {
  readonly title: string;
  /** Where the feed stands; may be relative to the list. */
  readonly xmlUrl: string;
  /** What the feed is about: a collection, or a site. */
  readonly htmlUrl?: string;
  /** The folders that it stands in. */
  readonly labels?: readonly string[];
}

/** A list of feeds: first those without a label, then a folder for each label. A feed with several labels stands in each. */
export function opml(feeds: readonly FollowedFeed[], title = "Followed sites"): string {
  const folders = new Map<string, Element[]>();
  const loose: Element[] = [];
  for (const feed of feeds) {
    const { labels = [] } = feed;
    const outline = feedOutline(feed);
    if (labels.length === 0) loose.push(outline);
    for (const label of labels) {
      const folder = folders.get(label);
      if (folder === undefined) folders.set(label, [outline]);
      else folder.push(outline);
    }
  }
  const sorted = [...folders].sort(([one], [other]) => (one < other ? -1 : 1));
  return documentOf(
    element("opml", { version: "2.0" }, [
      element("head", {}, [element("title", {}, [lineOf(title)])]),
      element("body", {}, [
        ...loose,
        ...sorted.map(([name, outlines]) =>
          element("outline", { text: name, title: name }, outlines),
        ),
      ]),
    ]),
  );
}

function feedOutline({ title, xmlUrl, htmlUrl }: FollowedFeed): Element {
  const name = lineOf(title) || readableAddress(htmlUrl ?? xmlUrl);
  // Some readers show text, some title.
  return element("outline", {
    type: "rss",
    text: name,
    title: name,
    xmlUrl,
    htmlUrl: webLink(htmlUrl),
  });
}

/** An outline that names a feed, with its address or without. */
export interface OpmlOutline {
  /** Where it begins, from 1. */
  readonly line: number;
  readonly name: string;
  readonly xmlUrl: string | undefined;
  readonly htmlUrl: string | undefined;
  /** The names of the folders around it, the outermost first. */
  readonly folders: readonly string[];
}

/**
 * The outlines of feeds, in their order.
 *
 * @throws {HarvestError} where it is something else, or has a DOCTYPE
 * @throws {HarvestError} where it passes a limit
 */
export function readOpml(text: string): OpmlOutline[] {
  checkLength(text);
  const outlines: OpmlOutline[] = [];
  // Lines and blanks before the declaration are a common slip, as are ampersands that begin no reference.
  const [before = ""] = /^\ufeff?\s*/.exec(text) ?? [];
  const linesBefore = before.split(/\r\n|[\n\r]/).length - 1;
  const parser = new SaxesParser();
  /** A name for each open element; empty for those that are no folders. */
  const open: string[] = [];
  let line = 1;
  parser.on("doctype", () => parser.fail("a DOCTYPE is not accepted"));
  parser.on("opentagstart", () => {
    line = linesBefore + parser.line;
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (open.length >= SITE_LIST_LIMITS.depth) throw exceeded("depth");
    if (open.length === 0 && name !== "opml") parser.fail(`its root is ${name.slice(0, 60)}`);
    const outline = name === "outline" ? readOutline(attributes) : undefined;
    if (outline?.isFeed) {
      const folders = open.filter((one) => one !== "");
      outlines.push({ ...outline, line, folders });
    }
    if (outlines.length > SITE_LIST_LIMITS.sites) throw exceeded("sites");
    open.push(outline === undefined || outline.isFeed ? "" : outline.name);
  });
  parser.on("closetag", () => {
    open.pop();
  });
  parser.on("error", ({ message }) => {
    // It begins with the place, as the parser counts.
    const problem = message.replace(/^\d+:\d+: /, "").replace(/\.$/, "");
    const place = `line ${linesBefore + parser.line}, column ${Math.max(1, parser.column)}`;
    throw notOpmlError(`${place}: ${problem}`);
  });
  parser.write(text.slice(before.length).replace(/&(?![\w#]+;)/g, "&amp;")).close();
  return outlines;
}

/** Names of attributes are read in lower case: some exporters write `htmlurl`. Some write `text` alone, some `title` too. */
function readOutline(attributes: Readonly<Record<string, string>>) {
  const values = new Map(
    Object.entries(attributes).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  );
  // Some exporters write empty ones for folders.
  const [xmlUrl, htmlUrl] = ["xmlurl", "htmlurl"].map((name) => values.get(name) || undefined);
  return {
    name: lineOf(values.get("text") ?? "") || lineOf(values.get("title") ?? ""),
    isFeed: (xmlUrl ?? htmlUrl) !== undefined || values.get("type")?.toLowerCase() === "rss",
    xmlUrl,
    htmlUrl,
  };
}

/** The feeds in a list that `opml` wrote, each once. Throws as {@link readOpml} does. */
export function readFeedList(text: string): FollowedFeed[] {
  const feeds = new Map<string, FollowedFeed>();
  for (const { name: title, xmlUrl = "", htmlUrl, folders } of readOpml(text)) {
    if (xmlUrl === "") continue;
    const labels = [...new Set([...(feeds.get(xmlUrl)?.labels ?? []), ...folders])];
    feeds.set(xmlUrl, { title, xmlUrl, ...(htmlUrl === undefined ? {} : { htmlUrl }), labels });
  }
  return [...feeds.values()];
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

/** Bounds on an uploaded list of sites. */
export const SITE_LIST_LIMITS = {
  /** UTF-16 code units of the whole list. */
  length: 10_000_000,
  sites: 100_000,
  /** Nesting of an OPML file's folders. */
  depth: 64,
};

/** @throws {HarvestError} where a list is too long to be looked at */
export function checkLength(text: string): void {
  if (text.length > SITE_LIST_LIMITS.length) throw exceeded("length");
}

export function exceeded(limit: keyof typeof SITE_LIST_LIMITS): HarvestError {
  return new HarvestError({
    code: "SITE_LIST_LIMIT",
    problem: `The list passes the limit "${limit}" of ${SITE_LIST_LIMITS[limit]}.`,
    cure: "Split it into several lists.",
  });
}
