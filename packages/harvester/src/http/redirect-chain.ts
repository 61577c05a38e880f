import { RedirectError } from "./errors.ts";

/** The way of a request through redirects. */
export interface RedirectChain {
  /** Where it stands. */
  readonly url: string;
  /** How far it may be remembered; see `Answer`. */
  readonly permanentUrl: string;
  /** The addresses it has left behind. */
  readonly passed: readonly string[];
}

export function startChain(url: string): RedirectChain {
  return { url, permanentUrl: url, passed: [] };
}

/** Statuses that lead elsewhere (RFC 9110, section 15.4). */
export function isRedirect(status: number): boolean {
  return PERMANENT.has(status) || TEMPORARY.has(status);
}

/**
 * Follows a redirect.
 *
 * A redirect from https to http is followed, for hosts behind a proxy often write one on the way to
 * their own https; but it is never remembered, so that no address loses its protection.
 *
 * @param location the header `Location`, a URL or relative to where the chain stands
 * @param most how many redirects there may be
 * @throws {RedirectError} if it leads nowhere
 */
export function followRedirect(
  chain: RedirectChain,
  status: number,
  location: string,
  most: number,
): RedirectChain {
  const { url, permanentUrl, passed } = chain;
  const target = inUtf8(location);
  if (!URL.canParse(target, url)) {
    throw new RedirectError(url, "redirects to something that is no URL");
  }
  const next = new URL(target, url);
  next.hash = "";
  if ([...passed, url].includes(next.href)) {
    throw new RedirectError(url, "redirects in a circle");
  }
  if (passed.length === most) {
    throw new RedirectError(url, `comes after ${most} redirects, and leads on still`);
  }
  const isLasting =
    permanentUrl === url && PERMANENT.has(status) && !losesProtection(new URL(url), next);
  return {
    url: next.href,
    permanentUrl: isLasting ? next.href : permanentUrl,
    passed: [...passed, url],
  };
}

const PERMANENT: ReadonlySet<number> = new Set([301, 308]);
const TEMPORARY: ReadonlySet<number> = new Set([302, 303, 307]);

function losesProtection(from: URL, to: URL): boolean {
  return from.protocol === "https:" && to.protocol === "http:";
}

/** Headers are read as Latin-1, but a `Location` that is not ASCII is meant in UTF-8. */
function inUtf8(location: string): string {
  const text = Buffer.from(location, "latin1").toString("utf8");
  return text.includes("\ufffd") ? location : text;
}
