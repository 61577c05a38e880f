import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { HostQueues } from "../src/http/client.ts";
import { fresh, textOf } from "./support/answers.ts";
import { SiteServer } from "./support/site-server.ts";
import { openTestTransport } from "./support/transport.ts";

/** Counts how many are busy at once. */
class Crowd {
  now = 0;
  most = 0;
  async join(): Promise<string> {
    this.now += 1;
    this.most = Math.max(this.most, this.now);
    await pause(5);
    this.now -= 1;
    return "x";
  }
}

test("a host is asked one thing at a time, over one connection", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const crowd = new Crowd();
  const site = server.site("example.test").answer("*", () => crowd.join());
  const paths = Array.from({ length: 10 }, (_, place) => `/${place}`);
  await Promise.all(paths.map(async (path) => await textOf(await transport.get(site.urlOf(path)))));
  expect(crowd.most).toBe(1);
  expect(site.requests.map(({ path }) => path)).toEqual(paths);
  expect(server.connections).toBe(1);
});

test("many hosts are asked at once", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const crowd = new Crowd();
  const sites = Array.from({ length: 10 }, (_, place) =>
    server.site(`site${place}.test`).answer("/", () => crowd.join()),
  );
  await Promise.all(sites.map(async ({ url }) => await textOf(await transport.get(url))));
  expect(crowd.most).toBeGreaterThan(1);
});

test("a document that is being read keeps its host from others, one that is given up does not", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const site = server.site("example.test").answer("*", "x".repeat(1_000_000));
  const first = fresh(await transport.get(site.urlOf("1")));
  const second = transport.get(site.urlOf("2"));
  await pause(30);
  expect(site.requests).toHaveLength(1);
  await first.discard();
  const third = transport.get(site.urlOf("3"));
  for await (const _ of fresh(await second).body) break;
  expect(await textOf(await third)).toHaveLength(1_000_000);
});

test("an answer without a document ends the turn", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport();
  const site = server
    .site("example.test")
    .answer("/304", { status: 304 })
    .answer("/302", { status: 302, headers: { location: "/missing" }, body: "moved" })
    .answer("/raw", { raw: "" })
    .answer("/text", "here");
  const etag = '"any"';
  for (const path of ["304", "302", "raw", "missing"]) {
    await transport.get(site.urlOf(path), { etag }).catch(() => {});
  }
  expect(await textOf(await transport.get(site.urlOf("text")))).toBe("here");
});

test("waiting for a turn costs nothing of a document's time", async () => {
  await using server = await SiteServer.start();
  await using transport = openTestTransport({ limits: { secondsToHeaders: 0.5, seconds: 0.5 } });
  const site = server.site("example.test").answer("*", { body: "x", delay: 100 });
  const texts = await Promise.all(
    Array.from({ length: 6 }, async () => await textOf(await transport.get(site.url))),
  );
  expect(texts).toHaveLength(6);
});

test("a transport that is closed breaks off what is under way, and asks nothing more", async () => {
  await using server = await SiteServer.start();
  const transport = openTestTransport();
  const site = server.site("example.test").answer("/", { delay: 60_000 });
  const failures = [transport.get(site.url), transport.get(site.url)].map((asked) =>
    asked.catch((error: unknown) => error),
  );
  await pause(30);
  await transport.close();
  for (const failure of failures) {
    expect(await failure).toMatchObject({
      code: "UNREACHABLE",
      message: `${site.url} was given up: the harvester stops.`,
    });
  }
  expect(site.requests).toHaveLength(1);
});

test("turns come in the order of asking", async () => {
  const turns = new HostQueues();
  const order: number[] = [];
  const take = async (number: number) => {
    const end = await turns.take("host");
    order.push(number);
    await pause(1);
    end();
    end();
  };
  await Promise.all([1, 2, 3, 4].map(take));
  expect(order).toEqual([1, 2, 3, 4]);
  await take(5);
  expect(order).toHaveLength(5);
});
