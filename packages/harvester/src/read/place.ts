import { READING_LIMITS } from "./limits.ts";

/**
 * An address, absolute and normalized.
 *
 * @param base what a relative one is relative to
 * @returns `undefined` where it is none on the web, or longer than anybody serves
 */
export function resolveUrl(text: string, base?: string): string | undefined {
  if (text.length > READING_LIMITS.url) return undefined;
  const url = URL.parse(text, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}

/** Whose word an address is: its host, without port. A site with `www.` is the one without. */
export function siteHost(url: string): string {
  return new URL(url).hostname.replace(/^www\.(?=.)|\.$/g, "");
}

/**
 * The folder of the site that a Source Description is of: what its address has before `.well-known/`, else
 * the folder that the document stands in.
 */
export function siteFolder(descriptionUrl: string): string {
  const { origin, pathname } = new URL(descriptionUrl);
  const wellKnown = pathname.lastIndexOf("/.well-known/");
  return origin + (wellKnown < 0 ? folderOf(pathname) : pathname.slice(0, wellKnown + 1));
}

/** The folder that a document stands in. */
export function documentFolder(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + folderOf(pathname);
}

/**
 * An address below a folder, relative to it; `undefined` where it is elsewhere. Scheme and port do not
 * count: a site that moves from one to the other keeps its names.
 */
export function relativeTo(folder: string, url: string): string | undefined {
  const base = new URL(folder).pathname;
  const { pathname, search } = new URL(url);
  const isBelow = siteHost(url) === siteHost(folder) && pathname.startsWith(base);
  return isBelow ? pathname.slice(base.length) + search : undefined;
}

function folderOf(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf("/") + 1);
}
