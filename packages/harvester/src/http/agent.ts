import { Agent } from "undici";
import type { FetchLimits } from "./limits.ts";
import { guardedLookup, type Lookup } from "./lookup.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** Makes connections to what a network policy allows: one to each host at a time. */
export function guardedAgent(policy: NetworkPolicy, lookup: Lookup, limits: FetchLimits): Agent {
  return new Agent({
    connections: 1,
    allowH2: false,
    maxHeaderSize: limits.headerBytes,
    keepAliveMaxTimeout: IDLE_MILLISECONDS,
    keepAliveTimeout: IDLE_MILLISECONDS,
    connect: {
      lookup: guardedLookup(lookup, policy),
      timeout: limits.secondsToHeaders * 1000,
    },
  });
}

/** How long a connection without a request is kept: a check asks its host again at once. */
const IDLE_MILLISECONDS = 4000;
