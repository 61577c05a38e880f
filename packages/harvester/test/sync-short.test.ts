import { rmSync } from "node:fs";
import { join } from "node:path";
import { EMIT } from "@rs-emit/documents";
import { describe, expect, test } from "vitest";
import {
  changeList,
  changeListIndex,
  sourceDescription,
} from "../../reader/test/support/documents.ts";
import { CopiedSite } from "./support/copied-site.ts";

const DESCRIPTION = "/.well-known/resourcesync";

/** The copy of a site, as a run left it that found nothing wrong. */
async function copied(): Promise<CopiedSite> {
  const garden = await CopiedSite.start();
  garden.edit({ "/": "home", "/moss.html": "moss" }).publish();
  expect((await garden.sync()).isInSync).toBe(true);
  return garden;
}

/** What a run asked for, in order. */
async function askedBy(garden: CopiedSite, run: () => Promise<unknown>): Promise<string[]> {
  const before = garden.site.requests.length;
  await run();
  return garden.site.requests.slice(before).map(({ path }) => path);
}

describe("a run where nothing is new", () => {
  test("asks for the description and the lists alone, whether they have changed", async () => {
    await using garden = await copied();
    const asked = await askedBy(garden, async () => {
      const { counts, isInSync } = await garden.sync();
      expect(isInSync).toBe(true);
      expect(counts).toMatchObject({ unchanged: 2, created: 0, kept: 0, bytes: 0 });
    });
    expect(asked).toEqual([DESCRIPTION, "/resourcelist.xml", "/changelist.xml"]);
    expect(garden.site.requests.slice(-3).map(({ headers }) => headers["if-none-match"])).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ]);
  });

  test("does not ask for a Resource List of which the index of changes states the hash", async () => {
    await using garden = await CopiedSite.start();
    garden.edit({ "/": "home" }).publish();
    const list = { loc: "/open.xml", md: { from: "2026-09-01T00:00:00Z", hash: "md5:0" } };
    const index = changeListIndex([list]).replace(
      "<rs:md ",
      `<rs:md xmlns:emit="${EMIT}" emit:snapshot="${"0".repeat(64)}" `,
    );
    garden.site.answer("/changelist.xml", index);
    garden.site.answer("/open.xml", changeList([], { from: "2026-09-01T00:00:00Z" }));
    expect((await garden.sync()).problems).toEqual([]);
    const asked = await askedBy(garden, () => garden.sync());
    expect(asked).toEqual([DESCRIPTION, "/changelist.xml"]);
  });

  test("asks for an open list, too, of which the index states no hash", async () => {
    await using garden = await copied();
    const open = { loc: "/open.xml", md: { from: "2026-10-01T00:00:00Z" } };
    garden.site.answer("/changelist.xml", changeListIndex([open]));
    const publish = (...changes: Parameters<typeof changeList>[0]) =>
      garden.site.answer("/open.xml", changeList(changes, { from: "2026-10-01T00:00:00Z" }));
    publish();
    await garden.sync();
    expect(await askedBy(garden, () => garden.sync())).toContain("/open.xml");
    garden.edit({ "/moss.html": "moss 2" });
    const md = { change: "updated", datetime: garden.time };
    publish(garden.entry("/moss.html", "moss 2", md));
    expect((await garden.sync()).reported).toEqual(["update moss.html"]);
  });

  test("remembers what its runs knew of robots.txt", async () => {
    await using garden = await CopiedSite.start();
    garden.obeysRobots = true;
    garden.edit({ "/": "home" }).publish();
    const asked = await askedBy(garden, async () => {
      for (let run = 0; run < 3; run += 1) await garden.sync();
    });
    expect(asked.filter((path) => path === "/robots.txt")).toHaveLength(1);
    const later = await askedBy(garden.passDay(), () => garden.sync());
    expect(later.filter((path) => path === "/robots.txt")).toHaveLength(1);
  });
});

