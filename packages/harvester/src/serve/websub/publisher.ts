import type { Kysely } from "kysely";
import type { PgBoss } from "pg-boss";
import type { Poster } from "../../http/post.ts";
import { feedsOf } from "../../record/places.ts";
import type { Store } from "../../store/database.ts";
import type { FeedName } from "../../store/queries/feed-name.ts";
import type { Schema } from "../../store/schema.ts";
import { closeBoss, openBoss, type Report } from "../worker/boss.ts";

/** What telling a hub of our own feeds needs. */
export interface PublisherOptions {
  readonly store: Store;
  readonly poster: Poster;
  /** The hub that our feeds name. */
  readonly hub: string;
  /** The URL of a feed: the one that it names as `self`. */
  readonly feedUrl: (feed: FeedName) => string;
  /** Hears of what goes wrong with the queue. */
  readonly report: Report;
  /** Tells the hub itself; a process that only serves pages leaves that to the workers. */
  readonly isWorker: boolean;
  /** Seconds until a hub that could not be told is told again; twice as long each time. */
  readonly retryAfter?: number;
}

const QUEUE = "ping";
/** Hubs that are down for half a day are still told. */
const RETRIES = { times: 12, after: 15, longest: 3600 } as const;

/** Opens the way to tell a hub which of our feeds have changed (WebSub, section 6). */
export async function openPublisher(options: PublisherOptions): Promise<Publisher> {
  const { store, report, retryAfter, isWorker } = options;
  const boss = await openBoss(store, report);
  await boss.createQueue(QUEUE, {
    // A feed waits once, however often it has changed meanwhile.
    policy: "short",
    retryLimit: RETRIES.times,
    retryDelay: retryAfter ?? RETRIES.after,
    retryBackoff: true,
    retryDelayMax: RETRIES.longest,
    deleteAfterSeconds: 3600,
  });
  if (isWorker) await work(boss, options);
  return new Publisher(boss, store.database);
}

/** Tells a hub of our feeds. */
export class Publisher {
  readonly #boss: PgBoss;
  readonly #database: Kysely<Schema>;

  constructor(boss: PgBoss, database: Kysely<Schema>) {
    this.#boss = boss;
    this.#database = database;
  }

  /**
   * Has the hub told of every feed that tells of something new of a source.
   *
   * @param since when that was found out at the earliest, UTC seconds
   */
  async announce(source: number, since: number): Promise<void> {
    const collections = await this.#database
      .selectFrom("collection")
      .select(["id", "source_id"])
      .where("source_id", "=", source)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("change")
            .select("change.id")
            .whereRef("change.collection_id", "=", "collection.id")
            .where("change.entry_id", "is not", null)
            .where("change.taken_at", ">=", since),
        ),
      )
      .execute();
    const feeds = new Set(collections.flatMap(feedsOf));
    const jobs = [...feeds].toSorted().map((feed) => ({ singletonKey: feed, data: { feed } }));
    if (jobs.length > 0) await this.#boss.insert(QUEUE, jobs);
  }

  /** Ends what is under way; what is still to be told stays in the database. */
  async close(): Promise<void> {
    await closeBoss(this.#boss);
  }
}

async function work(boss: PgBoss, { poster, hub, feedUrl }: PublisherOptions): Promise<void> {
  const pace = { pollingIntervalSeconds: 1, localConcurrency: 2 };
  await boss.work<{ feed: FeedName }>(QUEUE, pace, async (jobs) => {
    for (const { data } of jobs) {
      const form = new URLSearchParams({ "hub.mode": "publish", "hub.url": feedUrl(data.feed) });
      await poster.post(hub, form);
    }
  });
}
