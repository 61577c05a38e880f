import { isPublicAddress } from "./addresses.ts";
import { ForbiddenError } from "./errors.ts";

/** What may be asked. */
export interface Reach {
  allowsAddress(address: string): boolean;
  allowsPort(port: number): boolean;
}

/** Web servers on the internet. */
export const INTERNET: Reach = {
  allowsAddress: isPublicAddress,
  allowsPort: (port) => WEB_PORTS.has(port),
};

/** Whatever this machine reaches. */
export const ANYWHERE: Reach = { allowsAddress: () => true, allowsPort: () => true };

/** The ports of HTTP, and those it is served on where these are taken. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

/** The sitemap protocol allows fewer than 2,048. */
const URL_CHARACTERS = 2048;

/**
 * Checks what a URL itself tells. Names are checked when they are resolved, see `guardedLookup`.
 *
 * @throws {ForbiddenError}
 */
export function requireReachable(address: string, reach: Reach): URL {
  if (address.length > URL_CHARACTERS) {
    const beginning = `${address.slice(0, 100)}…`;
    throw new ForbiddenError(beginning, `is longer than ${URL_CHARACTERS} characters`);
  }
  if (!URL.canParse(address)) throw new ForbiddenError(address, "is no URL");
  // The parser brings every spelling of an IPv4 address (0x7f.1, 2130706433, 127.1) into one.
  const url = new URL(address);
  const refuse = (reason: string) => new ForbiddenError(shown(url), reason);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refuse("is neither http nor https");
  }
  if (url.username !== "" || url.password !== "") throw refuse("carries a name or a password");
  if (!reach.allowsPort(portOf(url)))
    throw refuse(`names the port ${portOf(url)} (--allow-private asks it, too)`);
  const literal = literalAddress(url);
  if (literal !== undefined && !reach.allowsAddress(literal)) {
    throw refuse("leads to a private address");
  }
  return url;
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** The IP address that stands in the place of a name. */
function literalAddress({ hostname }: URL): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/** A URL as messages may repeat it: without what is secret. */
function shown(url: URL): string {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy.href;
}
