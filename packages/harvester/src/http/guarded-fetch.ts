import type { Fetch } from "@rs-emit/documents/check";
import { fetch } from "undici";
import { guardedAgent } from "./agent.ts";
import { FETCH_LIMITS } from "./limits.ts";
import { systemLookup } from "./lookup.ts";
import { ANYWHERE, INTERNET, requireAllowed } from "./network-policy.ts";

/** The standard's `fetch`, limited by a network policy: strangers give the addresses. */
export interface GuardedFetch {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

export function guardedFetch(allowPrivate: boolean): GuardedFetch {
  const policy = allowPrivate ? ANYWHERE : INTERNET;
  const dispatcher = guardedAgent(policy, systemLookup, FETCH_LIMITS);
  return {
    fetch: async (url, init) => {
      requireAllowed(url, policy);
      return fetch(url, { ...init, dispatcher });
    },
    close: () => dispatcher.destroy(),
  };
}
