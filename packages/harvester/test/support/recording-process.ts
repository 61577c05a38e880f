/**
 * A process of its own that records what checks read of the cases of `log-model/cases.ts`, one after another:
 * `node recording-process.ts <database> <seeds>`. It begins where it is told, and sends each step that it has done.
 */
import { MissingError } from "@rs-emit/reader/http/errors";
import { DEFAULT_SETTINGS } from "../../src/check/harvester.ts";
import { follow } from "../../src/store/following/following.ts";
import { endLeases } from "../../src/store/host-leases.ts";
import { openPostgres, openSqlite } from "../../src/store/open-store.ts";
import { shapes } from "../log-model/cases.ts";
import { expectedOf } from "../log-model/expected.ts";
import { recordStep } from "../log-model/recorded.ts";
import { forgetAll } from "./forget-all.ts";
import { SITE } from "./readings.ts";

/** How far it has come: so many steps of a case are done, the first of which follows its source. */
export interface Progress {
  readonly at: number;
  readonly done: number;
  /** All that is reported, when the case is done. */
  readonly reported?: readonly string[];
}

const [place = "", seeds = ""] = process.argv.slice(2);
process.once("message", (begin: Progress) => void work(begin));
send("ready");

async function work(begin: Progress): Promise<void> {
  const store = place.startsWith("postgres") ? await openPostgres(place) : await openSqlite(place);
  const { database } = store;
  // Nobody else has this database: who holds a lease was killed.
  await endLeases(database);
  let time = 0;
  const harvester = {
    database,
    transport: { get: (url: string) => Promise.reject(new MissingError(url)) },
    settings: DEFAULT_SETTINGS,
    now: () => time,
    random: () => 0,
  };
  let { at, done } = begin;
  for (const one of shapes(JSON.parse(seeds)).slice(at)) {
    const { steps } = expectedOf({ "": one });
    if (done === 0) {
      await forgetAll(database);
      time = steps[0]?.now ?? 0;
      await follow(database, SITE, time);
      done = 1;
      send({ at, done });
    }
    const { id } = await database.selectFrom("source").select("id").executeTakeFirstOrThrow();
    for (const step of steps.slice(done - 1)) {
      time = step.now;
      await recordStep(harvester, id, step);
      done += 1;
      send({ at, done });
    }
    const rows = await database
      .selectFrom("feed_entry")
      .innerJoin("change", "change.entry_id", "feed_entry.entry_id")
      .select(["change.kind", "change.url", "change.datetime"])
      .where("feed", "like", "collection/%")
      .execute();
    const reported = rows.map(({ url, kind, datetime }) => `${url} ${kind} ${datetime}`);
    [at, done] = [at + 1, 0];
    send({ at, done, reported });
  }
  await store.close();
  process.disconnect();
}

function send(message: Progress | "ready"): void {
  process.send?.(message);
}
