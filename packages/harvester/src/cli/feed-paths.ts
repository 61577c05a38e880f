import { createHash } from "node:crypto";

/** The feed and the list of everything, in the folder of feeds. */
export const ALL_FEED_PATH = "all.atom";
export const OPML_PATH = "feeds.opml";

/** Digits of a digest in a file name. */
const DIGITS = 12;

const LONGEST = { slug: 40, part: 60, path: 120 };

/** Valid names on every file system that cannot be taken for other kinds of names. */
const PLAIN = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
const NOT_PLAIN = [
  /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/, // devices of Windows, whatever their extension
  /\.(?:atom|opml)$/,
  /-archive-\d+$/,
  new RegExp(`-[0-9a-f]{${DIGITS}}$`),
];

/**
 * `example.org/moss.atom` for `https://example.org/moss/`, `example.org/index.atom` for the site
 * itself. A URL that is no valid name everywhere (capitals, other scripts, a query) has a digest:
 * `example.org/moss-165423cfacfa.atom`.
 * Stable, ASCII, at most 200 characters, and unique even without regard to case.
 */
export function collectionFeedPath(url: string): string {
  const { href, host, path } = partsOf(url);
  const segments = path.split("/").slice(1, -1);
  const name = segments.join("/");
  const isPlainUrl =
    href === ["https:", "", host, ...segments, ""].join("/") &&
    segments.every(isPlain) &&
    name !== "index" &&
    name.length <= LONGEST.path;
  const folder = isPlain(host) ? host : digested(host, host);
  return `${folder}/${isPlainUrl ? name || "index" : digested(path, href)}.atom`;
}

/** `example.org.atom`, with a digest like a collection's. The URL is the Source Description's. */
export function sourceFeedPath(descriptionUrl: string): string {
  const { href, host, path } = partsOf(descriptionUrl);
  const isPlainUrl = href === `https://${host}/.well-known/resourcesync` && isPlain(host);
  if (isPlainUrl && `${host}.atom` !== ALL_FEED_PATH) return `${host}.atom`;
  return `${digested(host + path.replace(/\.well-known\/resourcesync$/, ""), href)}.atom`;
}

/** Beside the feed: `example.org/moss-archive-1.atom`. */
export function archivePath(feedPath: string, archive: number): string {
  return feedPath.replace(/\.atom$/, `-archive-${archive}.atom`);
}

function partsOf(url: string): { href: string; host: string; path: string } {
  const parsed = URL.parse(url);
  if (parsed === null) return { href: url, host: "", path: url };
  return { href: parsed.href, host: parsed.host, path: parsed.pathname };
}

function isPlain(part: string): boolean {
  return (
    part.length <= LONGEST.part && PLAIN.test(part) && !NOT_PLAIN.some((form) => form.test(part))
  );
}

function digested(readable: string, identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, DIGITS);
  return `${slugOf(readable) || "feed"}-${digest}`;
}

function slugOf(text: string): string {
  return decoded(text.slice(0, 1_000))
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST.slug)
    .replace(/^-|-$/g, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
