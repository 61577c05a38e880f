import { lookup as lookupBySystem } from "node:dns/promises";
import { isIPv6, type LookupFunction } from "node:net";
import { setFlagsFromString } from "node:v8";
import ipaddr from "ipaddr.js";
import type { Agent } from "undici";
import { forbiddenError } from "./errors.ts";
import type { FetchLimits } from "./fetch-limits.ts";

export interface NetworkPolicy {
  allowsAddress(address: string): boolean;
  allowsPort(port: number): boolean;
}

export const INTERNET: NetworkPolicy = {
  allowsAddress: isPublicAddress,
  allowsPort: (port) => WEB_PORTS.has(port),
};

export const ANYWHERE: NetworkPolicy = { allowsAddress: () => true, allowsPort: () => true };

const WEB_PORTS: ReadonlySet<number> = new Set([80, 443, 8080, 8443]);

/** The sitemap protocol allows fewer than 2,048. */
export const URL_CHARACTERS = 2048;

/** Throws {@link HarvestError}. Names are checked when they are resolved, by `guardedLookup`. */
export function requireAllowed(address: string, policy: NetworkPolicy): URL {
  if (address.length > URL_CHARACTERS) {
    const beginning = `${address.slice(0, 100)}…`;
    throw forbiddenError(beginning, `is longer than ${URL_CHARACTERS} characters`);
  }
  // URL normalizes every spelling of an IPv4 address (0x7f.1, 2130706433, 127.1).
  const url = URL.parse(address);
  if (url === null) throw forbiddenError(address, "is no URL");
  const refuse = (reason: string) => forbiddenError(shown(url), reason);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refuse("is neither http nor https");
  }
  if (url.username !== "" || url.password !== "") throw refuse("carries a name or a password");
  if (!policy.allowsPort(portOf(url)))
    throw refuse(`names the port ${portOf(url)} (--allow-private asks it, too)`);
  const literal = literalAddress(url);
  if (literal !== undefined && !policy.allowsAddress(literal)) {
    throw refuse("leads to a private address");
  }
  return url;
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

function literalAddress({ hostname }: URL): string | undefined {
  if (hostname.startsWith("[")) return hostname.slice(1, -1);
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? hostname : undefined;
}

/** Without credentials, for messages. */
function shown(url: URL): string {
  const copy = new URL(url);
  copy.username = "";
  copy.password = "";
  return copy.href;
}

/** Global unicast, or `64:ff9b::/96` (RFC 6052) before such an address, for IPv6-only networks. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) {
    return parsed.range() === "unicast" && !METADATA.has(parsed.toString());
  }
  if (parsed.match(NAT64)) {
    const embedded = new ipaddr.IPv4(parsed.toByteArray().slice(-4));
    return isPublicAddress(embedded.toString());
  }
  return parsed.range() === "unicast" && parsed.match(GLOBAL_UNICAST);
}

/** A cloud's internal service on a public address (Azure). */
const METADATA: ReadonlySet<string> = new Set(["168.63.129.16"]);

/** All allocated public IPv6 addresses (RFC 4291, section 2.4; IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");
const NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/** At least one IP address. Throws an error with a `code` such as `ENOTFOUND`. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

export const systemLookup: Lookup = async (hostname) => {
  const found = await lookupBySystem(hostname, { all: true });
  return found.map(({ address }) => address);
};

class PrivateAddressError extends Error {
  readonly code = "PRIVATE_ADDRESS";
}

/** Sockets connect to the checked addresses: a name cannot change its meaning (DNS rebinding). */
function guardedLookup(lookup: Lookup, policy: NetworkPolicy): LookupFunction {
  return (hostname, options, callback) => {
    resolveWithin(hostname, lookup, policy).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

interface Resolved {
  readonly address: string;
  readonly family: 4 | 6;
}

async function resolveWithin(
  hostname: string,
  lookup: Lookup,
  policy: NetworkPolicy,
): Promise<[Resolved, ...Resolved[]]> {
  const addresses = await lookup(hostname);
  if (!addresses.every((address) => policy.allowsAddress(address))) {
    throw new PrivateAddressError(`${hostname} leads to a private address`);
  }
  const [first, ...others] = addresses.map(withFamily);
  if (first === undefined) {
    throw Object.assign(new Error(`${hostname} has no address`), { code: "ENOTFOUND" });
  }
  return [first, ...others];
}

function withFamily(address: string): Resolved {
  return { address, family: isIPv6(address) ? 6 : 4 };
}

/**
 * Loads undici only now, which takes 17 MiB: not every thread of a service asks hosts. V8 must not optimize undici's parser of
 * HTTP, which is WebAssembly: that takes 23 MiB for a moment, 9 of which stay, and saves 2 % of the work of asking alone.
 */
export async function guardedAgent(
  policy: NetworkPolicy,
  lookup: Lookup,
  limits: FetchLimits,
  connections = 1,
): Promise<Agent> {
  for (const flag of ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
  // Its names are not known before it has run: it is CommonJS.
  const { Agent } = (await import("undici")).default;
  return new Agent({
    connections,
    allowH2: false,
    maxHeaderSize: limits.headerBytes,
    keepAliveMaxTimeout: IDLE_MILLISECONDS,
    keepAliveTimeout: IDLE_MILLISECONDS,
    connect: {
      lookup: guardedLookup(lookup, policy),
      timeout: limits.secondsToConnect * 1000,
    },
  });
}

/** A check asks its host again soon. */
const IDLE_MILLISECONDS = 4000;

export function policyFor(allowPrivate = false): NetworkPolicy {
  return allowPrivate ? ANYWHERE : INTERNET;
}
