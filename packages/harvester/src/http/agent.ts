import { Agent } from "undici";
import type { FetchLimits } from "./limits.ts";
import { guardedLookup, type Lookup } from "./lookup.ts";
import type { Reach } from "./reach.ts";

/** Makes connections to what is within reach: one to each host at a time. */
export function guardedAgent(reach: Reach, lookup: Lookup, limits: FetchLimits): Agent {
  return new Agent({
    connections: 1,
    allowH2: false,
    maxHeaderSize: limits.headerBytes,
    keepAliveMaxTimeout: IDLE_MILLISECONDS,
    keepAliveTimeout: IDLE_MILLISECONDS,
    connect: {
      lookup: guardedLookup(lookup, reach),
      timeout: limits.secondsToHeaders * 1000,
    },
  });
}

/** How long a connection without a request is kept: a check asks its host again at once. */
const IDLE_MILLISECONDS = 4000;
