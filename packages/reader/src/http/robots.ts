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
 * (section 2.3.1.4). `get` throws {@link OptedOutError} where the owner excludes the harvester. Who asks for a robots.txt
 * gets the sitemaps that it names.
 */
export function respectRobots(transport: Transport, options: RobotsOptions = {}): Transport {
  const robots = new Robots(transport, options);
  return {
    async get(url, validators, guard) {
      if (isRobotsTxt(url)) {
        await guard?.(url);
        return robots.answer(url);
      }
      return transport.get(url, validators, async (asked) => {
        await guard?.(asked);
        await robots.guard(asked);
      });
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
  readonly #reading = new Map<string, Promise<RobotsTxt>>();

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
    const { rules } = await this.#known(url);
    if (!robotsAllow(rules, url)) throw new OptedOutError(url);
  }

  async answer(url: string): Promise<Answer> {
    const { sitemaps } = await this.#known(url);
    const text = sitemaps.map((sitemap) => `Sitemap: ${sitemap}\n`).join("");
    return {
      status: "fresh",
      url,
      permanentUrl: url,
      validators: {},
      link: undefined,
      body: (async function* () {
        yield Buffer.from(text);
      })(),
      discard: async () => {},
    };
  }

  async #known(url: string): Promise<RobotsTxt> {
    const { origin } = new URL(url);
    return this.#memory.recall(origin) ?? this.#readOnce(origin);
  }

  #readOnce(origin: string): Promise<RobotsTxt> {
    const reading =
      this.#reading.get(origin) ?? this.#read(origin).finally(() => this.#reading.delete(origin));
    this.#reading.set(origin, reading);
    return reading;
  }

  async #read(origin: string): Promise<RobotsTxt> {
    const { text, base } = await this.#fetch(origin + ROBOTS_TXT);
    const named = robotsSitemaps(text).slice(0, MOST_SITEMAPS);
    const sitemaps = named.flatMap((target) => resolveUrl(target, base) ?? []);
    const robots = { origin, rules: robotsRules(text, PRODUCT), sitemaps };
    this.#memory.remember(robots);
    return robots;
  }

  async #fetch(url: string): Promise<{ readonly text: string; readonly base: string }> {
    const nothing = { text: "", base: url };
    try {
      const answer = await this.#transport.get(url);
      if (answer.status === "unchanged") return nothing;
      // RFC 9309, section 2.3.1.5: what can be parsed counts.
      const bytes = await beginningOf(answer.body, this.#limits.robotsBytes, true);
      return { text: decodeText(bytes), base: answer.url };
    } catch (error) {
      const isNone = hasCode(error, "FORBIDDEN") || hasCode(error, "OVERSIZED");
      if (isNone || isRefusal(error)) return nothing;
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

interface RobotsTxt {
  readonly origin: string;
  /** What `robotsRules` takes of it. */
  readonly rules: string;
  /** The addresses that it names. */
  readonly sitemaps: readonly string[];
}

export interface KnownRobots extends RobotsTxt {
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
      sizeCalculation: (robots) => robots.origin.length + lengthOf(robots) + 100,
    });
  }

  recall(origin: string): RobotsTxt | undefined {
    const known = this.#known.get(origin);
    // A later time than now comes from a wrong clock.
    const isFresh = known && Math.abs(this.#now() - known.readAt) < this.#seconds;
    if (known === undefined || isFresh) return known;
    this.#known.delete(origin);
    return undefined;
  }

  remember(robots: RobotsTxt): void {
    const isNews = lengthOf(robots) <= LONGEST_KEPT;
    this.#known.set(robots.origin, { ...robots, readAt: this.#now(), isNews });
  }

  known(origin: string): KnownRobots | undefined {
    const known = this.#known.peek(origin);
    if (known === undefined) return undefined;
    const { isNews: _, ...robots } = known;
    return robots;
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

function lengthOf({ rules, sitemaps }: RobotsTxt): number {
  return rules.length + sitemaps.join("").length;
}
