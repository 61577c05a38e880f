import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
  type TestEntry,
} from "../../reader/test/support/documents.ts";
import { CopiedSite } from "./support/copied-site.ts";

const FROM = "2026-09-01T00:00:00Z";
const FIRST = { "/": "home", "/moss.html": "moss", "/fern.html": "fern", "/oak.html": "oak" };
const COPY = { "index.html": "home", "moss.html": "moss", "fern.html": "fern", "oak.html": "oak" };

/** A site with a copy that is in sync, whose Resource List stays as it is. */
async function copiedSite(): Promise<CopiedSite> {
  const garden = await CopiedSite.start();
  garden.edit(FIRST).publish("resource-list");
  garden.forgetChanges();
  await garden.sync();
  return garden;
}

/** Publishes a Change List of some entries, which is as old as the site. */
function publishChanges(
  garden: CopiedSite,
  entries: readonly TestEntry[],
  md = { from: FROM },
): void {
  garden.site.answer("/changelist.xml", changeList(entries, md));
}

const deleted = (loc: string): TestEntry => ({ loc, md: { change: "deleted" } });

describe("an entry without a time", () => {
  test("is a change as any other: deletions after what is new", async () => {
    await using garden = await copiedSite();
    const from = garden.time;
    garden.edit({ "/moss.html": "moss 2", "/fern.html": undefined });
    const md = { change: "updated", datetime: garden.time };
    const entries = [garden.entry("/moss.html", "moss 2", md), deleted("/fern.html")];
    publishChanges(garden, entries, { from });
    expect(await garden.sync()).toMatchObject({
      isInSync: true,
      reported: ["delete fern.html", "update moss.html"],
    });
    expect(await garden.sync()).toMatchObject({ isInSync: true, reported: [] });
    expect((await garden.sync({ audit: true })).isInSync).toBe(true);
  });

  test("comes before and after the ones beside it", async () => {
    await using garden = await copiedSite();
    const from = garden.time;
    garden.edit({ "/fern.html": "fern 2", "/moss.html": undefined, "/oak.html": "oak 2" });
    const entries = [
      ...["deleted", "created", "deleted"].map((change) => ({ loc: "/moss.html", md: { change } })),
      deleted("/fern.html"),
      garden.entry("/fern.html", "fern 2", { change: "created" }),
      { loc: "/oak.html", md: { change: "updated" } },
    ];
    publishChanges(garden, entries, { from });
    const { isInSync, reported } = await garden.sync();
    expect({ isInSync, reported }).toEqual({
      isInSync: true,
      reported: ["delete moss.html", "update fern.html", "update oak.html"],
    });
    expect(garden.copy()).toEqual({
      "index.html": "home",
      "fern.html": "fern 2",
      "oak.html": "oak 2",
    });
  });

  test("in a list of an index is as old as the list", async () => {
    await using garden = await copiedSite();
    const until = garden.time;
    garden.edit({ "/moss.html": "moss 2" });
    garden.site
      .answer(
        "/changelist.xml",
        changeListIndex([
          { loc: "old.xml", md: { from: FROM, until } },
          { loc: "new.xml", md: { from: until } },
        ]),
      )
      .answer("/old.xml", changeList([deleted("/moss.html"), deleted("/oak.html")]))
      .answer(
        "/new.xml",
        changeList([garden.entry("/moss.html", "moss 2", { change: "created" })]),
      );
    expect((await garden.sync()).reported).toContain("update moss.html");
    expect(garden.copy()["moss.html"]).toBe("moss 2");
  });

  test("that is older than the Resource List changes nothing", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(FIRST);
    const created = garden.entry("/moss.html", "moss", {
      change: "created",
      datetime: garden.time,
    });
    garden.edit({}).publish("resource-list");
    publishChanges(garden, [deleted("/moss.html"), created]);
    expect(await garden.sync()).toMatchObject({ isInSync: true });
    expect(garden.copy()).toEqual(COPY);
  });

  test("that may be older or newer than the Resource List is judged by the host", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(FIRST).publish("resource-list");
    garden.edit({ "/fern.html": undefined, "/moss.html": "moss 2" });
    const updated = garden.entry("/moss.html", "moss 2", { change: "updated" });
    publishChanges(garden, [deleted("/oak.html"), deleted("/fern.html"), updated]);
    const { isInSync, problems } = await garden.sync();
    expect({ isInSync, problems }).toEqual({ isInSync: true, problems: [] });
    expect(garden.copy()).toEqual({
      "index.html": "home",
      "moss.html": "moss 2",
      "oak.html": "oak",
    });
    expect((await garden.sync({ audit: true })).problems).toEqual([]);
    expect(await garden.sync()).toMatchObject({ isInSync: true });
  });
});

