import type { ListedChange } from "@rs-emit/reader";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import type { FeedName } from "../src/store/feed-names.ts";
import { feedDocument } from "../src/store/pages/feed-documents.ts";
import { TestLibrary } from "./support/library.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const SITE = "https://example.org/";
const PLACES = { document: () => undefined, everything: { id: "tag:all", page: undefined } };

/** A page's update, some seconds after the first one. */
interface Update {
  readonly page: number;
  readonly seconds: number;
}

/** What a feed tells, entry by entry, the newest first. */
async function reported(library: TestLibrary, feed: FeedName): Promise<string[][]> {
  const document = await feedDocument(library.database, { feed }, PLACES);
  const entries = document?.entries ?? [];
  return entries.map(({ changes, counts }) => {
    const pages = changes.map(({ url, datetime }) => `${url.slice(SITE.length)} ${datetime}`);
    const counted = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
    expect(counted).toBe(new Set(changes.map(({ url }) => url)).size);
    return pages.toSorted();
  });
}

describeStores("a page in two sets of a source, on $name", () => {
  const update = (name: string, library: TestLibrary, seconds = -60): ListedChange => ({
    url: SITE + name,
    kind: "updated",
    datetime: library.time + seconds,
    isMinor: false,
  });

  test("stands once in the feeds of the source and of everything, and in each set's own", async () => {
    await using library = await TestLibrary.start();
    const both = update("both", library);
    const id = await library.follow(SITE, {
      collections: [
        { path: "one/", changes: [both, update("a", library)] },
        { path: "two/", changes: [both, update("b", library)] },
        { path: "same/", changes: [both] },
      ],
    });
    const at = both.datetime;
    for (const feed of ["all", `source/${id}`] as const) {
      const entries = await reported(library, feed);
      expect(entries.toSorted()).toEqual([[`a ${at}`, `both ${at}`], [`b ${at}`]]);
    }
    expect(await reported(library, "collection/1")).toEqual([[`a ${at}`, `both ${at}`]]);
    expect(await reported(library, "collection/2")).toEqual([[`b ${at}`, `both ${at}`]]);
    expect(await reported(library, "collection/3")).toEqual([[`both ${at}`]]);
    const page = await new TestService(library).text("/");
    expect(page.match(/href="https:\/\/example\.org\/both"/g)).toHaveLength(1);
  });

  test("stands once, whichever check finds it, and however it is spelled", async () => {
    await using library = await TestLibrary.start();
    const one = { path: "one/", changes: [update("~page", library)] };
    const id = await library.follow(SITE, { collections: [one] });
    const again = { ...update("%7Epage", library) };
    await library.check(id, { collections: [one, { path: "two/", changes: [again] }] });
    expect(await reported(library, "all")).toHaveLength(1);
    expect(await reported(library, "collection/2")).toHaveLength(1);
  });

  test("is told again by another kind of change, or at another instant", async () => {
    await using library = await TestLibrary.start();
    const changed = update("page", library);
    const changes = [
      { ...changed, kind: "deleted" as const },
      { ...changed, datetime: changed.datetime + 1 },
    ];
    await library.follow(SITE, {
      collections: [
        { path: "one/", changes: [changed] },
        { path: "two/", changes },
      ],
    });
    expect((await reported(library, "all")).flat()).toHaveLength(3);
  });

  test("of another source is told there as well", async () => {
    await using library = await TestLibrary.start();
    const collections = [{ path: "", changes: [update("page", library)] }];
    await library.follow(SITE, { collections });
    const other = await library.follow("https://example.org/other/", { collections });
    expect(await reported(library, `source/${other}`)).toHaveLength(1);
  });

  test("of more pages than are shown: what is new to the source is shown in its place", async () => {
    await using library = await TestLibrary.start();
    const pages = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) =>
        update(`p${from + at}`, library, -at - from - 100),
      );
    await library.follow(SITE, {
      collections: [
        { path: "one/", changes: pages(0, 30) },
        { path: "two/", changes: pages(0, 35) },
      ],
    });
    const document = await feedDocument(library.database, { feed: "all" }, PLACES);
    const shown = document?.entries.map(({ changes, counts }) => [changes.length, counts?.updated]);
    expect(shown).toContainEqual([5, 5]);
    const own = await feedDocument(library.database, { feed: "collection/2" }, PLACES);
    expect(own?.entries[0]?.counts).toEqual({ updated: 35 });
    expect(own?.entries[0]?.changes).toHaveLength(20);
  });

  test("is told once, whatever sets and checks there are, and nothing is lost", {
    timeout: 60_000,
  }, async () => {
    await using library = await TestLibrary.start();
    const updates = fc.uniqueArray(fc.record({ page: fc.nat(4), seconds: fc.nat(4) }), {
      maxLength: 6,
      selector: ({ page, seconds }) => `${page} ${seconds}`,
    });
    const checks = fc.array(fc.tuple(updates, updates, updates), { minLength: 1, maxLength: 4 });
    const mode = fc.constantFrom("publication", "check", "day", "change" as const);
    const start = library.time - 3_600;
    await fc.assert(
      fc.asyncProperty(checks, mode, async (sets, entries) => {
        await library.forgetAll();
        library.settings = { ...library.settings, entries };
        const id = await library.follow(SITE);
        const listed: Map<string, Update>[] = [new Map(), new Map(), new Map()];
        for (const set of sets) {
          library.time += 60;
          for (const [at, some] of set.entries()) {
            for (const one of some) listed[at]?.set(`p${one.page} ${start + one.seconds}`, one);
          }
          const collections = listed.map((changes, at) => ({
            path: `${at}/`,
            changes: [...changes.values()].map(({ page, seconds }): ListedChange => {
              return {
                url: `${SITE}p${page}`,
                kind: "updated",
                datetime: start + seconds,
                isMinor: false,
              };
            }),
          }));
          await library.check(id, { collections });
        }
        const all = new Set(listed.flatMap((changes) => [...changes.keys()]));
        for (const feed of ["all", `source/${id}`] as const) {
          expect((await reported(library, feed)).flat().toSorted()).toEqual([...all].toSorted());
        }
        const rows = await library.database
          .selectFrom("collection")
          .select(["id", "key"])
          .execute();
        for (const { id: collection, key } of rows) {
          const own = listed[Number.parseInt(key, 10)] ?? new Map();
          const feed = await reported(library, `collection/${collection}`);
          expect(feed.flat().toSorted()).toEqual([...own.keys()].toSorted());
        }
      }),
      { numRuns: rounds(4, 12) },
    );
  });
});
