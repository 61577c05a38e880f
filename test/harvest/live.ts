import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderTransport } from "@rs-emit/reader/http/folder-transport";
import { expect } from "vitest";
import { checkNow } from "../../packages/harvester/src/check/check.ts";
import { follow } from "../../packages/harvester/src/store/following/following.ts";
import type { TestHarvester } from "../../packages/harvester/test/support/harvest.ts";
import { documentsIn, replaceFolder } from "../model/documents.ts";
import type { Host } from "../model/host.ts";
import { expectPublication } from "../model/oracle.ts";
import { Publisher } from "../model/publisher.ts";
import type { State } from "../model/state.ts";
import type { Event } from "./events.ts";
import { dying } from "./killed.ts";

const DAY = 86_400;

/**
 * Lives through some events between an author and a harvester, then lets both come to rest, and proves
 * that the feed of everything tells each change of the model's logs once.
 *
 * @returns what it tells
 */
export async function liveAndHarvest(
  host: Host,
  harvester: TestHarvester,
  events: readonly Event[],
): Promise<readonly string[]> {
  await harvester.forgetAll();
  using publisher = new Publisher("output", host);
  const life = new Life(publisher, harvester);
  await life.publish({ elapse: 0, edits: [] });
  for (const event of events) {
    if (event.event === "publish") await life.publish(event.step);
    else if (event.event === "deploy") life.deploy(event.arrives);
    else if (event.event === "check") await life.check(event.pause);
    else await life.crash(event.pause, event.at);
  }
  life.deploy();
  await life.rest();
  const told = (await harvester.reportedChanges()).sort();
  expect(told).toEqual(await life.expected());
  return told;
}

class Life {
  readonly #publisher: Publisher;
  readonly #harvester: TestHarvester;
  readonly #live: string;
  #state: State = new Map();
  #source = 0;

  constructor(publisher: Publisher, harvester: TestHarvester) {
    this.#publisher = publisher;
    this.#harvester = harvester;
    this.#live = join(publisher.aside, "live");
    mkdirSync(this.#live, { recursive: true });
    harvester.time = publisher.site.now;
    harvester.transport = folderTransport(this.#live, publisher.site.url);
  }

  async publish({ elapse, edits }: { elapse: number; edits: Parameters<Publisher["edit"]>[0] }) {
    this.#publisher.edit(edits, elapse);
    const expected = expectPublication(this.#state, this.#publisher.site);
    if ("stops" in expected) {
      await expect(this.#publisher.publish()).rejects.toMatchObject({ code: expected.stops });
      return;
    }
    await this.#publisher.publish();
    this.#state = expected.state;
  }

  deploy(arrives?: readonly boolean[]): void {
    const { output } = this.#publisher;
    if (arrives === undefined) {
      replaceFolder(output, this.#live);
      return;
    }
    const documents = [...documentsIn(output).keys()].sort();
    for (const path of documents.filter((_, at) => arrives[at])) {
      mkdirSync(dirname(join(this.#live, path)), { recursive: true });
      cpSync(join(output, path), join(this.#live, path));
    }
  }

  async check(pause: number): Promise<void> {
    this.#pass(pause);
    await checkNow(this.#harvester, await this.#follow());
  }

  async crash(pause: number, at: number): Promise<void> {
    this.#pass(pause);
    const source = await this.#follow();
    await dying(this.#harvester, at, (harvester) => checkNow(harvester, source));
    // The lease of the dead ends by the database's clock, which nobody sets here.
    await this.#harvester.database.updateTable("host").set({ lease_until: 1 }).execute();
  }

  /** Checks until two in a row find nothing wrong. */
  async rest(): Promise<void> {
    for (let calm = 0, checks = 0; calm < 2; checks += 1) {
      this.#pass(DAY);
      const result = await checkNow(this.#harvester, await this.#follow());
      calm = result.kind === "checked" ? calm + 1 : 0;
      if (checks > 5) throw new Error("the harvester finds no rest", { cause: result });
    }
  }

  /** Every change of the model's logs that is of interest to followers, since they followed. */
  async expected(): Promise<string[]> {
    const known = await this.#harvester.database
      .selectFrom("collection")
      .select(["url", "known_from"])
      .execute();
    const knownFrom = new Map(known.map((row) => [row.url, row.known_from]));
    return [...this.#state]
      .flatMap(([collection, { log }]) => {
        const from = knownFrom.get(collection) ?? Number.NEGATIVE_INFINITY;
        return log.filter(({ minor, datetime }) => minor !== true && datetime >= from);
      })
      .map(({ kind, url, datetime }) => `${url} ${kind} ${datetime}`)
      .sort();
  }

  async #follow(): Promise<number> {
    const { database } = this.#harvester;
    this.#source ||= (await follow(database, this.#publisher.site.url, this.#harvester.time)).id;
    return this.#source;
  }

  /** The harvester's clock is right; the author's may go anywhere. */
  #pass(pause: number): void {
    const latest = Math.max(this.#harvester.time, this.#publisher.site.now);
    this.#harvester.time = latest + pause;
  }
}
