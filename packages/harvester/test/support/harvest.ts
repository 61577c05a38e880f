import type { RobotsMemory, Transport } from "@rs-emit/reader";
import {
  DEFAULT_SETTINGS,
  type Harvester,
  type HarvesterSettings,
} from "../../src/check/harvester.ts";
import type { Store } from "../../src/store/open-store.ts";
import { forgetAll } from "./forget-all.ts";
import { openStore } from "./stores.ts";

/** A harvester with an empty memory and a clock that stands still. */
export class TestHarvester implements Harvester {
  readonly store: Store;
  transport: Transport;
  settings: HarvesterSettings = DEFAULT_SETTINGS;
  robots: RobotsMemory | undefined;
  /** UTC seconds. */
  time = 1_790_812_800;

  constructor(store: Store, transport: Transport) {
    this.store = store;
    this.transport = transport;
  }

  static async start(transport: Transport): Promise<TestHarvester> {
    return new TestHarvester(await openStore(), transport);
  }

  get database() {
    return this.store.database;
  }

  readonly now = () => this.time;
  /** The system's, unless a test sets it. */
  processorTime: (() => number) | undefined;
  readonly random = () => 0;
  /** Takes no time, unless a test sets it. */
  wait: NonNullable<Harvester["wait"]> = async () => {};

  /** What the feed of everything tells, entry by entry: `created a/`. */
  async reported(): Promise<string[][]> {
    const rows = await this.database
      .selectFrom("entry")
      .innerJoin("change", "change.entry_id", "entry.id")
      .select(["entry.id as number", "change.kind", "change.url"])
      .where("entry.is_combined", "=", 1)
      .orderBy("entry.id")
      .orderBy("change.datetime")
      .orderBy("change.id")
      .execute();
    const entries = Map.groupBy(rows, ({ number }) => number);
    return [...entries.values()].map((changes) =>
      changes.map(({ kind, url }) => `${kind} ${new URL(url).pathname.slice(1)}`),
    );
  }

  /** Every change that the feeds of collections tell: once for each time that one does. */
  async reportedChanges(): Promise<string[]> {
    const rows = await this.database
      .selectFrom("feed_entry")
      .innerJoin("change", "change.entry_id", "feed_entry.entry_id")
      .select(["change.kind", "change.url", "change.datetime"])
      .where("feed", "like", "collection/%")
      .execute();
    return rows.map(({ kind, url, datetime }) => `${url} ${kind} ${datetime}`);
  }

  async forgetAll(): Promise<void> {
    await forgetAll(this.database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}
