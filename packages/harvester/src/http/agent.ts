import { Agent } from "undici";
import type { FetchLimits } from "./limits.ts";
import { guardedLookup, type Lookup } from "./lookup.ts";
import type { NetworkPolicy } from "./network-policy.ts";

/** @param connections to each host */
export function guardedAgent(
  policy: NetworkPolicy,
  lookup: Lookup,
  limits: FetchLimits,
  connections = 1,
): Agent {
  return new Agent({
    connections,
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

/** A check asks its host again soon. */
const IDLE_MILLISECONDS = 4000;
