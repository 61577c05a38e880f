import type { Agent } from "undici";
import type { Validators } from "../model.ts";
import { guardedAgent } from "./agent.ts";
import type { Answer, Permit, Transport } from "./answer.ts";
import { ACCEPTED_CODINGS } from "./body.ts";
import { Deadline } from "./deadline.ts";
import { Exchange } from "./exchange.ts";
import { FETCH_LIMITS, type FetchLimits } from "./limits.ts";
import { type Lookup, systemLookup } from "./lookup.ts";
import { ANYWHERE, INTERNET, type NetworkPolicy, requireAllowed } from "./network-policy.ts";
import { toFetchError } from "./problems.ts";
import { followRedirect, isRedirect, startChain } from "./redirect-chain.ts";
import { toAnswer } from "./status.ts";
import { userAgent } from "./user-agent.ts";

export interface TransportOptions extends NetworkOptions {
  readonly allowPrivate?: boolean;
}

export interface NetworkOptions {
  /** UTC seconds, for `Retry-After`. */
  readonly now?: () => number;
  /** A URL (`https:`, `mailto:`) of the operator. */
  readonly contact?: string | undefined;
  readonly lookup?: Lookup;
  readonly limits?: Partial<FetchLimits>;
}

export interface NetworkTransport extends Transport {
  close(): Promise<void>;
}

/**
 * A transport for addresses from strangers: public web servers, and responses of bounded cost.
 * @throws {TypeError} if the contact is no URL
 */
export function openTransport(options: TransportOptions = {}): NetworkTransport {
  return openTransportWithin(options.allowPrivate === true ? ANYWHERE : INTERNET, options);
}

/** Throws {@link TypeError} if the contact is no URL. */
export function openTransportWithin(
  policy: NetworkPolicy,
  options: NetworkOptions = {},
): NetworkTransport {
  return new HttpTransport(policy, options);
}

class HttpTransport implements NetworkTransport {
  readonly #policy: NetworkPolicy;
  readonly #limits: FetchLimits;
  readonly #now: () => number;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent: Agent;
  readonly #turns = new Turns();

  constructor(
    policy: NetworkPolicy,
    { now, contact, lookup = systemLookup, limits }: NetworkOptions,
  ) {
    this.#policy = policy;
    this.#limits = { ...FETCH_LIMITS, ...limits };
    this.#now = now ?? (() => Date.now() / 1000);
    this.#headers = { ...HEADERS, "user-agent": userAgent(contact) };
    this.#agent = guardedAgent(policy, lookup, this.#limits);
  }

  async get(url: string, validators: Validators = {}, permit?: Permit): Promise<Answer> {
    const deadline = new Deadline(this.#limits);
    let chain = startChain(url);
    for (;;) {
      const target = requireAllowed(chain.url, this.#policy);
      await permit?.(chain.url);
      const exchange = await this.#ask(chain.url, target, validators, deadline);
      const location = exchange.header("location");
      if (!isRedirect(exchange.status) || location === undefined) {
        return toAnswer(exchange, chain, validators, this.#limits, this.#now());
      }
      await exchange.discard();
      chain = followRedirect(chain, exchange.status, location, this.#limits.redirects);
    }
  }

  async #ask(
    url: string,
    { origin, hostname, pathname, search }: URL,
    validators: Validators,
    deadline: Deadline,
  ): Promise<Exchange> {
    const endTurn = await this.#turns.take(hostname);
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      deadline.stop();
      endTurn();
    };
    deadline.start(url);
    try {
      const response = await this.#agent.request({
        origin,
        path: pathname + search,
        method: "GET",
        headers: { ...this.#headers, ...conditions(validators) },
        signal: deadline,
        // The deadline covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      deadline.headersCame();
      return new Exchange(url, response, end);
    } catch (error) {
      end();
      throw toFetchError(url, error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** ResourceSync's documents come first; pages are read for their links. */
const HEADERS = {
  accept:
    "application/xml, text/xml, application/rdf+xml, application/atom+xml;q=0.9, text/html;q=0.8, */*;q=0.5",
  "accept-encoding": ACCEPTED_CODINGS,
} as const;

function conditions({ etag, lastModified }: Validators): Readonly<Record<string, string>> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
  };
}

export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Waits for the name's turn. The returned function ends it; calling it again is harmless. */
  async take(name: string): Promise<() => void> {
    const before = this.#last.get(name);
    let end: () => void = () => {};
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last.set(name, turn);
    await before;
    return () => {
      if (this.#last.get(name) === turn) this.#last.delete(name);
      end();
    };
  }
}
