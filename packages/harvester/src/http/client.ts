import type { Fetch } from "@rs-emit/documents/check";
import { Agent, fetch } from "undici";
import type { Permit } from "./answer.ts";
import { isConnectionLost, toFetchError } from "./errors.ts";
import { Deadline, Exchange } from "./exchange.ts";
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
import { followRedirect, type RedirectChain, startChain } from "./redirect-chain.ts";
import { Turns } from "./turns.ts";
import { userAgent } from "./user-agent.ts";

/** The sender of requests, and where they may go. */
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
  /** Requests to a host at a time; 1 by default. */
  readonly parallel?: number;
}

interface ClientRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Statuses whose `Location` is followed. */
  readonly redirects: ReadonlySet<number>;
  /** Called before each request; throws to refuse. */
  readonly permit?: Permit | undefined;
  /** A body that is itself compressed (`sitemap.xml.gz`) is read without that. */
  readonly unpack?: boolean;
}

interface ClientResponse {
  readonly exchange: Exchange;
  readonly chain: RedirectChain;
}

/** Sends requests to addresses from strangers, within a network policy and a deadline. */
export class Client {
  readonly limits: FetchLimits;
  readonly now: () => number;
  readonly #policy: NetworkPolicy;
  readonly #userAgent: string;
  readonly #agent: Agent;
  readonly #turns: Turns;

  /** @throws {TypeError} if the contact is no URL */
  constructor(options: ClientOptions, policy = policyFor(options.allowPrivate)) {
    const { now, contact, lookup = systemLookup, limits, parallel } = options;
    this.limits = { ...FETCH_LIMITS, ...limits };
    this.now = now ?? (() => Date.now() / 1000);
    this.#policy = policy;
    this.#userAgent = userAgent(contact);
    this.#agent = guardedAgent(policy, lookup, this.limits, parallel);
    this.#turns = new Turns(parallel);
  }

  /**
   * Sends a request, when it is its host's turn, and follows redirects. The response keeps the turn until it is read
   * or discarded.
   * @throws {FetchError}
   */
  async send(url: string, request: ClientRequest): Promise<ClientResponse> {
    const deadline = new Deadline(this.limits);
    let chain = startChain(url);
    for (;;) {
      const asked = requireAllowed(chain.url, this.#policy);
      await request.permit?.(chain.url);
      const endTurn = await this.#turns.take(asked.hostname);
      const exchange = await this.#exchange(chain.url, asked, request, deadline, endTurn);
      const { status } = exchange;
      const location = exchange.header("location");
      if (!request.redirects.has(status) || location === undefined) return { exchange, chain };
      await exchange.discard();
      chain = followRedirect(chain, status, location, this.limits.redirects);
    }
  }

  async #exchange(
    url: string,
    { origin, pathname, search }: URL,
    { method, headers, body, unpack }: ClientRequest,
    deadline: Deadline,
    endTurn: () => void,
  ): Promise<Exchange> {
    const end = () => {
      deadline.stop();
      endTurn();
    };
    deadline.start(url);
    const request = () =>
      this.#agent.request({
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
    try {
      const response = await request().catch((error: unknown) => {
        // RFC 9110, section 9.2.2: what is idempotent may be sent again.
        if (method === "GET" && isConnectionLost(error)) return request();
        throw error;
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
