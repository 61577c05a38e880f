import { createHash, timingSafeEqual } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { WebEnv } from "./request-context.ts";

/** Bytes of an IPv6 address that name its network (RFC 4291, section 2.5.1). */
const NETWORK = 8;

/**
 * The client, for limits: an IPv4 address or an IPv6 network, since one client has billions of its addresses.
 * @param trustProxy the last address of `X-Forwarded-For` is the client's: our proxy has added it
 */
export function clientOf(context: Context<WebEnv>, trustProxy: boolean): string {
  const forwarded = context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim();
  const address =
    trustProxy && forwarded ? withoutPort(forwarded) : getConnInfo(context).remote.address;
  if (address === undefined || !ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return Buffer.from(parsed.toByteArray().slice(0, NETWORK)).toString("hex");
}

/** Some proxies add the port, which a client chooses anew for each connection, and brackets (RFC 7239, section 6). */
function withoutPort(node: string): string {
  const [, bracketed, plain] = /^"?(?:\[(.+)\]|([\d.]+))(?::\d+)?"?$/.exec(node) ?? [];
  return bracketed ?? plain ?? node;
}

interface AllowanceOptions {
  readonly atOnce: number;
  readonly perHour: number;
}

interface Bucket {
  readonly tokens: number;
  readonly at: number;
}

/** Clients that are remembered. */
const CLIENTS = 10_000;

/** A token bucket for each client. */
export class Allowance {
  readonly #options: AllowanceOptions;
  readonly #now: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({ max: CLIENTS });

  /** @param now UTC seconds */
  constructor(options: AllowanceOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Takes a token. Returns the seconds to wait if there is none, else 0. */
  take(client: string): number {
    const wait = this.waitOf(client);
    if (wait > 0) return wait;
    this.#buckets.set(client, { tokens: this.#tokensOf(client) - 1, at: this.#now() });
    return 0;
  }

  waitOf(client: string): number {
    const missing = 1 - this.#tokensOf(client);
    return missing <= 0 ? 0 : Math.ceil((missing * 3600) / this.#options.perHour);
  }

  #tokensOf(client: string): number {
    const { atOnce, perHour } = this.#options;
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) return atOnce;
    const gained = (Math.max(0, this.#now() - bucket.at) * perHour) / 3600;
    return Math.min(atOnce, bucket.tokens + gained);
  }
}

/** Wrong tokens of one client, and of all together: one attacker may have very many addresses. */
export const WRONG_TOKENS = {
  ofClient: { atOnce: 10, perHour: 30 },
  ofAll: { atOnce: 1_000, perHour: 1_000 },
};

/** Clients remembered because they had the token. */
const RIGHT = 1_000;

/** Compares secrets that clients send, and counts the wrong ones. */
export class TokenGuard {
  readonly #ofClient: Allowance;
  readonly #ofAll: Allowance;
  readonly #known = new LRUCache<string, true>({ max: RIGHT });

  /** @param now UTC seconds */
  constructor(now: () => number) {
    this.#ofClient = new Allowance(WRONG_TOKENS.ofClient, now);
    this.#ofAll = new Allowance(WRONG_TOKENS.ofAll, now);
  }

  /** In constant time. Who has to wait is not asked for its secret. */
  isRight(client: string, given: string, secret: string): boolean {
    const isRight = timingSafeEqual(digest(given), digest(secret));
    if (isRight) this.#known.set(client, true);
    else {
      this.#ofClient.take(client);
      this.#ofAll.take(EVERYBODY);
    }
    return isRight;
  }

  /** Seconds. A client that had the token before does not wait for the guesses of others. */
  waitOf(client: string): number {
    const own = this.#ofClient.waitOf(client);
    return this.#known.has(client) ? own : Math.max(own, this.#ofAll.waitOf(EVERYBODY));
  }
}

const EVERYBODY = "everybody";

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
