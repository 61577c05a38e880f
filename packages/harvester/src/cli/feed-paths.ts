import { createHash } from "node:crypto";

/** The feed of everything that is followed, and the list of all feeds, in the folder of feeds. */
export const ALL_FEED_PATH = "all.atom";
export const OPML_PATH = "feeds.opml";

/** Digits of a digest in a name: enough to tell the names of one folder apart. */
const DIGITS = 12;

const LONGEST = { slug: 40, part: 60, path: 120 };

/** Parts of a URL that can be a name on every file system, and that look like none of the other names. */
const PLAIN = /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/;
const NOT_PLAIN = [
  /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/, // devices of Windows, whatever their extension
  /\.(?:atom|opml)$/,
  /-archive-\d+$/,
  new RegExp(`-[0-9a-f]{${DIGITS}}$`),
];

/**
 * The path of a collection's feed in the folder of feeds: `example.org/moss.atom` for
 * `https://example.org/moss/`, and `example.org/index.atom` for the site itself. A URL that cannot be
 * a name everywhere (capitals, another script, a query…) is told by a digest:
 * `example.org/moss-165423cfacfa.atom`.
 *
 * The same URL always has the same path. Paths are relative, with `/` between ASCII letters, at most
 * 200 characters long, and no two are equal where capitals do not count.
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

/**
 * The path of a source's feed in the folder of feeds: `example.org.atom`. It is told apart like that of
 * a collection.
 *
 * @param descriptionUrl of its Source Description, such as `https://example.org/.well-known/resourcesync`
 */
export function sourceFeedPath(descriptionUrl: string): string {
  const { href, host, path } = partsOf(descriptionUrl);
  const isPlainUrl = href === `https://${host}/.well-known/resourcesync` && isPlain(host);
  if (isPlainUrl && `${host}.atom` !== ALL_FEED_PATH) return `${host}.atom`;
  return `${digested(host + path.replace(/\.well-known\/resourcesync$/, ""), href)}.atom`;
}

/** The path of an archive of a feed, beside it: `example.org/moss-archive-1.atom`. */
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

/** A name that can be read, and is told apart by a digest. */
function digested(readable: string, identity: string): string {
  const digest = createHash("sha256").update(identity).digest("hex").slice(0, DIGITS);
  return `${slugOf(readable) || "feed"}-${digest}`;
}

/** Letters without their accents, and hyphens for the rest. */
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
