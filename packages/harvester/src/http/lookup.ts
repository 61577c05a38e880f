import { lookup as lookupBySystem } from "node:dns/promises";
import { isIPv6, type LookupFunction } from "node:net";
import type { NetworkPolicy } from "./network-policy.ts";

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
export function guardedLookup(lookup: Lookup, policy: NetworkPolicy): LookupFunction {
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
