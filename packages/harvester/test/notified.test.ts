import { cpSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { PassThrough } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { surface } from "../../../conformance/surface.ts";
import { main } from "../../cli/src/main.ts";
import { seconds, TestSite, temporaryFolder } from "../../core/test/support/site.ts";
import { PushedSite } from "./support/pushed-site.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;

let pushed: PushedSite;
let service: TestService;
let pings: Server;
let built: TestSite;
let live: string;
let source: number;

const web = () => pushed.sites.site("127.0.0.1");
const hubUrl = () => pushed.hub.url.replace("hub.test", "127.0.0.1");
const feed = async () => (await service.ask("/feeds/all.atom")).text();

beforeAll(async () => {
  pushed = await PushedSite.start();
  pings = createServer(getRequestListener((request, env) => service.app.fetch(request, env)));
  await new Promise<void>((resolve) => pings.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  pings.closeAllConnections();
  pings.close();
  await pushed[Symbol.asyncDispose]();
});

/** A site with a log, live and followed; the harvester has subscribed to its topic. */
beforeEach(async () => {
  await pushed.reset();
  service = new TestService(pushed.sites.harvester);
  live = temporaryFolder();
  built = new TestSite({ url: web().url, hub: hubUrl() });
  web().serve(live);
  built.page("index.html", "Home").page("moss.html", "Moss");
  await publish("2026-10-01T08:00:00Z");
  deploy();
  source = await pushed.sites.follow(web().url);
  expect((await pushed.sites.check(source)).problem).toBeNull();
  await pushed.tend();
  expect([...pushed.hub.subscriptions.values()]).toMatchObject([
    { topic: `${web().url}notification.xml` },
  ]);
  pushed.hub.forms.length = 0;
});

async function publish(at: string): Promise<void> {
  await built.publish(at);
  pushed.sites.harvester.time = seconds(at) + 60;
}

const deploy = () => cpSync(built.folder, live, { recursive: true });

/** The site's author edits a page, publishes, deploys, and runs `rs-emit notify`. */
async function change(text: string, at: string, ...to: readonly string[]): Promise<void> {
  built.page("moss.html", text);
  await publish(at);
  expect(await notify(...to)).toMatchObject({ exit: 1, reported: "" });
  deploy();
  expect(await notify(...to)).toMatchObject({ exit: 0, problem: "" });
}

async function notify(...to: readonly string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const args = ["notify", built.folder, "--url", web().url, "--wait", "0s", ...to];
  surface("command");
  const exit = await main(args, { stdin, stdout, stderr });
  return { exit, reported: String(stdout.read() ?? ""), problem: String(stderr.read() ?? "") };
}

/** What the hub was told to publish, as it fetches it then. */
async function published(): Promise<readonly (readonly [topic: string, body: string])[]> {
  const topics = pushed.hub.forms.flatMap((form) => form.get("hub.topic") ?? []);
  return Promise.all(
    topics.map(async (topic) => [topic, await (await fetch(topic)).text()] as const),
  );
}

/** When the source is checked next, in seconds from now, once subscriptions were looked after. */
async function nextCheck(): Promise<number> {
  await pushed.tend();
  const { next_check } = (await pushed.sites.source(source)) ?? {};
  return Number(next_check) - pushed.sites.harvester.time;
}

test(
  "a publication stands in the feed as soon as the hub has delivered it, and once",
  proves("N1", "N12", "N27", "T2"),
  async () => {
    for (const [text, at] of [
      ["Moss, second", "2026-10-02T08:00:00Z"],
      ["Moss, third", "2026-10-03T08:00:00Z"],
    ] as const) {
      await change(text, at, "--hub", hubUrl());
      for (const [topic, body] of await published()) await pushed.hub.deliver(topic, body);
      pushed.hub.forms.length = 0;
      expect(await feed()).toContain(text);
    }
    const before = await feed();
    expect(pushed.deliveries).toMatchObject([{ reported: 1 }, { reported: 1 }]);
    pushed.sites.harvester.time += DAY;
    await pushed.sites.check(source);
    expect((await pushed.sites.source(source))?.problem_code).toBeNull();
    expect(entriesOf(await feed())).toEqual(entriesOf(before));
  },
);

test("what a hub delivers without a signature has the site checked soon", async () => {
  await change("Moss, unsigned", "2026-10-02T08:00:00Z", "--hub", hubUrl());
  for (const [topic, body] of await published()) {
    for (const one of pushed.hub.subscriptions.values()) {
      if (one.topic === topic) await pushed.hub.send({ ...one, secret: undefined }, body);
    }
  }
  expect(await feed()).not.toContain("Moss, unsigned");
  expect(await nextCheck()).toBeLessThanOrEqual(60);
  await pushed.sites.check(source);
  expect(await feed()).toContain("Moss, unsigned");
});

test("what a hub loses, the next poll finds", proves("N9"), async () => {
  await change("Moss, lost", "2026-10-02T08:00:00Z", "--hub", hubUrl());
  expect(await published()).not.toEqual([]);
  expect(await feed()).not.toContain("Moss, lost");
  expect(await nextCheck()).toBeLessThanOrEqual(DAY);
  await change("Moss, delivered", "2026-10-02T20:00:00Z", "--hub", hubUrl());
  pushed.deliveries.length = 0;
  const newest = new Map(await published());
  for (const [topic, body] of newest) await pushed.hub.deliver(topic, body);
  expect(pushed.deliveries).toMatchObject([{ reported: 1, hasGap: true }]);
  expect(await nextCheck()).toBeLessThanOrEqual(0);
  await pushed.sites.check(source);
  expect(await feed()).toContain("Moss, lost");
  expect(await feed()).toContain("Moss, delivered");
});

test("a ping has the site checked soon, without any hub", proves("T42"), async () => {
  const address = pings.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const ping = `http://127.0.0.1:${address.port}/ping`;
  await change("Moss, pinged", "2026-10-02T08:00:00Z", "--ping", ping);
  expect(await nextCheck()).toBeLessThanOrEqual(60);
  await pushed.sites.check(source);
  expect(await feed()).toContain("Moss, pinged");
});

function entriesOf(atom: string): readonly string[] {
  return [...atom.matchAll(/<entry>[\s\S]*?<\/entry>/g)].map(([entry]) => entry);
}
