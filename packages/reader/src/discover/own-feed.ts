import { linksInHead } from "../page-links.ts";
import type { PeekedDocument } from "./peek.ts";

/** Atom, RSS and JSON Feed. */
const FEED_TYPE = /^application\/(?:(?:atom|rss)\+xml|feed\+json)\s*(?:;|$)/i;

/** Characters of a feed's address. */
const LONGEST_FEED = 2_000;

/** The address of a page's feed: the first that it links to, or its own where it is one. */
export function feedOf({ text, base }: PeekedDocument): string | undefined {
  const beginning = text.slice(0, 4096);
  const [root] = /<(?:html|body|rss|feed|rdf:RDF)[\s>]/i.exec(beginning) ?? [];
  const isJson = /^\s*\{/.test(beginning) && beginning.includes("https://jsonfeed.org/version/");
  if (isJson || (root !== undefined && !/^<(?:html|body)/i.test(root))) return base;
  const links = linksInHead(text, base, "alternate", (type) => FEED_TYPE.test(type));
  return links.find((url) => url !== undefined && url.length <= LONGEST_FEED);
}