test("a page that another collection lists is not deleted by a host's word", async () => {
  await using garden = await CopiedSite.start();
  const lists = ["/capabilitylist.xml", "/all/capabilitylist.xml"].map((loc) => ({ loc }));
  garden.site.answer("/.well-known/resourcesync", sourceDescription(lists));
  garden.site.answer(
    "/all/capabilitylist.xml",
    capabilityList({ resourcelist: "/resourcelist.xml" }),
  );
  garden.edit(FIRST).publish("resource-list");
  garden.site.answer("/fern.html", { status: 404 });
  publishChanges(garden, [deleted("/fern.html")]);
  const { isInSync, problems } = await garden.sync();
  expect(isInSync).toBe(false);
  expect(problems).toMatchObject([{ url: garden.site.urlOf("/fern.html"), code: "MISSING" }]);
});

describe("a change of an unknown kind", () => {
  const unknown = (datetime?: string): TestEntry => ({
    loc: "/moss.html",
    md: { change: "renamed", ...(datetime === undefined ? {} : { datetime }) },
  });

  test.each([true, false])("is no sync, and is named; dated: %s", async (isDated) => {
    await using garden = await copiedSite();
    const from = garden.time;
    garden.edit({ "/oak.html": "oak 2" });
    const oak = garden.entry("/oak.html", "oak 2", { change: "updated", datetime: garden.time });
    publishChanges(garden, [oak, unknown(isDated ? garden.time : undefined)], { from });
    for (const audit of [false, true]) {
      const { isInSync, problems } = await garden.sync({ audit });
      expect(isInSync).toBe(false);
      expect(problems).toMatchObject([{ url: garden.site.urlOf("/moss.html"), code: "UNCLEAR" }]);
      expect(garden.copy()).toEqual({ ...COPY, "oak.html": "oak 2" });
    }
  });

  test("is covered by a newer entry, and by a newer Resource List", async () => {
    await using garden = await copiedSite();
    const from = garden.time;
    garden.edit({ "/moss.html": "moss 2" });
    const entry = garden.entry("/moss.html", "moss 2", {
      change: "updated",
      datetime: garden.time,
    });
    publishChanges(garden, [unknown(garden.time), entry], { from });
    expect(await garden.sync()).toMatchObject({ isInSync: true, reported: ["update moss.html"] });
    publishChanges(garden, [entry, unknown(garden.time)], { from });
    expect(await garden.sync()).toMatchObject({ isInSync: false });
    garden.edit({}).publish("resource-list");
    expect(await garden.sync()).toMatchObject({ isInSync: true });
  });
});

describe("no copy is in sync of a site that names nothing", () => {
  test.each([{}, { audit: true }, { dryRun: true }])("%j", async (options) => {
    await using garden = await copiedSite();
    garden
      .passDay()
      .site.answer(
        "/.well-known/resourcesync",
        changeList([]).replaceAll("changelist", "description"),
      );
    const { isInSync, notes } = await garden.sync(options);
    expect(isInSync).toBe(false);
    expect(notes.join()).toContain("names no collection");
    expect(garden.copy()).toEqual(COPY);
  });
});

/** An edit of a page, and what its entry states. */
const edit = fc.record({
  page: fc.constantFrom("/a.html", "/b.html", "/c.html"),
  isDeleted: fc.boolean(),
  isDated: fc.boolean(),
  isHashed: fc.boolean(),
  modified: fc.constantFrom("unknown", "years before", "now"),
  next: fc.constantFrom("nothing", "resource-list", "sync"),
});

test("a copy is never in sync when it is not, however few entries have a time", {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(edit, { maxLength: 12 }),
      fc.boolean(),
      async (edits, isFromKnown) => {
        await using garden = await CopiedSite.start();
        garden.edit({ "/": "home" }).publish("resource-list");
        const log: TestEntry[] = [];
        const md = isFromKnown ? { from: FROM } : {};
        const check = async () => {
          garden.site.answer("/changelist.xml", changeList(log, md));
          const { isInSync } = await garden.sync({ allowMassDelete: true });
          expect(isInSync).toBe(true);
          const pages = [...garden.pages].map(([path, body]) => [
            path.slice(1) || "index.html",
            body,
          ]);
          expect(garden.copy()).toEqual(Object.fromEntries(pages));
        };
        for (const [
          at,
          { page, isDeleted, isDated, isHashed, next, modified },
        ] of edits.entries()) {
          const isThere = garden.pages.has(page);
          if (isDeleted && !isThere) continue;
          const body = isDeleted ? undefined : `version ${at}`;
          garden.edit({ [page]: body });
          const change = isDeleted ? "deleted" : isThere ? "updated" : "created";
          const listed = { change, ...(isDated ? { datetime: garden.time } : {}) };
          const entry = isHashed ? garden.entry(page, body, listed) : { loc: page, md: listed };
          const lastmod = modified === "now" ? garden.time : `2020-01-01T00:00:${10 + at}Z`;
          log.push(modified === "unknown" ? entry : { ...entry, lastmod });
          if (next === "resource-list") garden.edit({}).publish("resource-list");
          if (next === "sync") await check();
        }
        await check();
      },
    ),
    { numRuns: rounds(20, 60) },
  );
});
