import { gunzipSync } from "node:zlib";
import type { ListedChange } from "@rs-emit/reader";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feedPath, parseFeedPath } from "../src/serve/feed-paths.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { TestLibrary } from "./support/library.ts";
import { followSampleSites } from "./support/sample-sites.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;
let library: TestLibrary;
let service: TestService;
let ids: Awaited<ReturnType<typeof followSampleSites>>;

const entriesOf = (feed: string) =>
  [...feed.matchAll(/<entry[^>]*>.*?<id>([^<]*)<\/id>/gs)].map(([, id = ""]) => id);

describeStores("feeds, on $name", () => {
  beforeAll(async () => {
    library = await TestLibrary.start();
    ids = await followSampleSites(library);
    service = new TestService(library);
  });
  afterAll(() => library[Symbol.asyncDispose]());

  describe("a feed", () => {
    test("of everything, of a source and of a collection", async () => {
      const everything = await service.text("/feeds/all.atom");
      const shrine = await service.text(`/feeds/sources/${ids.shrine}.atom`);
      expect(entriesOf(everything)).toHaveLength(4);
      expect(entriesOf(shrine)).toHaveLength(2);
      expect(shrine).toContain('<link rel="alternate" href="https://moss.example/"/>');
      expect(shrine).toContain(
        '<link rel="via" href="https://moss.example/.well-known/resourcesync"/>',
      );
      expect(shrine).toContain(`href="http://localhost:8480/feeds/sources/${ids.shrine}.atom"`);
      const [, collection = ""] = /feeds\/collections\/(\d+)\.atom/.exec(everything) ?? [];
      const own = await service.text(`/feeds/collections/${collection}.atom`);
      expect(entriesOf(everything)).toEqual(expect.arrayContaining(entriesOf(own)));
      expect(own).toContain("<name>Ada Fern</name>");
    });

    test("is newest first, whichever site was read first", async () => {
      await using several = await TestLibrary.start();
      several.settings = { ...several.settings, entries: "day" };
      const at = (day: number) => several.time - (30 - day) * DAY;
      const changes = (...days: readonly number[]) =>
        days.map(
          (day): ListedChange => ({
            url: `https://a.example/${day}`,
            kind: "created",
            datetime: at(day),
            isMinor: false,
          }),
        );
      for (const [site, days] of [
        ["a", [15, 21]],
        ["b", [10, 20]],
        ["c", [15]],
      ] as const) {
        await several.follow(`https://${site}.example/`, {
          collections: [{ path: "", changes: changes(...days) }],
        });
      }
      const feed = await new TestService(several).text("/feeds/all.atom");
      const times = [...feed.matchAll(/<published>([^<]*)/g)].map(
        ([, time = ""]) => Date.parse(time) / DAY / 1000,
      );
      expect(times.map((time) => Math.round(time - at(0) / DAY))).toEqual([21, 20, 15, 15, 10]);
    });

    test("is there before there is anything to tell", async () => {
      const answer = await service.ask(`/feeds/sources/${ids.waiting}.atom`);
      const feed = await answer.text();
      expect([answer.status, entriesOf(feed)]).toEqual([200, []]);
      expect(feed).not.toContain("1970");
    });

    test("names its hub and its public address", async () => {
      const settings = { hub: "https://hub.example/", publicUrl: "https://feeds.example/rs/" };
      const feed = await new TestService(library, settings).text("/feeds/all.atom");
      expect(feed).toContain('<link rel="hub" href="https://hub.example/"/>');
      expect(feed).toContain('href="https://feeds.example/rs/feeds/all.atom"');
      expect(feed).toContain("<id>tag:feeds.example,2026:rs-harvest/rs/everything</id>");
    });

    test("tells hubs and subscribers in its headers what it is and who pushes it", async () => {
      const settings = { hub: "https://hub.example/", publicUrl: "https://feeds.example/rs/" };
      const pushed = new TestService(library, settings);
      for (const feed of ["all", `sources/${ids.shrine}`, `sources/${ids.waiting}`]) {
        const path = `/feeds/${feed}.atom`;
        const get = await pushed.ask(path);
        const link = `<https://hub.example/>; rel="hub", <https://feeds.example/rs${path}>; rel="self"`;
        expect(get.headers.get("link")).toBe(link);
        expect(await get.text()).toContain(
          `<link rel="self" type="application/atom+xml" href="https://feeds.example/rs${path}"`,
        );
        const head = await pushed.ask(path, { method: "HEAD" });
        const known = { "if-none-match": get.headers.get("etag") ?? "" };
        const same = await pushed.ask(path, { headers: known });
        expect([head.status, head.headers.get("link")]).toEqual([200, link]);
        expect([same.status, same.headers.get("link")]).toEqual([304, link]);
        expect((await service.ask(path)).headers.has("link")).toBe(false);
      }
      const missing = await pushed.ask("/feeds/sources/999.atom");
      expect([missing.status, missing.headers.has("link")]).toEqual([404, false]);
    });

    test("of everything keeps its id, by whatever name the service is opened", async () => {
      const idOf = async (host: string) =>
        /<id>([^<]*)/.exec(await service.text("/feeds/all.atom", { host }))?.[1];
      expect(await idOf("127.0.0.1:8480")).toBe(await idOf("localhost:8480"));
    });

    const types: readonly (readonly [string, string])[] = [
      ["/feeds/all.atom", "application/atom+xml; charset=utf-8"],
      ["/feeds/followed.opml", "text/x-opml; charset=utf-8"],
      ["/", "text/html; charset=UTF-8"],
      ["/icon.svg", "image/svg+xml"],
      ["/metrics", "text/plain; version=0.0.4; charset=utf-8"],
    ];
    test.each(types)("%s is %s", async (path, type) => {
      expect((await service.ask(path)).headers.get("content-type")).toBe(type);
    });

    const missing = [
      "/feeds/sources/999.atom",
      "/feeds/collections/999.atom",
      "/feeds/sources/0.atom",
      "/feeds/sources/99999999999.atom",
      "/feeds/sources/1.atom/archive/1.atom",
      "/feeds/all/archive/1.atom",
      "/feeds/all/archive/0.atom",
      "/feeds/all/archive/-1.atom",
      "/feeds/",
      "/feeds/everything.atom",
      "/feeds/sources/%31.atom%00",
    ];
    test.each(missing)("%s is none", async (path) => {
      expect((await service.ask(path)).status).toBe(404);
      expect(service.problems).toEqual([]);
    });
  });

  describe("asking again", () => {
    const ask = (headers: Record<string, string>, method = "GET") =>
      service.ask("/feeds/all.atom", { headers, method });

    test("with the entity tag, whatever compression it came with", async () => {
      const first = await ask({});
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(/^W\/"[^"]+"$/);
      const zipped = (await ask({ "accept-encoding": "gzip" })).headers.get("etag") ?? "";
      const known = [tag, zipped, tag.slice(2), `"x", ${tag}`, "*"];
      for (const name of known) {
        const answer = await ask({ "if-none-match": name });
        expect([name, answer.status, await answer.text()]).toEqual([name, 304, ""]);
        expect(answer.headers.get("etag")).toBe(tag);
        expect(answer.headers.get("cache-control")).toBe("max-age=300");
      }
      expect((await ask({ "if-none-match": '"x"' })).status).toBe(200);
    });

    test("for the headers alone", async () => {
      const head = await ask({}, "HEAD");
      const get = await ask({});
      expect([head.status, await head.text()]).toEqual([200, ""]);
      for (const name of ["etag", "last-modified", "content-type", "cache-control"]) {
        expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
      }
    });

    test("compressed", async () => {
      const zipped = await ask({ "accept-encoding": "gzip, br" });
      expect(zipped.headers.get("content-encoding")).toBe("gzip");
      expect(zipped.headers.get("vary")).toContain("Accept-Encoding");
      const body = new TextDecoder().decode(gunzipSync(await zipped.arrayBuffer()));
      expect(body).toBe(await (await ask({})).text());
    });

    test.each([
      ["gzip", "gzip"],
      ["br, *", "gzip"],
      ["gzip;q=0.5", "gzip"],
      ["gzip;q=0, identity", null],
      ["identity", null],
    ])("compressed only by who takes it: %s", async (accepted, coding) => {
      const answer = await ask({ "accept-encoding": accepted });
      expect(answer.headers.get("content-encoding")).toBe(coding);
    });

    test("never gets an old answer for a new feed, however soon it asks", async () => {
      await using busy = await TestLibrary.start();
      const asked = new TestService(busy);
      const page = (at: number): ListedChange => ({
        url: `https://busy.example/${at}/`,
        kind: "created",
        datetime: busy.time,
        title: `Page ${at}`,
        isMinor: false,
      });
      const id = await busy.follow("https://busy.example/", {
        collections: [{ path: "", changes: [page(0)] }],
      });
      let date: string | null = null;
      for (let at = 1; at < 6; at += 1) {
        const before = await asked.ask("/feeds/all.atom");
        date = before.headers.get("last-modified") ?? date;
        // Within the same second, or some time later.
        busy.time += at % 2 === 0 ? 0.2 : 100;
        const changes = Array.from({ length: at + 1 }, (_, number) => page(number));
        await busy.check(id, { collections: [{ path: "", changes }] });
        const headers = date === null ? {} : { "if-modified-since": date };
        const after = await asked.ask("/feeds/all.atom", { headers });
        expect(await after.text()).toContain(`Page ${at}`);
      }
    });
  });

  describe("an archive", () => {
    const count = 123;
    let long: TestLibrary;
    let source = 0;
    const check = (pages: number) =>
      long.check(source, {
        collections: [
          {
            path: "",
            changes: Array.from({ length: pages }, (_, at) => ({
              url: `https://long.example/${at}/`,
              kind: "created",
              datetime: long.time - DAY,
              isMinor: false,
            })),
          },
        ],
      });

    beforeAll(async () => {
      long = await TestLibrary.start();
      long.settings = { ...long.settings, entries: "change" };
      source = await long.follow("https://long.example/");
      await check(1);
      await check(count);
    });
    afterAll(() => long[Symbol.asyncDispose]());

    test("leads to the one before, so that every entry is within reach", async () => {
      const asked = new TestService(long);
      for (const feed of ["all", `sources/${source}`, "collections/1"]) {
        const seen = new Set<string>();
        let url: string | undefined = `/feeds/${feed}.atom`;
        while (url !== undefined) {
          const text: string = await asked.text(url);
          for (const id of entriesOf(text)) seen.add(id);
          url = /rel="prev-archive"[^>]*href="http:\/\/localhost:8480([^"]*)"/.exec(text)?.[1];
        }
        expect([feed, seen.size]).toEqual([feed, count]);
      }
    });

    test("stays as it is when more is told", async () => {
      const asked = new TestService(long);
      const first = await asked.text("/feeds/all/archive/1.atom");
      expect(first).toContain("<fh:archive");
      expect(entriesOf(first)).toHaveLength(50);
      long.time += DAY;
      await check(count + 60);
      expect(await asked.text("/feeds/all/archive/1.atom")).toBe(first);
      expect((await asked.ask("/feeds/all/archive/1.atom")).headers.get("cache-control")).toBe(
        "max-age=86400",
      );
    });
  });

  test("an entry of very many changes is told in part, and the others are counted", async () => {
    await using huge = await TestLibrary.start();
    const changes = Array.from(
      { length: 3_000 },
      (_, at): ListedChange => ({
        url: `https://huge.example/${at}/`,
        kind: at % 3 === 0 ? "updated" : "created",
        datetime: huge.time - DAY,
        isMinor: false,
      }),
    );
    await huge.follow("https://huge.example/", { collections: [{ path: "", changes }] });
    const places = { document: () => undefined, everything: { id: "tag:all", page: undefined } };
    const document = await feedDocument(huge.database, { feed: "all" }, places);
    expect(document?.entries).toMatchObject([{ counts: { new: 2_000, updated: 1_000 } }]);
    expect(document?.entries[0]?.changes).toHaveLength(40);
    expect(await new TestService(huge).text("/")).toContain("and 2,994 more");
  });

  test("the list of feeds names every followed site with a feed, and none that is dead, without a log, or new", async () => {
    const list = await service.text("/feeds/followed.opml");
    const sites = [...list.matchAll(/htmlUrl="([^"]*)"/g)].map(([, url]) => url);
    expect(sites).toEqual(["moss", "pictures", "broken"].map((name) => `https://${name}.example/`));
  });

  test("a feed's path names it and nothing else", () => {
    const id = fc.integer({ min: 1, max: 999_999_999 });
    const feed = fc.oneof(
      fc.constant("all" as const),
      id.map((number) => `source/${number}` as const),
      id.map((number) => `collection/${number}` as const),
      fc.string({ minLength: 1, unit: "grapheme" }).map((label) => `label/${label}` as const),
    );
    fc.assert(
      fc.property(feed, fc.option(id, { nil: undefined }), (name, archive) => {
        const archived = archive === undefined ? {} : { archive };
        expect(parseFeedPath(feedPath(name, archive))).toEqual({ feed: name, ...archived });
      }),
    );
  });
});
