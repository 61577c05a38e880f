import { isWebAddress } from "@rs-emit/documents";
import { optionError, testAddressError, urlError } from "./errors.ts";
import { normalizePath } from "./url.ts";

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
