/** What a browser tells of the page that a request comes from. */
export interface Origin {
  /** The header `Sec-Fetch-Site`. */
  readonly site: string | undefined;
  /** The header `Origin`. */
  readonly origin: string | undefined;
}

/**
 * Whether a request that changes something comes from one of our own pages. Every browser says so in one of
 * two headers; who sends neither is no browser, and must show the token.
 *
 * @param hosts those that our pages are opened by, with their ports
 */
export function isFromOurPages({ site, origin }: Origin, hosts: readonly string[]): boolean {
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return site !== undefined;
  // A proxy may have taken the encryption off: the scheme says nothing.
  const host = URL.parse(origin)?.host;
  return host !== undefined && host !== "" && hosts.includes(host);
}
