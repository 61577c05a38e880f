/** Characters of a URL's path: RFC 3986, section 3.3 (design, "Documents"). */
import { isWebAddress, urlKey } from "@rs-emit/documents";
import { optionError, testAddressError, urlError } from "./errors.ts";

const PLAIN_PATH = /^[\w\-.~!$&'()*+,;=:@/]*$/;
const NOT_PCHAR = /[^\w\-.~!$&'()*+,;=:@/]+/g;

/** Hosts serve these at a folder's URL. Servers with includes have the second. */
export const INDEX_FILES = ["index.html", "index.shtml"] as const;

/** An index file becomes its folder's URL; `site` ends with a slash. */
export function urlOf(site: string, file: string, cleanUrls: boolean): string {
  return site + encodePath(servedPath(file, cleanUrls));
}

/** With and without `.html`, with and without a final slash. */
export function alternateUrls(site: string, file: string): readonly string[] {
  const urls = [urlOf(site, file, false), urlOf(site, file, true)];
  return [...new Set(urls.flatMap((url) => [url, withoutSlash(site, url)]))];
}

export function slashVariants(site: string, url: string): readonly string[] {
  const bare = withoutSlash(site, url);
  return [bare, url === site ? url : `${bare}/`];
}

/** Some hosts serve a folder without its slash; the site's own URL keeps the slash. */
/** The files that hosts may serve for a path below the site. */
export function servedFiles(path: string): readonly string[] {
  return path === "" || path.endsWith("/")
    ? INDEX_FILES.map((index) => path + index)
    : [path, `${path}.html`, ...INDEX_FILES.map((index) => `${path}/${index}`)];
}

export function withoutSlash(site: string, url: string): string {
  return url === site ? url : url.replace(/\/$/, "");
}

export function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Escapes characters that a path may not contain; existing escapes stay. */
function normalizePath(path: string): string {
  return path.replace(/[^\w\-.~!$&'()*+,;=:@/%]+/g, percentEncoded);
}

/** File systems, git and builders change the Unicode form of a name. All forms have one key. */
export function composedKey(url: string): string {
  return urlKey(url).normalize("NFC");
}

/** Whether a URL is below the collection's URL, or equals it without the final slash. */
export function isBelow(url: string, collection: string): boolean {
  return `${composedKey(url)}/`.startsWith(composedKey(collection));
}

function servedPath(file: string, cleanUrls: boolean): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  if (INDEX_FILES.some((index) => index === name)) return file.slice(0, -name.length);
  return cleanUrls && file.endsWith(".html") ? file.slice(0, -".html".length) : file;
}

function encodePath(path: string): string {
  return PLAIN_PATH.test(path) ? path : path.replace(NOT_PCHAR, percentEncoded);
}

function percentEncoded(text: string): string {
  return Buffer.from(text).toString("hex").toUpperCase().replace(/../g, "%$&");
}

/** The Sitemap schema requires this length. */
const SHORTEST = 12;

/** @returns the normalized URL; ends with a slash. Throws optionError. */
export function parseSiteUrl(option: string, text: string | undefined): string {
  if (text === undefined || text.trim() === "") throw urlError(option, "", "missing");
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!/^[a-z][a-z\d+.-]*:/i.test(text.trim()) || isHostWithPort(text.trim())) {
    throw urlError(option, text, "scheme");
  }
  if (url === undefined) throw urlError(option, text, "malformed");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw urlError(option, text, "protocol");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw optionError(option, text, "an address without ?, # or a user name");
  }
  const page = /\/([^/]+\.(?:[sx]?html?|php|aspx?))$/i.exec(url.pathname)?.[1];
  if (page !== undefined) {
    throw optionError(option, text, `the address of the site's folder, without ${page}`);
  }
  if (!isWebAddress(url.href)) {
    throw optionError(option, text, "an address without // in its path");
  }
  if (/%(?![\dA-F]{2})/i.test(url.pathname)) {
    throw optionError(option, text, "an address in which % begins an escape such as %20");
  }
  const path = normalizePath(url.pathname);
  const address = `${url.origin}${path.endsWith("/") ? path : `${path}/`}`;
  if (address.length < SHORTEST) {
    throw optionError(option, text, `an address of at least ${SHORTEST} characters`);
  }
  return address;
}

/** `example.com:8080` parses as a URL with the scheme `example.com`. */
function isHostWithPort(text: string): boolean {
  return /^[^/?#:]+:\d+(?:[/?#]|$)/.test(text);
}

/** Includes the address in rs-emit's READMEs, which nobody owns. */
const EXAMPLE_HOST = /(?:^|\.)(?:example\.(?:com|net|org)|test)$|^example\.neocities\.org$/;
const LOCAL_HOST = /(?:^|\.)localhost$|^127\.|^\[::1\]$/;

/** Whether the address is this machine's, or reserved for examples and tests (RFC 2606). */
export function isTestAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return EXAMPLE_HOST.test(hostname) || LOCAL_HOST.test(hostname);
}

/** Nobody can have published there: RFC 2606 reserves the host's name. */
export function isReservedAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return EXAMPLE_HOST.test(hostname) || /\.(?:example|invalid)$/.test(hostname);
}

