import { Readable } from "node:stream";
import { decodeText, robotsAllow, robotsRules, robotsSitemaps } from "@rs-emit/documents";
import { LRUCache } from "lru-cache";
import { resolveUrl } from "../address.ts";
import { hasCode } from "../errors.ts";
import { beginningOf } from "./body.ts";
import type { RequestGuard } from "./client.ts";
import { isRefusal, OptedOutError } from "./errors.ts";
import { FETCH_LIMITS, type FetchLimits } from "./fetch-limits.ts";
import type { Answer, Transport } from "./transport.ts";
import { PRODUCT } from "./user-agent.ts";

interface RobotsOptions {
  readonly now?: () => number;
  readonly limits?: Partial<FetchLimits>;
  readonly memory?: RobotsMemory;
}

/**
 * A transport that obeys robots.txt (RFC 9309), read daily for each origin. It checks redirects
 * too. Transports that do not call `guard` (a folder) are free.
 * A missing one (4xx, section 2.3.1.3) or a failing redirect allows everything; one that breaks off
 * counts as far as it came. Without an answer, or with 5xx or 429, nothing else is requested
 * (section 2.3.1.4). `get` throws {@link OptedOutError} where the owner excludes the harvester. Of a
 * robots.txt itself it gives what is known.
 */
export function respectRobots(transport: Transport, options: RobotsOptions = {}): Transport {
  const robots = new Robots(transport, options);
  return {
    async get(url, validators, guard) {
      const obeying: RequestGuard = async (asked) => {
        await guard?.(asked);
        await robots.guard(asked);
      };
      if (!isRobotsTxt(url)) return transport.get(url, validators, obeying);
      await obeying(url);
      return robots.answer(url);
    },
  };
}

/** What robots.txt permits. */
export function robotsGuard(transport: Transport, options: RobotsOptions = {}): RequestGuard {
  const robots = new Robots(transport, options);
  return (url) => robots.guard(url);
}

class Robots {
  readonly #transport: Transport;
  readonly #limits: FetchLimits;
  readonly #memory: RobotsMemory;
  readonly #reading = new Map<string, Promise<string>>();

  constructor(
    transport: Transport,
    { now = () => Date.now() / 1000, limits, memory }: RobotsOptions,
  ) {
    this.#transport = transport;
    this.#limits = { ...FETCH_LIMITS, ...limits };
    this.#memory = memory ?? new RobotsMemory(now, this.#limits);
  }

  async guard(url: string): Promise<void> {
    if (isRobotsTxt(url)) return;
    if (!robotsAllow(await this.#text(url), url)) throw new OptedOutError(url);
  }

  async answer(url: string): Promise<Answer> {
    const body = Readable.from([Buffer.from(await this.#text(url))]);
    const place = { url, permanentUrl: url, link: undefined };
    return { status: "fresh", ...place, validators: {}, body, discard: async () => {} };
  }

  async #text(url: string): Promise<string> {
    const { origin } = new URL(url);
    return this.#memory.recall(origin) ?? this.#readOnce(origin);
  }

  #readOnce(origin: string): Promise<string> {
    const reading =
      this.#reading.get(origin) ?? this.#read(origin).finally(() => this.#reading.delete(origin));
    this.#reading.set(origin, reading);
    return reading;
  }

  async #read(origin: string): Promise<string> {
    const text = await this.#fetch(origin + ROBOTS_TXT);
    const sitemaps = robotsSitemaps(text)
      .slice(0, MOST_SITEMAPS)
      .flatMap((target) => resolveUrl(target, origin) ?? []);
    const lines = sitemaps.map((url) => `Sitemap: ${url}`);
    const known = [robotsRules(text, PRODUCT), ...lines].join("\n");
    this.#memory.remember(origin, known);
    return known;
  }

  async #fetch(url: string): Promise<string> {
    try {
      const answer = await this.#transport.get(url);
      if (answer.status === "unchanged") return "";
      // RFC 9309, section 2.3.1.5: what can be parsed counts.
      const bytes = await beginningOf(answer.body, this.#limits.robotsBytes, true);
      return decodeText(bytes);
    } catch (error) {
      const isNone = hasCode(error, "FORBIDDEN") || hasCode(error, "OVERSIZED");
      if (isNone || isRefusal(error)) return "";
      throw error;
    }
  }
}

const ROBOTS_TXT = "/robots.txt";

export function isRobotsTxt(url: string): boolean {
  return URL.parse(url)?.pathname === ROBOTS_TXT;
}

/** Sitemaps of one robots.txt that are remembered. */
const MOST_SITEMAPS = 100;

export interface KnownRobots {
  readonly origin: string;
  /** What counts of it: what `robotsRules` takes, then its sitemaps, one a line. */
  readonly text: string;
  /** UTC seconds. */
  readonly readAt: number;
}

/** Characters of a robots.txt that the database keeps. */
const LONGEST_KEPT = 20_000;

interface Remembered extends KnownRobots {
  /** Read by this process, and not stored for the others yet. */
  readonly isNews: boolean;
}

/** The robots.txt of recently used origins, each for a day, in bounded memory. */
export class RobotsMemory {
  readonly #now: () => number;
  readonly #seconds: number;
  readonly #known: LRUCache<string, Remembered>;

  constructor(now: () => number, { robotsSeconds, robotsMemory }: FetchLimits = FETCH_LIMITS) {
    this.#now = now;
    this.#seconds = robotsSeconds;
    this.#known = new LRUCache({
      maxSize: robotsMemory,
      // Characters, plus the entry's own size.
      sizeCalculation: ({ text }, origin) => origin.length + text.length + 100,
    });
  }

  recall(origin: string): string | undefined {
    const known = this.#known.get(origin);
    // A later time than now comes from a wrong clock.
    const isFresh = known && Math.abs(this.#now() - known.readAt) < this.#seconds;
    if (known === undefined || isFresh) return known?.text;
    this.#known.delete(origin);
    return undefined;
  }

  remember(origin: string, text: string): void {
    const isNews = text.length <= LONGEST_KEPT;
    this.#known.set(origin, { origin, text, readAt: this.#now(), isNews });
  }

  known(origin: string): KnownRobots | undefined {
    const known = this.#known.peek(origin);
    return known === undefined ? undefined : { origin, text: known.text, readAt: known.readAt };
  }

  learn(all: readonly KnownRobots[]): void {
    for (const robots of all) {
      const known = this.#known.peek(robots.origin);
      if (known === undefined || known.readAt < robots.readAt) {
        this.#known.set(robots.origin, { ...robots, isNews: false });
      }
    }
  }

  /** What this process has read, and what is not stored for the others yet. */
  news(origin: string): KnownRobots | undefined {
    return this.#known.peek(origin)?.isNews ? this.known(origin) : undefined;
  }

  /** Call when the transaction has ended: one that is rolled back stores nothing. */
  noteStored({ origin, readAt }: KnownRobots): void {
    const known = this.#known.peek(origin);
    if (known?.readAt === readAt) this.#known.set(origin, { ...known, isNews: false });
  }
}
