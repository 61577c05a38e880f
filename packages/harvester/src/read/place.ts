import { READING_LIMITS } from "./limits.ts";

/** A URL, absolute and normalized; `undefined` if it is not on the web, or too long. */
export function resolveUrl(text: string, base?: string): string | undefined {
  if (text.length > READING_LIMITS.url) return undefined;
  const url = URL.parse(text, base);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  url.hash = "";
  return url.href;
}

/** The host of a URL, without port and `www.`. */
export function siteHost(url: string): string {
  return new URL(url).hostname.replace(/^www\.(?=.)|\.$/g, "");
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
  const isBelow = siteHost(url) === siteHost(folder) && pathname.startsWith(base);
  return isBelow ? pathname.slice(base.length) + search : undefined;
}

function folderOf(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf("/") + 1);
}
