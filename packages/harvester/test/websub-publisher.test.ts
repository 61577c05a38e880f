import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type PublisherOptions, sendPings, startPublisher } from "../src/serve/websub/publisher.ts";
import { askForPingOfAll, endPing, takePings } from "../src/store/feed.ts";
import { PushedSite } from "./support/pushed-site.ts";
import { describeStores } from "./support/stores.ts";

let pushed: PushedSite;
let source = 0;

const pings = () =>
  pushed.hub.forms.map((form) => [form.get("hub.mode"), form.get("hub.url")].join(" "));
const ALL = ["collection", "source", "all"];

function open(more: Partial<PublisherOptions> = {}) {
  const problems: unknown[] = [];
  const stop = new AbortController();
  const publisher = startPublisher({ ...options(), signal: stop.signal, report, ...more });
  function report(problem: unknown) {
    problems.push(problem);
  }
  const close = () => {
    stop.abort();
    return publisher.stopped;
  };
  return { problems, close, [Symbol.asyncDispose]: close };
}

const options = () => ({
  database: pushed.sites.harvester.database,
  poster: pushed.poster,
  hub: pushed.hub.url,
  feedUrl: (key: string) => `https://feeds.example/${key}.atom`,
  now: pushed.sites.harvester.now,
});

async function news(...changes: string[]): Promise<void> {
  pushed.sites.harvester.settings = { ...pushed.sites.harvester.settings, hasHub: true };
  pushed.publish({ changes, topic: null });
  await pushed.sites.check(source);
}

describeStores("telling a hub, on $name", () => {
  beforeAll(async () => {
    pushed = await PushedSite.start();
  });
  afterAll(() => pushed[Symbol.asyncDispose]());
  beforeEach(async () => {
    await pushed.reset();
    source = await pushed.follow({ topic: null });
  });

  test("a hub is told of each feed that tells of something new", async () => {
    await using _publisher = open();
    await news("created a 1");
    await vi.waitFor(() => expect(pings()).toHaveLength(3), 5000);
    const kinds = pings().map((ping) => /^publish https:\/\/feeds\.example\/(\w+)/.exec(ping)?.[1]);
    expect(kinds.toSorted()).toEqual(ALL.toSorted());
    const [form] = pushed.hub.forms;
    expect(form?.get("hub.topic")).toBe(form?.get("hub.url"));
  });

  test("a hub is told nothing when there is nothing new", async () => {
    await news("created a 1");
    while ((await sendPings(options())) > 0);
    pushed.hub.forms.length = 0;
    pushed.time = 60;
    await news("created a 1");
    expect(await sendPings(options())).toBe(0);
    expect(pings()).toEqual([]);
  });

  test("a hub that is down is told later, once for each feed", async () => {
    pushed.hub.status = 503;
    await news("created a 1");
    expect(await sendPings(options())).toBe(3);
    expect(await sendPings(options())).toBe(0);
    pushed.hub.status = 204;
    pushed.hub.forms.length = 0;
    pushed.sites.harvester.time += 15;
    expect(await sendPings(options())).toBe(3);
    expect(new Set(pings()).size).toBe(3);
    pushed.sites.harvester.time += 86_400;
    expect(await sendPings(options())).toBe(0);
  });

  test("a feed that changes while the hub is told of it is told again", async () => {
    await news("created a 1");
    const { database, now } = options();
    await askForPingOfAll(database, now());
    const pingsTaken = await takePings(database, now(), 60);
    await news("created a 1", "created b 2");
    for (const ping of pingsTaken) await endPing(database, ping, now());
    expect(await sendPings(options())).toBe(3);
    expect(await sendPings(options())).toBe(0);
  });

  test("what a process that was killed was telling is told by another one", async () => {
    await news("created a 1");
    const { database, now } = options();
    await askForPingOfAll(database, now());
    expect(await takePings(database, now(), 60)).toHaveLength(3);
    expect(await sendPings(options())).toBe(0);
    pushed.sites.harvester.time += 60;
    expect(await sendPings(options())).toBe(3);
  });

  test("what is under way when the publisher closes is told to its end", async () => {
    const slow = createServer((_, response) => setTimeout(() => response.end(), 300));
    slow.listen(0, "127.0.0.1");
    await once(slow, "listening");
    const address = slow.address();
    const port = address === null || typeof address === "string" ? 0 : address.port;
    let asked = 0;
    slow.on("request", () => {
      asked += 1;
    });
    await news("created a 1");
    const publisher = open({ hub: `http://hub.test:${port}/` });
    await vi.waitFor(() => expect(asked).toBeGreaterThan(0), 5000);
    await publisher.close();
    const left = await options().database.selectFrom("ping").selectAll().execute();
    expect(left).toEqual([]);
    slow.closeAllConnections();
    slow.close();
  });
});
