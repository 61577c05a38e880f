import { RobotsMemory, respectRobots } from "@rs-emit/reader";
import type { NetworkTransport } from "@rs-emit/reader/http/transport";
import type { Script } from "../../../reader/test/support/scripted.ts";
import { type Site, SiteServer } from "../../../reader/test/support/site-server.ts";
import { openTestTransport } from "../../../reader/test/support/transport.ts";
import { checkNow } from "../../src/check/check.ts";
import type { CheckResult } from "../../src/check/decide.ts";
import { DEFAULT_SETTINGS } from "../../src/check/harvester.ts";
import { follow } from "../../src/store/following/following.ts";
import { checkSoon } from "../../src/store/following/next-check.ts";
import type { Store } from "../../src/store/open-store.ts";
import { TestHarvester } from "./harvest.ts";
import { openStore } from "./stores.ts";

/** When tests begin: 2026-10-01T00:00:00Z. */
const START = Date.UTC(2026, 9, 1) / 1000;

/** What came of a check, as far as anybody outside sees it. */
export interface Seen {
  /** What was asked of the site: paths, with `~` before those that were asked for only if changed. */
  readonly asked: readonly string[];
  /** Entries that the feed of everything has since, the oldest first; of each its changes. */
  readonly reported: readonly (readonly string[])[];
  /** In how many seconds the next check is; `null` where there is none. */
  readonly next: number | null;
  readonly state: string;
  /** The code of what went wrong. */
  readonly problem: string | null;
}

/** A harvester with a clock that is set by hand, and a server of sites it follows. */
export class FollowedSites implements AsyncDisposable {
  readonly harvester: TestHarvester;
  readonly server: SiteServer;
  readonly #network: NetworkTransport;
  #reported = 0;
  #asked = 0;

  private constructor(harvester: TestHarvester, server: SiteServer, network: NetworkTransport) {
    this.harvester = harvester;
    this.server = server;
    this.#network = network;
  }

  /** @param store the database, which is closed at the end; by default a new one of the suite */
  static async start(store?: Store): Promise<FollowedSites> {
    // The transport below needs the harvester's clock.
    const nowhere = { get: () => Promise.reject(new Error("no transport")) };
    const harvester = new TestHarvester(store ?? (await openStore()), nowhere);
    const network = openTestTransport({ now: harvester.now, limits: { bytes: 5_000_000 } });
    harvester.transport = network;
    return new FollowedSites(harvester, await SiteServer.start(harvester.now), network);
  }

  /** Begins anew: nothing is followed, and no site answers anything. */
  async reset(): Promise<void> {
    this.harvester.time = START;
    await this.harvester.forgetAll();
    this.harvester.transport = this.#network;
    this.harvester.robots = undefined;
    // Most tests are about which changes are told, not about how they are grouped.
    this.harvester.settings = { ...DEFAULT_SETTINGS, entries: "check" };
    this.server.reset();
    this.#reported = 0;
  }

  /** From now on robots.txt is asked for first, as it always is but in most tests. */
  respectRobots(): void {
    const { harvester } = this;
    harvester.robots = new RobotsMemory(harvester.now);
    harvester.transport = respectRobots(this.#network, { memory: harvester.robots });
  }

  site(host: string): Site {
    return this.server.site(host);
  }

  /** Publishes documents: what each path answers from now on; `null` takes it away. */
  publish(site: Site, documents: Readonly<Record<string, Script | null>>): void {
    for (const [path, script] of Object.entries(documents)) {
      site.answer(path, script ?? { status: 404 });
    }
  }

  /** Follows an address. */
  async follow(address: string): Promise<number> {
    return (await follow(this.harvester.database, address, this.harvester.now())).id;
  }

  /** Checks a source now. */
  async check(source: number): Promise<Seen & { readonly result: CheckResult }> {
    const { harvester, server } = this;
    this.#asked = server.requests.length;
    const result = await checkNow(harvester, source);
    const reported = await harvester.reported();
    const news = reported.slice(this.#reported);
    this.#reported = reported.length;
    const row = await this.source(source);
    return {
      result,
      asked: this.asked(),
      reported: news,
      next: row?.next_check == null ? null : row.next_check - harvester.time,
      state: row?.state ?? "unfollowed",
      problem: row?.problem_code ?? null,
    };
  }

  /** Checks all of a source, as somebody has it checked who presses the button. */
  async checkFully(source: number): ReturnType<FollowedSites["check"]> {
    await checkSoon(this.harvester.database, source, this.harvester.now());
    return this.check(source);
  }

  /** What the last check asked. */
  asked(): string[] {
    return this.server.requests.slice(this.#asked).map(({ path, headers }) => {
      const isConditional = "if-none-match" in headers || "if-modified-since" in headers;
      return `${isConditional ? "~" : ""}${path}`;
    });
  }

  /** How a source stands in the database. */
  source(id: number) {
    const { database } = this.harvester;
    return database.selectFrom("source").selectAll().where("id", "=", id).executeTakeFirst();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network.close();
    await this.server[Symbol.asyncDispose]();
    await this.harvester[Symbol.asyncDispose]();
  }
}
