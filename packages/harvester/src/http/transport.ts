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
  /** Requests of a host at a time: 1, unless it is told otherwise. */
  readonly parallel?: number;
  /**
   * What is asked for: documents, which are read; or files, which are kept byte for byte, even where they
   * are compressed themselves (`backup.gz`).
   */
  readonly wanted?: "documents" | "files";
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
  readonly #turns: Turns;
  readonly #unpack: boolean;

  constructor(policy: NetworkPolicy, options: NetworkOptions) {
    const { now, contact, lookup = systemLookup, limits, parallel = 1 } = options;
    const { wanted = "documents" } = options;
    this.#policy = policy;
    this.#limits = { ...FETCH_LIMITS, ...limits };
    this.#now = now ?? (() => Date.now() / 1000);
    this.#headers = {
      accept: ACCEPTED[wanted],
      "accept-encoding": ACCEPTED_CODINGS,
      "user-agent": userAgent(contact),
    };
    this.#agent = guardedAgent(policy, lookup, this.#limits, parallel);
    this.#turns = new Turns(parallel);
    this.#unpack = wanted === "documents";
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
      return new Exchange(url, response, end, this.#unpack);
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
const ACCEPTED = {
  documents:
    "application/xml, text/xml, application/rdf+xml, application/atom+xml;q=0.9, text/html;q=0.8, */*;q=0.5",
  files: "*/*",
} as const;

function conditions({ etag, lastModified }: Validators): Readonly<Record<string, string>> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
  };
}

/** Limits how many are busy with each name, in the order of asking. */
export class Turns {
  readonly #most: number;
  readonly #names = new Map<string, { busy: number; readonly waiting: (() => void)[] }>();

  constructor(most = 1) {
    this.#most = most;
  }

  /** Waits for the name's turn. The returned function ends it; calling it again is harmless. */
  async take(name: string): Promise<() => void> {
    const state = this.#names.get(name) ?? { busy: 0, waiting: [] };
    this.#names.set(name, state);
    if (state.busy < this.#most) state.busy += 1;
    else await new Promise<void>((resolve) => state.waiting.push(resolve));
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const next = state.waiting.shift();
      if (next !== undefined) next();
      else {
        state.busy -= 1;
        if (state.busy === 0) this.#names.delete(name);
      }
    };
  }
}
