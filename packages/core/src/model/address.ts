import { OptionError, UrlError } from "./errors.ts";
import { normalizePath } from "./url.ts";

/** The Sitemap schema has no room for shorter ones. */
const SHORTEST = 12;

/**
 * The address of a site, as its author wrote it.
 *
 * @param option the option's name, for the message
 * @returns the normalized URL; ends with a slash
 * @throws {UrlError} when it is missing, has no scheme, or is not an address on the web
 */
export function parseSiteUrl(option: string, text: string | undefined): string {
  if (text === undefined || text.trim() === "") throw new UrlError(option, "", "missing");
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!/^[a-z][a-z\d+.-]*:/i.test(text.trim()) || isHostWithPort(text.trim())) {
    throw new UrlError(option, text, "scheme");
  }
  if (url === undefined) throw new UrlError(option, text, "malformed");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new UrlError(option, text, "protocol");
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new OptionError(option, text, "an address without ?, # or a user name");
  }
  const page = /\/([^/]+\.(?:x?html?|php|aspx?))$/i.exec(url.pathname)?.[1];
  if (page !== undefined) {
    throw new OptionError(option, text, `the address of the site's folder, without ${page}`);
  }
  if (/%(?![\dA-F]{2})/i.test(url.pathname)) {
    throw new OptionError(option, text, "an address in which % begins an escape such as %20");
  }
  const path = normalizePath(url.pathname);
  const address = `${url.origin}${path.endsWith("/") ? path : `${path}/`}`;
  if (address.length < SHORTEST) {
    throw new OptionError(option, text, `an address of at least ${SHORTEST} characters`);
  }
  return address;
}

/** `example.com:8080` parses as a URL with the scheme `example.com`. */
function isHostWithPort(text: string): boolean {
  return /^[^/?#:]+:\d+(?:[/?#]|$)/.test(text);
}
