import type { Fetch } from "@rs-emit/documents/check";
import { fetch } from "undici";
import { guardedAgent } from "./agent.ts";
import { LIMITS } from "./limits.ts";
import { systemLookup } from "./lookup.ts";
import { ANYWHERE, INTERNET, requireReachable } from "./reach.ts";

/** The standard's `fetch`, for addresses that strangers give: only what is within reach is asked. */
export interface GuardedFetch {
  readonly fetch: Fetch;
  /** Lets go of all connections. */
  close(): Promise<void>;
}

/** @param allowPrivate ask private addresses and unusual ports too */
export function guardedFetch(allowPrivate: boolean): GuardedFetch {
  const reach = allowPrivate ? ANYWHERE : INTERNET;
  const dispatcher = guardedAgent(reach, systemLookup, LIMITS);
  return {
    fetch: async (url, init) => {
      requireReachable(url, reach);
      return fetch(url, { ...init, dispatcher });
    },
    close: () => dispatcher.destroy(),
  };
}
