import type { Fetch } from "@rs-emit/documents/check";
import { Agent, fetch } from "undici";
import { toFetchError } from "./errors.ts";
import { type Deadline, Exchange } from "./exchange.ts";
import { FETCH_LIMITS, type FetchLimits } from "./limits.ts";
import {
  ANYWHERE,
  guardedLookup,
  INTERNET,
  type Lookup,
  type NetworkPolicy,
  requireAllowed,
  systemLookup,
} from "./network-policy.ts";
import { userAgent } from "./user-agent.ts";

/** Who sends requests, and where to. */
export interface Requester {
  readonly allowPrivate?: boolean | undefined;
  /** A URL (`https:`, `mailto:`) of the operator. */
  readonly contact?: string | undefined;
}

export interface ClientOptions extends Requester {
  /** UTC seconds, for `Retry-After`. */
  readonly now?: () => number;
  readonly lookup?: Lookup;
  readonly limits?: Partial<FetchLimits>;
  /** Requests of a host at a time: 1, unless it is told otherwise. */
  readonly parallel?: number;
}

interface Sent {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends requests to addresses from strangers, within a network policy and a deadline. */
export class Client {
  readonly limits: FetchLimits;
  readonly now: () => number;
  readonly #policy: NetworkPolicy;
  readonly #userAgent: string;
  readonly #agent: Agent;

  /** Throws {@link TypeError} if the contact is no URL. */
  constructor(options: ClientOptions, policy = policyFor(options.allowPrivate)) {
    const { now, contact, lookup = systemLookup, limits, parallel } = options;
    this.limits = { ...FETCH_LIMITS, ...limits };
    this.now = now ?? (() => Date.now() / 1000);
    this.#policy = policy;
    this.#userAgent = userAgent(contact);
    this.#agent = guardedAgent(policy, lookup, this.limits, parallel);
  }

  /** Throws {@link ForbiddenError}. */
  requireAllowed(url: string): URL {
    return requireAllowed(url, this.#policy);
  }

  /**
   * @param release called once, when the exchange has ended or failed
   * @throws {FetchError}
   */
  async send(
    url: string,
    { method, headers, body }: Sent,
    deadline: Deadline,
    release = () => {},
    unpack = true,
  ): Promise<Exchange> {
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      deadline.stop();
      release();
    };
    deadline.start(url);
    try {
      const { origin, pathname, search } = this.requireAllowed(url);
      const response = await this.#agent.request({
        origin,
        path: pathname + search,
        method,
        headers: { ...headers, "user-agent": this.#userAgent },
        ...(body === undefined ? {} : { body }),
        signal: deadline,
        // The deadline covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      deadline.headersCame();
      return new Exchange(url, response, end, unpack);
    } catch (error) {
      end();
      throw toFetchError(url, error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

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

/** The standard's `fetch`, limited by a network policy: strangers give the addresses. */
export function guardedFetch(allowPrivate?: boolean): {
  readonly fetch: Fetch;
  close(): Promise<void>;
} {
  const policy = policyFor(allowPrivate);
  const dispatcher = guardedAgent(policy, systemLookup, FETCH_LIMITS);
  return {
    fetch: async (url, init) => {
      requireAllowed(url, policy);
      return fetch(url, { ...init, dispatcher });
    },
    close: () => dispatcher.destroy(),
  };
}

function policyFor(allowPrivate = false): NetworkPolicy {
  return allowPrivate ? ANYWHERE : INTERNET;
}
