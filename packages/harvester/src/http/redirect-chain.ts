import { RedirectError } from "./errors.ts";

export interface RedirectChain {
  readonly url: string;
  readonly permanentUrl: string;
  readonly passed: readonly string[];
}

export function startChain(url: string): RedirectChain {
  return { url, permanentUrl: url, passed: [] };
}

/**
 * Hosts behind a proxy often redirect to http on the way to their own https. That is followed, but
 * never becomes `permanentUrl`, so that no address loses its protection.
 * @throws {RedirectError}
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
    throw new RedirectError(url, `comes after ${most} redirects, and redirects again`);
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

/** RFC 9110, section 15.4. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Redirects that repeat a POST. */
export const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

function losesProtection(from: URL, to: URL): boolean {
  return from.protocol === "https:" && to.protocol === "http:";
}

/** Node decodes headers as Latin-1, but a `Location` outside ASCII is meant as UTF-8. */
function inUtf8(location: string): string {
  const text = Buffer.from(location, "latin1").toString("utf8");
  return text.includes("\ufffd") ? location : text;
}
