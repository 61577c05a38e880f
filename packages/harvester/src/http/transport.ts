import type { Validators } from "../model.ts";
import { type Answer, type Permit, type Transport, toAnswer } from "./answer.ts";
import { ACCEPTED_CODINGS } from "./body.ts";
import { Client, type ClientOptions } from "./client.ts";
import { Deadline } from "./exchange.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { followRedirect, isRedirect, startChain } from "./redirect-chain.ts";

export interface TransportOptions extends ClientOptions {
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
export function openTransport(
  options: TransportOptions = {},
  policy?: NetworkPolicy,
): NetworkTransport {
  return new HttpTransport(options, policy);
}

class HttpTransport implements NetworkTransport {
  readonly #client: Client;
  readonly #turns: Turns;
  readonly #wanted: "documents" | "files";

  constructor(options: TransportOptions, policy: NetworkPolicy | undefined) {
    this.#client = new Client(options, policy);
    this.#turns = new Turns(options.parallel);
    this.#wanted = options.wanted ?? "documents";
  }

  async get(url: string, validators: Validators = {}, permit?: Permit): Promise<Answer> {
    const { limits, now } = this.#client;
    const headers = {
      accept: ACCEPTED[this.#wanted],
      "accept-encoding": ACCEPTED_CODINGS,
      ...conditions(validators),
    };
    const request = { method: "GET", headers } as const;
    const deadline = new Deadline(limits);
    let chain = startChain(url);
    for (;;) {
      const { hostname } = this.#client.requireAllowed(chain.url);
      await permit?.(chain.url);
      const endTurn = await this.#turns.take(hostname);
      const isUnpacked = this.#wanted === "documents";
      const exchange = await this.#client.send(chain.url, request, deadline, endTurn, isUnpacked);
      const location = exchange.header("location");
      if (!isRedirect(exchange.status) || location === undefined) {
        return toAnswer(exchange, chain, validators, limits, now());
      }
      await exchange.discard();
      chain = followRedirect(chain, exchange.status, location, limits.redirects);
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
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
