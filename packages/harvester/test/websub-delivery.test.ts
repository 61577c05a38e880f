import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { websubRoutes } from "../src/serve/websub/callback.ts";
import type { Delivered } from "../src/serve/websub/incoming-delivery.ts";
import { releaseHost, takeDueHosts, takeHost } from "../src/store/host-leases.ts";
import { signature } from "./support/hub.ts";
import { PushedSite } from "./support/pushed-site.ts";
import { describeStores } from "./support/stores.ts";
import { ComingBody, TestService } from "./support/web.ts";

let pushed: PushedSite;
let source = 0;

const reported = () => pushed.sites.harvester.reported();
const coveredUntil = async () => (await pushed.subscription())?.covered_until;
/** In how many seconds the source is polled, once subscriptions were looked after. */
const nextPoll = async () => {
  await pushed.tend();
  const row = await pushed.sites.source(source);
  return (row?.next_check ?? 0) - pushed.sites.harvester.time;
};
const DAY = 86_400;
const MEGABYTE = " ".repeat(1_000_000);
const only = () => {
  const [subscription] = pushed.hub.subscriptions.values();
  if (subscription === undefined) throw new Error("nobody has subscribed");
  return subscription;
};

describeStores("deliveries, on $name", () => {
  beforeAll(async () => {
    pushed = await PushedSite.start();
  });
  afterAll(() => pushed[Symbol.asyncDispose]());
  beforeEach(async () => {
    await pushed.reset();
    source = await pushed.follow();
    await pushed.tend();
  });

  describe("a delivery", () => {
    test("is told at once, as one entry", proves("N1", "N12", "N27", "N32", "T2"), async () => {
      pushed.time = 30;
      expect(await pushed.push(0, 20, ["created a 5", "updated b 15"])).toEqual([202]);
      expect(await reported()).toEqual([["created a", "updated b"]]);
      expect(pushed.deliveries).toMatchObject([{ source, reported: 2, hasGap: false }]);
      expect(await pushed.sites.source(source)).toMatchObject({
        last_change: pushed.sites.harvester.time,
      });
      expect(await nextPoll()).toBe(DAY - 30);
    });

    test("is told once, however often it comes", async () => {
      for (let count = 0; count < 3; count += 1) await pushed.push(0, 20, ["created a 5"]);
      await Promise.all([1, 2, 3].map(() => pushed.push(20, 40, ["updated a 25"])));
      expect(await reported()).toEqual([["created a"], ["updated a"]]);
    });

    test("is not told again by the list that says the same, nor the other way round", async () => {
      await pushed.push(0, 20, ["created a 5"]);
      pushed.publish({ changes: ["created a 5", "created b 10"] });
      await pushed.sites.check(source);
      await pushed.push(5, 30, ["created b 10", "created c 30"]);
      pushed.publish({ changes: ["created a 5", "created b 10", "created c 30"] });
      await pushed.sites.check(source);
      expect(await reported()).toEqual([["created a"], ["created b"], ["created c"]]);
      expect((await pushed.sites.source(source))?.notice).toBeNull();
    });

    test("may not speak for other hosts", async () => {
      await pushed.push(0, 20, ["created https://bank.example/ 5", "created a 6"]);
      expect(await reported()).toEqual([["created a"]]);
    });

    test("of the time before anybody followed is told, if no list has listed it", async () => {
      await pushed.push(0, 20, [`created old ${-31 * DAY}`, "created a 6"]);
      expect(await reported()).toEqual([["created old", "created a"]]);
    });

    test("of a large body waits for its turn: few are held at a time, and the hub repeats the others", async () => {
      const end = Promise.withResolvers<Delivered>();
      const { database: writing, now } = pushed.sites.harvester;
      const websub = websubRoutes({ writing, deliver: () => end.promise, now });
      const service = new TestService(pushed.sites.harvester, {}, websub);
      const path = new URL(only().callback).pathname;
      const bodies = Array.from({ length: 150 }, () => new ComingBody(Array(9).fill(MEGABYTE)));
      const statuses: number[] = [];
      const answers = bodies.map(async ({ stream }) => {
        const length = { "content-length": "9000000" };
        const { status, headers } = await service.send(path, stream, length);
        expect(headers.get("retry-after")).toBe(status === 503 ? "60" : null);
        statuses.push(status);
      });
      await expect.poll(() => statuses, { timeout: 60_000 }).toHaveLength(146);
      expect(bodies.filter(({ asked }) => asked > 0)).toHaveLength(4);
      end.resolve({ kind: "ignored" });
      await Promise.all(answers);
      expect(statuses).toEqual([...Array(146).fill(503), ...Array(4).fill(202)]);
      const later = await service.send(path, new ComingBody(["x"]).stream);
      expect(later.status).toBe(202);
    });

    test("that took more than 20 s of processor time counts, and is tried as rarely as such a check", async () => {
      const { harvester } = pushed.sites;
      onTestFinished(() => {
        harvester.processorTime = undefined;
      });
      let used = 0;
      harvester.processorTime = () => {
        used += 21;
        return used;
      };
      await pushed.push(0, 20, ["created a 5"]);
      expect(await reported()).toEqual([["created a"]]);
      const slow = { problem_code: "CRASHED", unfinished_checks: 1 };
      expect(await pushed.sites.source(source)).toMatchObject(slow);
      used = 0;
      await pushed.push(20, 40, ["created b 25"]);
      expect([await reported(), used]).toEqual([[["created a"]], 0]);
      harvester.processorTime = undefined;
      pushed.publish({ changes: ["created a 5", "created b 25"] });
      await pushed.sites.check(source);
      await pushed.push(40, 60, ["created c 45"]);
      expect(await reported()).toEqual([["created a"], ["created b"], ["created c"]]);
    });

    test("that announces too much, or comes for nobody, is not read", async () => {
      const { database: writing, now } = pushed.sites.harvester;
      const websub = websubRoutes({
        writing,
        deliver: () => Promise.reject(new Error("read")),
        now,
      });
      const service = new TestService(pushed.sites.harvester, {}, websub);
      const path = new URL(only().callback).pathname;
      const large = new ComingBody(["x"]);
      const length = { "content-length": "10000001" };
      expect((await service.send(path, large.stream, length)).status).toBe(413);
      const foreign = new ComingBody(["x"]);
      expect((await service.send(`${path}x`, foreign.stream)).status).toBe(410);
      expect([large.asked, foreign.asked]).toEqual([0, 0]);
    });

    test("that does not fit in memory is refused", async () => {
      const one = only();
      const body = " ".repeat(10_000_001);
      expect(await pushed.hub.send(one, body)).toBe(413);
      expect(await coveredUntil()).toBeNull();
    });
  });

  describe("a signature", () => {
    test.each(["sha1", "sha256", "sha384", "sha512"])("by %s is known", async (method) => {
      pushed.hub.method = method;
      await pushed.push(0, 20, ["created a 5"]);
      expect(await reported()).toEqual([["created a"]]);
    });

    test.each<[string, (right: string, body: string) => string | undefined]>([
      ["is missing", () => undefined],
      ["is by another secret", (_, body) => signature("sha256", "guessed", body)],
      ["is of another body", () => signature("sha256", only().secret ?? "", "other")],
      [
        "is by a method that is none of WebSub's",
        (_, body) => signature("md5", only().secret ?? "", body),
      ],
      ["names another method", (right) => right.replace("sha256", "sha512")],
      ["is cut short", (right) => right.slice(0, -2)],
      ["goes on", (right) => `${right}00`],
      ["has no method", (right) => right.replace("sha256=", "")],
      ["is no hexadecimal", (right) => `${right.slice(0, -1)}g`],
      ["is empty", () => "sha256="],
    ])("that %s is answered with success, and ignored", proves("N28"), async (_, wrong) => {
      const body = pushed.notification(0, 20, ["created a 5"]);
      const { secret, ...one } = only();
      const header = wrong(signature("sha256", secret ?? "", body), body);
      const headers = header === undefined ? {} : { "x-hub-signature": header };
      expect(await pushed.hub.send({ ...one, secret: undefined }, body, headers)).toBe(202);
      expect(await reported()).toEqual([]);
      expect(await coveredUntil()).toBeNull();
      // One without any says that a look may be worth while.
      expect(await nextPoll()).toBe(header === undefined ? 60 : DAY);
    });
  });

  describe("the chain", () => {
    beforeEach(async () => {
      pushed.time = 100;
      await pushed.push(0, 20, ["created a 5"]);
    });

    test.each<[string, [from: number, until: number][], number]>([
      [
        "goes on",
        [
          [20, 40],
          [40, 60],
        ],
        DAY - 100,
      ],
      [
        "overlaps",
        [
          [10, 40],
          [30, 60],
        ],
        DAY - 100,
      ],
      [
        "repeats",
        [
          [0, 20],
          [0, 20],
        ],
        DAY - 100,
      ],
      ["misses one", [[40, 60]], 0],
      [
        "misses one, and goes on",
        [
          [40, 60],
          [60, 80],
        ],
        0,
      ],
      [
        "comes in another order",
        [
          [40, 60],
          [20, 40],
        ],
        0,
      ],
    ])("that %s", proves("N9"), async (_, spans, next) => {
      for (const [from, until] of spans) await pushed.push(from, until, []);
      expect(await nextPoll()).toBe(next);
    });

    test("that was broken is whole again after the poll", proves("T29"), async () => {
      await pushed.push(40, 60, ["created c 50"]);
      expect(await nextPoll()).toBe(0);
      pushed.publish({ changes: ["created a 5", "created b 30", "created c 50"] });
      await pushed.sites.check(source);
      await pushed.push(60, 80, ["created d 70"]);
      expect(await reported()).toEqual([
        ["created a"],
        ["created c"],
        ["created b"],
        ["created d"],
      ]);
      expect(await nextPoll()).toBe(DAY);
    });

    test("that begins after the last poll begins with another one", async () => {
      await pushed.sites.harvester.database
        .updateTable("subscription")
        .set({ covered_until: null })
        .execute();
      await pushed.push(1, 20, []);
      expect(await nextPoll()).toBe(0);
    });

    test("waits for a check that is under way, which may have read the list before", async () => {
      const { database, now } = pushed.sites.harvester;
      const { host } = (await pushed.sites.source(source)) ?? { host: "" };
      await takeHost(database, host, "t", now());
      await pushed.push(40, 60, []);
      expect(await nextPoll()).toBe(0);
      const due = { token: "other", now: now(), most: 1, isNew: false };
      expect((await takeDueHosts(database, due)).hosts).toEqual([]);
      await releaseHost(database, host, "t");
      expect((await takeDueHosts(database, due)).hosts).toEqual([host]);
      await releaseHost(database, host, "other");
    });

    test("that is always broken has the source polled once a minute at most", async () => {
      pushed.time = 1000;
      await pushed.push(40, 60, []);
      expect(await nextPoll()).toBe(0);
      await pushed.sites.check(source);
      pushed.time = 1010;
      await pushed.push(80, 90, []);
      expect(await nextPoll()).toBe(50);
    });

    test("does not believe a source that claims to have told the future", async () => {
      await pushed.push(20, 40 * 365 * DAY, []);
      pushed.time = 3 * DAY;
      await pushed.push(2.5 * DAY, 3 * DAY, []);
      expect(pushed.deliveries.at(-1)).toMatchObject({ hasGap: true });
    });
  });

  describe("what makes no sense although it is signed", () => {
    test.each<[string, (body: string) => string]>([
      ["is empty", () => ""],
      ["is a web page", () => "<!doctype html><title>Hello</title>"],
      ["breaks off", (body) => body.slice(0, -12)],
      ["is a Change List", (body) => body.replace("change-notification", "changelist")],
      ["says not since when", (body) => body.replace(/ from="[^"]*"/, "")],
      ["says not up to when", (body) => body.replace(/ until="[^"]*"/, "")],
      ["has a document type", (body) => body.replace("<urlset", "<!DOCTYPE urlset><urlset")],
    ])("%s: the source is polled", proves("N14"), async (_, spoil) => {
      pushed.time = 100;
      const body = spoil(pushed.notification(0, 20, []));
      expect(await pushed.hub.deliver(pushed.topic, body)).toEqual([202]);
      expect(await nextPoll()).toBe(0);
      pushed.publish({ changes: ["created a 5"] });
      await pushed.sites.check(source);
      expect(await reported()).toEqual([["created a"]]);
    });
  });
});
