import { createHash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Allowance } from "./clients.ts";

/** Wrong tokens of one client, and of all together: one attacker may have very many addresses. */
const WRONG = {
  ofClient: { atOnce: 10, perHour: 30 },
  ofAll: { atOnce: 1_000, perHour: 1_000 },
};

/** Clients that are remembered for having had the token. */
const KNOWN = 1_000;

export type Verdict =
  | { readonly kind: "right" | "wrong" }
  /** It was not compared. The client has to wait, in seconds. */
  | { readonly kind: "refused"; readonly wait: number };

/** Compares secrets that clients send, and refuses to after many wrong ones. */
export class TokenGuard {
  readonly #ofClient: Allowance;
  readonly #ofAll: Allowance;
  readonly #known = new LRUCache<string, true>({ max: KNOWN });

  /** @param now UTC seconds */
  constructor(now: () => number) {
    this.#ofClient = new Allowance(WRONG.ofClient, now);
    this.#ofAll = new Allowance(WRONG.ofAll, now);
  }

  /** In constant time. */
  compare(client: string, given: string, secret: string): Verdict {
    const wait = this.#waitOf(client);
    if (wait > 0) return { kind: "refused", wait };
    if (timingSafeEqual(digest(given), digest(secret))) {
      this.#known.set(client, true);
      return { kind: "right" };
    }
    this.#ofClient.take(client);
    this.#ofAll.take(EVERYBODY);
    return { kind: "wrong" };
  }

  /** The guesses of others do not lock out who had the token before. */
  #waitOf(client: string): number {
    const own = this.#ofClient.waitOf(client);
    return this.#known.has(client) ? own : Math.max(own, this.#ofAll.waitOf(EVERYBODY));
  }
}

const EVERYBODY = "everybody";

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
