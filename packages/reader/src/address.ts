import { HarvestError } from "./errors.ts";
import { READING_LIMITS } from "./read/reading-limits.ts";

function addressError(text: string): HarvestError {
  return new HarvestError({
    code: "ADDRESS",
    problem: `"${shownAddress(text)}" is no address of a site.`,
    cure: "Give it like https://example.org/, or just example.org.",
  });
}

/** What a person gave as an address, for messages: without the user name and password that it may hold. */
export function shownAddress(text: string): string {
  return text.slice(0, 200).replace(/\/\/[^/?#]*@/, "//…@");
}

/** Characters of an address: an index of the database must hold it. */
const LONGEST = 2000;

/** The address that a person means, as {@link addressIn} spells it. Throws {@link HarvestError}. */
export function normalizeAddress(text: string): string {
  const address = addressIn(text);
  if (address === undefined) throw addressError(text);
  return address;
}

/**
 * The address that a person means: a URL, or a bare name with its path (`example.org/moss/`), which stays bare. `undefined`
 * if it is none of a site. Browsers wrote `feed:https://…`, and `feed://…` of either scheme.
 */
export function addressIn(text: string): string | undefined {
  const trimmed = text.trim().replace(/^feed:(?:\/\/|(?=https?:\/\/))/i, "");
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const url = URL.parse(hasScheme ? trimmed : HTTPS + trimmed);
  if (trimmed === "" || /[\s\p{Cc}]/u.test(trimmed) || url === null) return undefined;
  const isOfSite = /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (url.href.length > LONGEST) return undefined;
  if (!isOfSite || !/[.:]|^localhost$/.test(url.hostname)) return undefined;
  url.hash = "";
  return hasScheme ? url.href : url.href.slice(HTTPS.length);
}

const HTTPS = "https://";

/** Whether an address names no scheme: it may be asked by http where nothing answers by https. */
export function isBare(address: string): boolean {
  return !/^https?:\/\//.test(address);
}

/** The URL that an address is asked at, and a bare one at first. */
export function urlOf(address: string): string {
  return isBare(address) ? HTTPS + address : address;
}

export function isHttp(url: string): boolean {
  return url.startsWith("http:");
}

export function inHttps(url: string): string {
  return url.replace(/^http:/, "https:");
}

/** A URL, absolute and normalized; `undefined` if it is not on the web, or too long. */
export function resolveUrl(text: string, base?: string): string | undefined {
  if (text.length > READING_LIMITS.url) return undefined;
  const url = URL.parse(text, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}

/** A `loc`: as {@link resolveUrl}, but one without scheme that begins with the document's own host names that, and no folder. */
export function resolveLoc(loc: string, base: string): string | undefined {
  if (/^\s*(?:https?:|[/?#.])/i.test(loc)) return resolveUrl(loc, base);
  const named = resolveUrl(`${new URL(base).protocol}//${loc.trim()}`);
  return named !== undefined && isSameHost(named, base) ? named : resolveUrl(loc, base);
}

/** The host of a URL, without port and `www.`. */
export function siteHost(url: string): string {
  return new URL(url).hostname.replace(/^www\.(?=.)|\.$/g, "");
}

export function isSameHost(url: string, other: string): boolean {
  return siteHost(url) === siteHost(other);
}

/**
 * Whether an address is on the host that publishes a document. Only such addresses can be one source: a redirect to another
 * host makes nothing there the redirecting site's.
 */
export function isOfHost(address: string | null, documentUrl: string): boolean {
  return address !== null && isSameHost(urlOf(address), documentUrl);
}

export function siteFolder(descriptionUrl: string): string {
  const { origin, pathname } = new URL(descriptionUrl);
  const wellKnown = pathname.lastIndexOf("/.well-known/");
  return origin + (wellKnown < 0 ? folderOf(pathname) : pathname.slice(0, wellKnown + 1));
}

export function documentFolder(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + folderOf(pathname);
}

/** Ignores scheme and port: a site that changes them keeps its names. */
export function relativeTo(folder: string, url: string): string | undefined {
  const base = new URL(folder).pathname;
  const { pathname, search } = new URL(url);
  const isBelow = isSameHost(url, folder) && pathname.startsWith(base);
  return isBelow ? pathname.slice(base.length) + search : undefined;
}

function folderOf(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf("/") + 1);
}

/** Text without percent-encoding; `undefined` if that is broken. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The folders above an address, nearest first, without the root of the host. */
export function foldersAbove(address: string): string[] {
  const names = new URL(address).pathname.split("/").slice(1, -1);
  const folders = names.map((_, at) => `/${names.slice(0, at + 1).join("/")}/`);
  return folders.reverse().map((folder) => new URL(folder, address).href);
}
