import { UnreachableError } from "@rs-emit/reader";
import type { Poster } from "@rs-emit/reader/http/transport";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import { Subscriber } from "../src/serve/websub/subscriber.ts";
import { follow, unfollow } from "../src/store/following/following.ts";
import { PushedSite } from "./support/pushed-site.ts";
import { describeStores } from "./support/stores.ts";

const DAY = 86_400;
let pushed: PushedSite;

const modes = () => pushed.hub.forms.map((form) => form.get("hub.mode"));
const state = async () => (await pushed.subscription())?.state;
const callback = () => {
  const [form] = pushed.hub.forms;
  return form?.get("hub.callback") ?? "";
};

describeStores("subscriptions, on $name", () => {
  beforeAll(async () => {
    pushed = await PushedSite.start();
  });
  afterAll(() => pushed[Symbol.asyncDispose]());
  beforeEach(() => pushed.reset());

  describe("a channel", () => {
    test(
      "is subscribed to with a callback, a secret and a lease, and confirmed",
      proves("N21", "N22", "N31", "T40"),
      async () => {
        await pushed.follow();
        await pushed.tend();
        const { hub, topic } = pushed;
        expect(hub.forms.map((form) => Object.fromEntries(form))).toEqual([
          {
            "hub.mode": "subscribe",
            "hub.topic": topic,
            "hub.callback": expect.stringMatching(/\/websub\/[\w-]{32}$/),
            "hub.lease_seconds": "864000",
            "hub.secret": expect.stringMatching(/^[0-9a-f]{64}$/),
          },
        ]);
        expect(hub.subscriptions.size).toBe(1);
        expect(await state()).toBe("active");
      },
    );

    test(
      "is left alone while its lease lasts, and renewed before it ends",
      proves("N25b"),
      async () => {
        await pushed.follow();
        await pushed.tend();
        pushed.time = 7.9 * DAY;
        await pushed.tend();
        expect(modes()).toEqual(["subscribe"]);
        pushed.time = 8 * DAY;
        await pushed.tend();
        const [first, second] = pushed.hub.forms;
        expect(second?.toString()).toBe(first?.toString());
        pushed.time = 17.9 * DAY;
        expect(await pushed.push(0, 1, [])).toEqual([202]);
      },
    );

    test("is renewed by the lease that the hub grants", proves("N25a", "N25b"), async () => {
      pushed.hub.lease = 300;
      await pushed.follow();
      await pushed.tend();
      pushed.time = 239;
      await pushed.tend();
      expect(modes()).toHaveLength(1);
      pushed.time = 240;
      await pushed.tend();
      expect(modes()).toHaveLength(2);
    });

    test("of a hub that grants seconds is believed to last five minutes", async () => {
      pushed.hub.lease = 10;
      await pushed.follow();
      await pushed.tend();
      pushed.time = 239;
      await pushed.tend();
      expect(modes()).toHaveLength(1);
      pushed.time = 240;
      await pushed.tend();
      expect(modes()).toHaveLength(2);
    });

    test(
      "that another takes the place of is left, and the other one subscribed to",
      proves("N5"),
      async () => {
        const source = await pushed.follow();
        await pushed.tend();
        pushed.publish({ topic: pushed.site.urlOf("others/") });
        await pushed.sites.checkFully(source);
        await pushed.tend();
        expect(modes().toSorted()).toEqual(["subscribe", "subscribe", "unsubscribe"]);
        const topics = [...pushed.hub.subscriptions.values()].map(({ topic }) => topic);
        expect(topics).toEqual([pushed.site.urlOf("others/")]);
      },
    );

    test.each([
      [
        "is named no longer",
        async (source: number) => {
          pushed.publish({ topic: null });
          await pushed.sites.checkFully(source);
        },
      ],
      [
        "belongs to a site that is followed no longer",
        (source: number) => unfollow(pushed.sites.harvester.database, source),
      ],
      [
        "belongs to a site that is gone",
        async (source: number) => {
          pushed.sites.publish(pushed.site, { ".well-known/resourcesync": { status: 410 } });
          await pushed.sites.checkFully(source);
        },
      ],
    ])("that %s is unsubscribed from", proves("N5", "N29"), async (_, end) => {
      const source = await pushed.follow();
      await pushed.tend();
      await end(source);
      await pushed.tend();
      expect(modes()).toEqual(["subscribe", "unsubscribe"]);
      expect(pushed.hub.verified).toEqual([200, 200]);
      expect(pushed.hub.subscriptions.size).toBe(0);
      await pushed.tend();
      expect(modes()).toHaveLength(2);
      expect([undefined, "ended"]).toContain(await state());
    });

    test("is subscribed to again when its site is followed again", async () => {
      const source = await pushed.follow();
      await pushed.tend();
      pushed.sites.publish(pushed.site, { ".well-known/resourcesync": { status: 410 } });
      await pushed.sites.checkFully(source);
      await pushed.tend();
      pushed.publish();
      const { database, now } = pushed.sites.harvester;
      await follow(database, pushed.site.url, now());
      await pushed.tend();
      expect(modes()).toEqual(["subscribe", "unsubscribe", "subscribe"]);
      expect(await state()).toBe("active");
    });

    test("of which the hub never confirmed anything is forgotten without a word", async () => {
      pushed.hub.status = 503;
      const source = await pushed.follow();
      await pushed.tend();
      await unfollow(pushed.sites.harvester.database, source);
      await pushed.tend();
      await pushed.tend();
      expect(modes()).toEqual(["subscribe"]);
      expect(await pushed.subscription()).toBeUndefined();
    });
  });

  describe("a hub that", () => {
    test.each([
      ["is down", { status: 502 }],
      ["refuses the form", { status: 400 }],
      ["redirects as forms are not", { status: 302, headers: { location: "/elsewhere" } }],
    ])("%s is asked again, ever more rarely", async (_, answer) => {
      Object.assign(pushed.hub, answer);
      await pushed.follow();
      const asked: number[] = [];
      for (let second = 0; second < 3 * 3600; second += 30) {
        pushed.time = second;
        const before = modes().length;
        await pushed.tend();
        if (modes().length > before) asked.push(second);
      }
      expect(asked).toEqual([0, 60, 300, 1260, 5100]);
      Object.assign(pushed.hub, { status: 202, headers: {} });
      pushed.time = 2 * DAY;
      await pushed.tend();
      expect(await state()).toBe("active");
    });

    test("asks to be left alone is, for as long as it says", async () => {
      Object.assign(pushed.hub, { status: 503, headers: { "retry-after": "7200" } });
      await pushed.follow();
      await pushed.tend();
      pushed.time = 7199;
      await pushed.tend();
      expect(modes()).toHaveLength(1);
      pushed.time = 7200;
      await pushed.tend();
      expect(modes()).toHaveLength(2);
    });

    test("hangs keeps no other from being asked, and is asked as seldom as a site that hangs", async () => {
      const { database, now } = pushed.sites.harvester;
      const hanging = Promise.withResolvers<never>();
      const asked: string[] = [];
      const poster: Poster = {
        post: async (hub) => {
          asked.push(hub);
          if (hub.startsWith("https://hangs.example/")) await hanging.promise;
        },
        close: async () => {},
      };
      const hubs = Array.from({ length: 60 }, (_, at) => `https://hangs.example/${at % 7}`);
      const rows = [...hubs, "https://good.example/"].map((hub, at) => ({
        ...{ hub, topic: "https://a.example/", token: `${at}`, secret: "s" },
        ...{ state: "wanted" as const, due_at: now() - 100 + at },
      }));
      await database.insertInto("subscription").values(rows).execute();
      const subscriber = new Subscriber({ ...pushed.asking, poster });
      while (await subscriber.ask());
      expect(asked).toEqual(["https://hangs.example/0", "https://good.example/"]);
      hanging.reject(new UnreachableError("https://hangs.example/", "did not answer"));
      await subscriber.idle();
      expect(asked).toHaveLength(4);
      const due = () =>
        database.selectFrom("subscription").select("hub").where("due_at", "<=", now()).execute();
      expect(await due()).toEqual([]);
      pushed.time = 60;
      while (await subscriber.ask()) await subscriber.idle();
      expect(asked).toHaveLength(8);
      expect(await due()).toEqual([]);
    });

    test.each([307, 308])("has moved (%i) is followed", async (status) => {
      const other = pushed.sites.site("other-hub.test").answer("*", { status: 202 });
      Object.assign(pushed.hub, { status, headers: { location: other.urlOf("hub") } });
      await pushed.follow();
      await pushed.tend();
      expect(other.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /hub"]);
    });

    test("accepts and never verifies is asked again", async () => {
      await pushed.follow();
      pushed.hub.denial = "";
      pushed.hub.status = 204;
      await pushed.tend();
      expect(await state()).toBe("asked");
      pushed.time = 60;
      await pushed.tend();
      expect(modes()).toHaveLength(2);
    });

    test("denies is not asked again, and what it delivers is not wanted", async () => {
      pushed.hub.denial = "not for you";
      await pushed.follow();
      await pushed.tend();
      expect(pushed.hub.verified).toEqual([200]);
      pushed.time = 365 * DAY;
      await pushed.tend();
      expect(modes()).toEqual(["subscribe"]);
      const form = pushed.hub.forms[0];
      const secret = form?.get("hub.secret") ?? undefined;
      const one = { callback: callback(), topic: pushed.topic, secret };
      expect(await pushed.hub.send(one, pushed.notification(0, 1, []))).toBe(410);
    });

    test("does not confirm the end is reminded five times at most, or until the lease ends", async () => {
      const source = await pushed.follow();
      await pushed.tend();
      pushed.hub.status = 500;
      await unfollow(pushed.sites.harvester.database, source);
      for (let hour = 0; hour < 9 * 24; hour += 1) {
        pushed.time = hour * 3600;
        await pushed.tend();
      }
      expect(modes().filter((mode) => mode === "unsubscribe")).toHaveLength(5);
      expect(await pushed.subscription()).toBeUndefined();
    });

    test("may not make the harvester ask private addresses", async () => {
      const { openPoster } = await import("@rs-emit/reader/http/transport");
      const { lookupTest } = await import("../../reader/test/support/transport.ts");
      const poster = openPoster({ lookup: lookupTest });
      const form = new URLSearchParams();
      for (const hub of [pushed.hub.url, "http://hub.test/", "http://127.0.0.1/", "file:///x"]) {
        await expect(poster.post(hub, form)).rejects.toMatchObject({ code: "FORBIDDEN" });
      }
      await poster.close();
      expect(pushed.hub.forms).toEqual([]);
    });
  });

  describe("intent", () => {
    const question = (more: Record<string, string> = {}) => ({
      "hub.mode": "subscribe",
      "hub.topic": pushed.topic,
      "hub.challenge": "<script>1</script>",
      "hub.lease_seconds": "3600",
      ...more,
    });

    test(
      "is confirmed with the challenge, as nothing that a browser runs",
      proves("N24"),
      async () => {
        await pushed.follow();
        await pushed.tend();
        const answer = await pushed.hub.ask(callback(), question());
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toMatch(/^text\/plain/i);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(await answer.text()).toBe("<script>1</script>");
      },
    );

    test.each<[string, Record<string, string>]>([
      ["another topic", { "hub.topic": "https://other.example/" }],
      ["an end that nobody wants", { "hub.mode": "unsubscribe" }],
      ["an unknown mode", { "hub.mode": "publish" }],
      ["no challenge", { "hub.challenge": "" }],
      ["the denial of another topic", { "hub.mode": "denied", "hub.topic": "https://o.example/" }],
    ])("is denied for %s", proves("N24"), async (_, more) => {
      await pushed.follow();
      await pushed.tend();
      const before = await pushed.subscription();
      expect((await pushed.hub.ask(callback(), question(more))).status).toBe(404);
      expect(await pushed.subscription()).toEqual(before);
    });

    test("is denied for a callback that nobody gave", async () => {
      await pushed.follow();
      await pushed.tend();
      const other = new URL("unknown", callback()).href;
      expect((await pushed.hub.ask(other, question())).status).toBe(404);
      const one = { callback: other, topic: pushed.topic, secret: "x" };
      expect(await pushed.hub.send(one, "")).toBe(410);
    });

    test.each<[string, string, Record<string, string>]>([
      ["a callback", "%00", {}],
      ["a topic", "", { "hub.topic": "\0" }],
    ])("is denied for %s that no database could hold", async (_, end, more) => {
      await pushed.follow();
      await pushed.tend();
      expect((await pushed.hub.ask(callback() + end, question(more))).status).toBe(404);
      const one = { callback: callback() + end, topic: pushed.topic, secret: "x" };
      // What is no callback meets the guard of the pages.
      expect(await pushed.hub.send(one, "")).toBe(end === "" ? 202 : 403);
    });

    test("is denied when the end of the subscription is what is wanted", async () => {
      const source = await pushed.follow();
      await pushed.tend();
      await unfollow(pushed.sites.harvester.database, source);
      pushed.hub.status = 500;
      await pushed.tend();
      expect((await pushed.hub.ask(callback(), question())).status).toBe(404);
      const end = question({ "hub.mode": "unsubscribe" });
      expect((await pushed.hub.ask(callback(), end)).status).toBe(200);
    });
  });
});
