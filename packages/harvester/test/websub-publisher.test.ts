import { once } from "node:events";
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openPublisher, type PublisherOptions } from "../src/serve/websub/publisher.ts";
import { PushedSite } from "./support/pushed-site.ts";

let pushed: PushedSite;
let source = 0;
beforeAll(async () => {
  pushed = await PushedSite.start();
});
afterAll(() => pushed[Symbol.asyncDispose]());
beforeEach(async () => {
  await pushed.reset();
  source = await pushed.follow({ topic: null });
});

const pings = () =>
  pushed.hub.forms.map((form) => [form.get("hub.mode"), form.get("hub.url")].join(" "));
const ALL = ["collection", "source", "all"];

async function open(more: Partial<PublisherOptions> = {}) {
  const problems: unknown[] = [];
  const publisher = await openPublisher({
    store: pushed.sites.harvester.store,
    poster: pushed.poster,
    hub: pushed.hub.url,
    feedUrl: (key) => `https://feeds.example/${key}.atom`,
    report: (problem) => problems.push(problem),
    isWorker: true,
    retryAfter: 1,
    ...more,
  });
  return Object.assign(publisher, { problems, [Symbol.asyncDispose]: () => publisher.close() });
}

async function news(...changes: string[]): Promise<number> {
  const began = pushed.sites.harvester.now();
  pushed.publish({ changes, topic: null });
  await pushed.sites.check(source);
  return began;
}

test("a hub is told of each feed that tells of something new", async () => {
  await using publisher = await open();
  await publisher.announce(source, await news("created a 1"));
  await vi.waitFor(() => expect(pings()).toHaveLength(3), 5000);
  const kinds = pings().map((ping) => /^publish https:\/\/feeds\.example\/(\w+)/.exec(ping)?.[1]);
  expect(kinds.toSorted()).toEqual(ALL.toSorted());
});

test("a hub is told nothing when there is nothing new", async () => {
  const began = await news("created a 1");
  pushed.time = 60;
  await using publisher = await open();
  await publisher.announce(source, began + 30);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect(pings()).toEqual([]);
});

test("a hub that is down is told later, once for each feed", async () => {
  pushed.hub.status = 503;
  await using publisher = await open();
  const began = await news("created a 1");
  await publisher.announce(source, began);
  await vi.waitFor(() => expect(pings().length).toBeGreaterThanOrEqual(3), 5000);
  pushed.hub.status = 204;
  pushed.hub.forms.length = 0;
  await vi.waitFor(() => expect(new Set(pings()).size).toBe(3), 10_000);
  expect(pings()).toHaveLength(3);
});

test("a process that only serves pages leaves it to the workers", async () => {
  const began = await news("created a 1");
  await using front = await open({ isWorker: false });
  await front.announce(source, began);
  await front.announce(source, began);
  expect(pings()).toEqual([]);
  await using _worker = await open();
  await vi.waitFor(() => expect(pings()).toHaveLength(3), 5000);
});

test("what is under way when the publisher closes is told to its end", async () => {
  const slow = createServer((_, response) => setTimeout(() => response.end(), 300));
  slow.listen(0, "127.0.0.1");
  await once(slow, "listening");
  const address = slow.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  let asked = 0;
  slow.on("request", () => (asked += 1));
  const publisher = await open({ hub: `http://hub.test:${port}/` });
  await publisher.announce(source, await news("created a 1"));
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), 5000);
  await publisher.close();
  const { rows } = await pushed.sites.harvester.store.jobs.db.executeSql(
    "SELECT count(*)::integer AS count FROM pgboss.job WHERE name = 'ping' AND state = 'active'",
  );
  expect(rows[0]?.count).toBe(0);
  slow.closeAllConnections();
  slow.close();
});
