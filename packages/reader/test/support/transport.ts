import type { Lookup } from "../../src/http/network-policy.ts";
import {
  type NetworkTransport,
  openTransport,
  type TransportOptions,
} from "../../src/http/transport.ts";

/** Sends every name below `.test` to this machine, and knows no other. */
export const lookupTest: Lookup = async (hostname) => {
  if (hostname.endsWith(".test")) return ["127.0.0.1"];
  throw Object.assign(new Error(`no host ${hostname}`), { code: "ENOTFOUND" });
};

/** A transport to the sites of a `SiteServer`, to be closed by whoever opens it, or by `await using`. */
export function openTestTransport(
  options: TransportOptions = {},
): NetworkTransport & AsyncDisposable {
  const transport = openTransport({ lookup: lookupTest, allowPrivate: true, ...options });
  return {
    get: (url, validators, guard) => transport.get(url, validators, guard),
    close: () => transport.close(),
    [Symbol.asyncDispose]: () => transport.close(),
  };
}
