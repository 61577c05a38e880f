import type { Agent } from "undici";
import { guardedAgent } from "./agent.ts";
import { Deadline } from "./deadline.ts";
import { Exchange } from "./exchange.ts";
import { FETCH_LIMITS, type FetchLimits } from "./limits.ts";
import { systemLookup } from "./lookup.ts";
import { ANYWHERE, INTERNET, type NetworkPolicy, requireAllowed } from "./network-policy.ts";
import { toFetchError } from "./problems.ts";
import { followRedirect, startChain } from "./redirect-chain.ts";
import { refusalOf } from "./status.ts";
import type { TransportOptions } from "./transport.ts";
import { userAgent } from "./user-agent.ts";

export interface Poster {
  /** Follows 307 and 308 (WebSub, section 5.1.2). Throws {@link FetchError} for all but 2xx. */
  post(url: string, form: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

/** Requests are guarded as those for documents are, unless `allowPrivate`. */
export function openPoster(options: TransportOptions = {}): Poster {
  return new HttpPoster(options);
}

class HttpPoster implements Poster {
  readonly #policy: NetworkPolicy;
  readonly #limits: FetchLimits;
  readonly #now: () => number;
  readonly #userAgent: string;
  readonly #agent: Agent;

  constructor({ allowPrivate, now, contact, lookup = systemLookup, limits }: TransportOptions) {
    this.#policy = allowPrivate === true ? ANYWHERE : INTERNET;
    this.#limits = { ...FETCH_LIMITS, ...limits };
    this.#now = now ?? (() => Date.now() / 1000);
    this.#userAgent = userAgent(contact);
    this.#agent = guardedAgent(this.#policy, lookup, this.#limits);
  }

  async post(url: string, form: URLSearchParams): Promise<void> {
    const deadline = new Deadline(this.#limits);
    let chain = startChain(url);
    for (;;) {
      const exchange = await this.#send(chain.url, form, deadline);
      await exchange.discard();
      const { status } = exchange;
      if (status >= 200 && status < 300) return;
      const location = exchange.header("location");
      if (!KEEPS_METHOD.has(status) || location === undefined) {
        throw refusalOf(exchange, this.#limits, this.#now());
      }
      chain = followRedirect(chain, status, location, this.#limits.redirects);
    }
  }

  async #send(url: string, form: URLSearchParams, deadline: Deadline): Promise<Exchange> {
    const { origin, pathname, search } = requireAllowed(url, this.#policy);
    deadline.start(url);
    try {
      const response = await this.#agent.request({
        origin,
        path: pathname + search,
        method: "POST",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "user-agent": this.#userAgent,
        },
        body: form.toString(),
        signal: deadline,
        // The deadline covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      deadline.headersCame();
      return new Exchange(url, response, () => deadline.stop());
    } catch (error) {
      deadline.stop();
      throw toFetchError(url, error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** They repeat the POST. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);