describe("everything is read again", () => {
  test.each<[string, (garden: CopiedSite) => unknown]>([
    ["a day later", (garden) => garden.passDay()],
    [
      "by a clock that went back",
      (garden) => {
        garden.now -= 7200;
      },
    ],
    ["where a file is missing", (garden) => rmSync(join(garden.folder, "moss.html"))],
    ["where a file was changed", (garden) => garden.write("moss.html", "my own")],
    ["where a list was published again", (garden) => garden.edit({}).publish()],
    [
      "where a list is not there",
      (garden) => garden.site.answer("/changelist.xml", { status: 404 }),
    ],
    [
      "where the description names another collection",
      (garden) =>
        garden.site.answer(
          DESCRIPTION,
          sourceDescription([
            { loc: "/capabilitylist.xml", links: [["describes", "/"]] },
            { loc: "/shrine.xml", links: [["describes", "/shrine/"]] },
          ]),
        ),
    ],
  ])("%s", async (_, happens) => {
    await using garden = await copied();
    happens(garden);
    const asked = await askedBy(garden, () => garden.sync().catch(() => {}));
    expect(asked).toContain("/capabilitylist.xml");
  });

  test.each([{ include: ["*.html"] }, { exclude: ["moss.html"] }, { otherHosts: true }])(
    "where something else is asked for: %j",
    async (options) => {
      await using garden = await copied();
      expect(await askedBy(garden, () => garden.sync(options))).toContain("/capabilitylist.xml");
    },
  );

  test.each(["audit", "dryRun"])("by --%s", async (option) => {
    await using garden = await copied();
    const asked = await askedBy(garden, () => garden.sync({ [option]: true }));
    expect(asked).toContain("/capabilitylist.xml");
  });

  test("where what was kept is to be deleted", async () => {
    await using garden = await copied();
    garden.edit({ "/moss.html": undefined }).publish();
    expect((await garden.sync({ delete: false })).counts).toMatchObject({ kept: 1 });
    expect((await garden.sync({ delete: false })).counts).toMatchObject({ kept: 1, unchanged: 1 });
    expect((await garden.sync({ allowMassDelete: true })).reported).toEqual(["delete moss.html"]);
  });

  test("after a run that failed at a page", async () => {
    await using garden = await copied();
    garden.edit({ "/moss.html": "moss 2" }).publish();
    garden.site.answer("/moss.html", { status: 500 });
    expect((await garden.sync()).isInSync).toBe(false);
    garden.site.answer("/moss.html", "moss 2");
    expect((await garden.sync()).reported).toEqual(["update moss.html"]);
  });

  test("where answers have no validators, or a date of this minute", async () => {
    await using garden = await copied();
    const text = changeList([], { from: "2026-09-01T00:00:00Z" });
    for (const headers of [
      { "cache-control": "no-cache", "last-modified": "" },
      { "last-modified": new Date((garden.now - 30) * 1000).toUTCString() },
    ]) {
      garden.site.answer("/changelist.xml", { body: text, headers });
      await garden.sync();
      expect(await askedBy(garden, () => garden.sync())).toContain("/capabilitylist.xml");
    }
  });

  test("where another host says that nothing has changed", async () => {
    await using garden = await copied();
    const other = garden.otherSite("other.test");
    other.answer("/changelist.xml", { status: 304 });
    const location = other.urlOf("/changelist.xml");
    garden.site.answer("/changelist.xml", { status: 302, headers: { location } });
    const asked = await askedBy(garden, () => garden.sync().catch(() => {}));
    expect(asked).toContain("/capabilitylist.xml");
  });
});

test("a host that is busy is not asked for everything", async () => {
  await using garden = await copied();
  garden.site.answer(DESCRIPTION, { status: 503 });
  const asked = await askedBy(garden, async () => {
    await expect(garden.sync()).rejects.toMatchObject({ code: "BUSY" });
  });
  expect(asked).toEqual([DESCRIPTION]);
});
