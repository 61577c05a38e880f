import type { Agent } from "undici";
import { inHttps, isHttp } from "../address.ts";
import type { HostTokens, TokenUse } from "./bearer-tokens.ts";
import { Deadline } from "./deadline.ts";
import { isConnectionLost, RedirectError, toFetchError } from "./errors.ts";
import { Exchange } from "./exchange.ts";
import { FETCH_LIMITS, type FetchLimits } from "./fetch-limits.ts";
import {
  guardedAgent,
  type Lookup,
  type NetworkPolicy,
  policyFor,
  requireAllowed,
  systemLookup,
} from "./network-policy.ts";
import { type Requester, userAgent } from "./user-agent.ts";

/** Throws `FetchError` if an address may not be requested. */
export type RequestGuard = (url: string) => Promise<void>;

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
  readonly guard?: RequestGuard | undefined;
  /** A body that is itself compressed (`sitemap.xml.gz`) is read without that. */
  readonly unpack?: boolean;
}

export interface ClientResponse {
  readonly exchange: Exchange;
  readonly chain: RedirectChain;
  /** Present where there is a token for the host that answered. */
  readonly token: TokenUse | undefined;
}

/** Sends requests to addresses from strangers, within a network policy and a deadline. */
export class Client {
  readonly limits: FetchLimits;
  readonly now: () => number;
  readonly #policy: NetworkPolicy;
  readonly #userAgent: string;
  readonly #tokens: HostTokens | undefined;
  readonly #agent: Promise<Agent>;
  readonly #turns: HostQueues;

  /** @throws {TypeError} if the contact is no URL */
  constructor(options: ClientOptions, policy = policyFor(options.allowPrivate)) {
    const { now, contact, tokens, lookup = systemLookup, limits, parallel } = options;
    this.limits = { ...FETCH_LIMITS, ...limits };
    this.now = now ?? (() => Date.now() / 1000);
    this.#policy = policy;
    this.#userAgent = userAgent(contact);
    this.#tokens = tokens;
    this.#agent = guardedAgent(policy, lookup, this.limits, parallel);
    this.#turns = new HostQueues(parallel);
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
      await request.guard?.(chain.url);
      const endTurn = await this.#turns.take(asked.hostname);
      const exchange = await this.#exchange(chain, asked, request, deadline, endTurn);
      const { status } = exchange;
      const location = exchange.header("location");
      if (!request.redirects.has(status) || location === undefined) {
        return { exchange, chain, token: this.#tokens?.use(asked, chain.passed) };
      }
      await exchange.discard();
      chain = followRedirect(chain, status, location, this.limits.redirects);
    }
  }

  async #exchange(
    { url, passed }: RedirectChain,
    asked: URL,
    { method, headers, body, unpack }: ClientRequest,
    deadline: Deadline,
    endTurn: () => void,
  ): Promise<Exchange> {
    const end = () => {
      deadline.stop();
      endTurn();
    };
    deadline.start(url);
    const { origin, pathname, search } = asked;
    const authorization = this.#tokens?.authorization(asked, passed);
    const request = async () =>
      (await this.#agent).request({
        origin,
        path: pathname + search,
        method,
        headers: {
          ...headers,
          "user-agent": this.#userAgent,
          ...(authorization === undefined ? {} : { authorization }),
        },
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
    await (await this.#agent).destroy();
  }
}

/**
 * Limits how many requests each host has at a time, in the order of asking. For each request, a queue of `p-limit` costs
 * 15 times as much, and one of `p-queue` 50 times.
 */
export class HostQueues {
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

interface RedirectChain {
  readonly url: string;
  readonly permanentUrl: string;
  /** The addresses that redirected, and how. */
  readonly passed: readonly string[];
  readonly statuses: readonly number[];
}

export function startChain(url: string): RedirectChain {
  return { url, permanentUrl: url, passed: [], statuses: [] };
}

/**
 * Hosts behind a proxy often redirect to http on the way to their own https. From https, such a target is asked by https,
 * so that no address loses its protection.
 * @throws {RedirectError}
 */
export function followRedirect(
  chain: RedirectChain,
  status: number,
  location: string,
  most: number,
): RedirectChain {
  const { url, permanentUrl, passed, statuses } = chain;
  const target = inUtf8(location);
  if (!URL.canParse(target, url)) {
    throw new RedirectError(url, "redirects to something that is no URL");
  }
  const named = new URL(target, url);
  named.hash = "";
  const next = isHttp(url) ? named : new URL(inHttps(named.href));
  if (next.href === url) {
    const how = named.href === url ? "" : " by http, which is not asked: its address says https";
    throw new RedirectError(url, `redirects to itself${how}`);
  }
  if (passed.includes(next.href)) throw new RedirectError(url, "redirects in a circle");
  if (passed.length === most) {
    throw new RedirectError(url, `comes after ${most} redirects, and redirects again`);
  }
  const isLasting = permanentUrl === url && PERMANENT.has(status);
  return {
    url: next.href,
    permanentUrl: isLasting ? next.href : permanentUrl,
    passed: [...passed, url],
    statuses: [...statuses, status],
  };
}

const PERMANENT: ReadonlySet<number> = new Set([301, 308]);

/** RFC 9110, section 15.4. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Redirects that repeat a POST. */
export const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Node decodes headers as Latin-1, but a `Location` outside ASCII is meant as UTF-8. */
function inUtf8(location: string): string {
  const text = Buffer.from(location, "latin1").toString("utf8");
  return text.includes("\ufffd") ? location : text;
}