interface AddressOptions {
  readonly url?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly testAddress?: boolean | undefined;
}

/** Readers keep what they have read, so nothing is published under a test address. */
export function refuseTestAddress({ url, dryRun, testAddress }: AddressOptions): void {
  if (url === undefined || dryRun || testAddress || !isTestAddress(url)) return;
  throw testAddressError(url);
}

/** These hosts redirect `about.html` to `about`. */
const HOSTS_WITH_CLEAN_URLS = /\.(?:neocities\.org|pages\.dev)$/;

export function servesCleanUrls(site: string): boolean {
  return HOSTS_WITH_CLEAN_URLS.test(new URL(site).hostname);
}

/** Whether published URLs omit `.html`; `undefined` when all end with a slash. */
export function haveCleanUrls(urls: Iterable<string>): boolean | undefined {
  let clean: boolean | undefined;
  for (const url of urls) {
    if (url.endsWith(".html")) return false;
    if (!/\/$|\.[sx]?html?$/i.test(url)) clean = true;
  }
  return clean;
}

export function relativeLink(here: URL, there: URL): string {
  if (here.origin !== there.origin) return there.href;
  const folders = here.pathname.split("/").slice(0, -1);
  const path = there.pathname.split("/");
  let common = 0;
  while (common < folders.length && common < path.length - 1 && folders[common] === path[common]) {
    common += 1;
  }
  const up = "../".repeat(folders.length - common);
  const down = path.slice(common).join("/");
  const relative = up + down + there.search;
  // A first segment with a colon would look like a scheme, an empty one like a host.
  return relative === "" || /^(?:\/|[^/]*:|\?)/.test(relative) ? `./${relative}` : relative;
}

/** A site that has moved: the address in its documents, its present address, its first one. */
export interface Addresses {
  /** The published base URL; `site` unless the site moves in this run. */
  readonly base: string;
  readonly site: string;
  readonly first?: string | undefined;
  /** The former address, where the author gives one: a move that was cut short left it in some documents. */
  readonly movedFrom?: string | undefined;
}

/** @param id a collection's first URL, @param url its present URL; both end with the same path */
export function firstSite(id: string, url: string, site: string): string | undefined {
  const path = url.slice(site.length);
  return id.endsWith(path) ? id.slice(0, id.length - path.length) : undefined;
}

/** A page's present URL, from a present or former one; `undefined` for a page of another site. */
export function presentUrl(url: string, { site, base, first }: Addresses): string | undefined {
  const known = [site, base, first].find((one) => one !== undefined && url.startsWith(one));
  return known === undefined ? undefined : site + url.slice(known.length);
}

const INDEX = new RegExp(`/(?:${INDEX_FILES.map((name) => name.replace(".", "\\.")).join("|")})$`);

/** One key for all spellings by which hosts serve a page. */
export function placeKey(url: string): string {
  return urlKey(url)
    .replace(INDEX, "/")
    .replace(/\.html$|\/$/, "");
}

/** The final target of a redirect. @param redirects by the place keys of their pages */
export function destination(leadsTo: string, redirects: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = leadsTo;
  for (let next: string | undefined = at; next !== undefined && !seen.has(placeKey(next)); ) {
    at = next;
    seen.add(placeKey(at));
    next = redirects.get(placeKey(at));
  }
  return at;
}

export function redirectsOf(
  pages: Iterable<{ readonly url: string; readonly leadsTo?: string | undefined }>,
): ReadonlyMap<string, string> {
  const redirects = new Map<string, string>();
  for (const { url, leadsTo } of pages) {
    if (leadsTo !== undefined) redirects.set(placeKey(url), leadsTo);
  }
  return redirects;
}
