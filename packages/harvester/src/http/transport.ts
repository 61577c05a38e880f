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
  /** Ask private addresses and unusual ports too. */
  readonly allowPrivate?: boolean;
}

export interface NetworkOptions {
  /** The clock, in UTC seconds: what `Retry-After` counts from. */
  readonly now?: () => number;
  /** The URL (`https:`, `mailto:`) that leads to who runs the harvester. */
  readonly contact?: string | undefined;
  /** How names are resolved: by the system, unless told otherwise. */
  readonly lookup?: Lookup;
  readonly limits?: Partial<FetchLimits>;
}

/** Asks over the network. */
export interface NetworkTransport extends Transport {
  /** Breaks off what is under way, and lets go of all connections. */
  close(): Promise<void>;
}

/**
 * Opens a transport to addresses that strangers give: only web servers on the internet are asked, and
 * what one answer costs is bounded.
 *
 * @throws {TypeError} if the contact is no URL
 */
export function openTransport(options: TransportOptions = {}): NetworkTransport {
  return openTransportWithin(options.allowPrivate === true ? ANYWHERE : INTERNET, options);
}

/**
 * Opens a transport to what a network policy allows.
 *
 * @throws {TypeError} if the contact is no URL
 */
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

  /** Sends one request, when it is the host's turn. */
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
        // The deadline sees to both.
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

/** What every request says. ResourceSync's documents come first; pages are read for what they link. */
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

/** One at a time for each name, in the order of asking. */
export class Turns {
  /** The end of the last turn that was given out. */
  readonly #last = new Map<string, Promise<void>>();

  /**
   * Waits for a turn.
   *
   * @returns what ends it; more than once does no harm
   */
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
