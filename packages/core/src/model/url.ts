/** Characters of a URL's path: RFC 3986, section 3.3 (design, "Documents"). */
import { urlKey } from "@rs-emit/documents";
import { optionError, testAddressError, urlError } from "./errors.ts";

const PLAIN_PATH = /^[\w\-.~!$&'()*+,;=:@/]*$/;
const NOT_PCHAR = /[^\w\-.~!$&'()*+,;=:@/]+/g;

/** What hosts serve at a folder's URL; servers with includes have the second. */
export const INDEX_FILES = ["index.html", "index.shtml"] as const;

/** An index file becomes its folder's URL; `site` ends with a slash. */
export function urlOf(site: string, file: string, cleanUrls: boolean): string {
  return site + encodePath(servedPath(file, cleanUrls));
}

/** A file's own address, which most hosts serve, too. */
export function fileUrl(site: string, file: string): string {
  return site + encodePath(file);
}

/** With and without `.html`, with and without a slash at the end. */
export function alternateUrls(site: string, file: string): readonly string[] {
  const urls = [urlOf(site, file, false), urlOf(site, file, true)];
  return [...new Set(urls.flatMap((url) => [url, withoutSlash(site, url)]))];
}

export function slashVariants(site: string, url: string): readonly string[] {
  const bare = withoutSlash(site, url);
  return [bare, url === site ? url : `${bare}/`];
}

/** Some hosts serve a folder without its slash; the site's own URL keeps it. */
export function withoutSlash(site: string, url: string): string {
  return url === site ? url : url.replace(/\/$/, "");
}

/** Escapes that are not UTF-8 stay as they are. */
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

/** The same for all Unicode forms of a name: file systems, git and builders respell it, and no author did. */
export function composedKey(url: string): string {
  return urlKey(url).normalize("NFC");
}

/** Whether a URL is below a collection's in any spelling, or equal without the last slash. */
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

/** The Sitemap schema allows no shorter URLs. */
const SHORTEST = 12;

/**
 * @param option the option's name, for the message
 * @returns the normalized URL; ends with a slash
 * @throws {EmitError}
 */
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

/** Also the address in our own READMEs, which nobody has. */
const EXAMPLE_HOST = /(?:^|\.)(?:example\.(?:com|net|org)|test)$|^example\.neocities\.org$/;
const LOCAL_HOST = /(?:^|\.)localhost$|^127\.|^\[::1\]$/;

/** Whether the address is reserved for examples and tests (RFC 2606), or of this machine. */
export function isTestAddress(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return EXAMPLE_HOST.test(hostname) || LOCAL_HOST.test(hostname);
}

/** Whether nobody can have published there: RFC 2606 reserves the host's name. */
export function isReservedAddress(url: string): boolean {
  const { hostname } = new URL(url);
  return EXAMPLE_HOST.test(hostname) || /\.(?:example|invalid)$/.test(hostname);
}

interface AddressOptions {
  readonly url?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly testAddress?: boolean | undefined;
}

/**
 * Readers keep what they have read, so nothing is published under a test address.
 * @throws {EmitError} `TEST_ADDRESS`
 */
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

/** A reference that leads from one URL to another, wherever both stand. */
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
