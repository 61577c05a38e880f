import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CopyDatabase } from "../src/sync/copy/copy-database.ts";
import { COPY_TABLES, CopyState } from "../src/sync/copy/copy-state.ts";
import { CopyFolder } from "../src/sync/copy/folder.ts";
import { Placement } from "../src/sync/copy/place-files.ts";
import { CopiedSite } from "./support/copied-site.ts";
import { crashPoints } from "./support/crash-points.ts";

const FIRST = { "/": "home", "/moss.html": "moss", "/fern/a.html": "fern", "/gone.html": "gone" };
const COPY = {
  "index.html": "home",
  "moss.html": "moss",
  "fern/a.html": "fern",
  "gone.html": "gone",
};

/** What a source says: the ways by which a page that is gone is known to be. */
const SOURCES: readonly [string, (garden: CopiedSite) => void][] = [
  ["both lists", (garden) => garden.publish()],
  [
    "a Resource List alone",
    (garden) => {
      garden.capabilities({ resourcelist: "resourcelist.xml" });
      garden.publish("resource-list");
    },
  ],
  [
    "lists that state nothing",
    (garden) => {
      garden.listed = () => ({});
      garden.publish();
    },
  ],
];

/** Syncs again from a state that a killed run left. */
async function continueFrom(garden: CopiedSite, state: string) {
  rmSync(garden.folder, { recursive: true, force: true });
  cpSync(state, garden.folder, { recursive: true, preserveTimestamps: true });
  return garden.sync({ allowMassDelete: true });
}

describe.each(SOURCES)("a copy from %s is right after a kill at any instant", (_, publish) => {
  test("of the first run, though the site has changed since", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(FIRST);
    publish(garden);
    const place = join(dirname(garden.folder), "crashes");
    const states = await crashPoints(garden.folder, place, () => garden.sync());
    expect(garden.copy()).toEqual(COPY);
    garden.edit({ "/gone.html": undefined, "/moss.html": "moss 2", "/new.html": "new" });
    publish(garden);
    expect(states.length).toBeGreaterThan(20);
    for (const state of states) {
      const { isInSync, problems } = await continueFrom(garden, state);
      expect({ isInSync, problems }).toEqual({ isInSync: true, problems: [] });
      const { "gone.html": _gone, ...rest } = COPY;
      expect(garden.copy()).toEqual({ ...rest, "moss.html": "moss 2", "new.html": "new" });
      const audit = await garden.sync({ audit: true });
      expect(audit).toMatchObject({ isInSync: true, counts: { extra: 0, foreign: 0 } });
    }
  });

  test("of a later run, though the site has changed since", async () => {
    await using garden = await CopiedSite.start();
    garden.edit(FIRST);
    publish(garden);
    await garden.sync();
    garden.edit({ "/moss.html": "moss 2", "/fern/a.html": undefined, "/new/": "new" });
    publish(garden);
    const place = join(dirname(garden.folder), "crashes");
    const states = await crashPoints(garden.folder, place, () => garden.sync());
    garden.edit({ "/new/": undefined, "/moss.html": "moss 3", "/fern/a.html": "fern again" });
    publish(garden);
    for (const state of states) {
      expect((await continueFrom(garden, state)).isInSync).toBe(true);
      expect(garden.copy()).toEqual({
        ...COPY,
        "moss.html": "moss 3",
        "fern/a.html": "fern again",
      });
      expect((await garden.sync({ audit: true })).counts).toMatchObject({ extra: 0, foreign: 0 });
    }
  });
});

test("an audit names what stands in the copy and is not in the books, which are lost", async () => {
  await using garden = await CopiedSite.start();
  garden.edit(FIRST).publish();
  await garden.sync();
  rmSync(join(garden.folder, ".rs-harvest"), { recursive: true });
  garden.edit({ "/gone.html": undefined }).publish();
  await garden.sync();
  const { counts, notes, isInSync } = await garden.sync({ audit: true });
  expect(counts).toMatchObject({ unchanged: 3, extra: 0, foreign: 1 });
  expect(notes).toEqual(["1 file was not written by sync, or its database was lost: gone.html"]);
  expect(isInSync).toBe(true);
});

test("a file that no collection has is extra to an audit, and goes", async () => {
  await using garden = await CopiedSite.start();
  garden.capabilities({ resourcelist: "resourcelist.xml" });
  garden.edit(FIRST).publish();
  await garden.sync();
  {
    const path = join(garden.folder, ".rs-harvest/copy.sqlite");
    using database = new CopyDatabase(path, COPY_TABLES, { readOnly: false });
    database.exec("DELETE FROM member; DELETE FROM mark");
    database.commit();
  }
  garden.edit({ "/gone.html": undefined }).publish();
  expect(await garden.sync({ audit: true })).toMatchObject({
    isInSync: false,
    problems: [{ code: "EXTRA", url: garden.site.urlOf("/gone.html") }],
  });
  expect((await garden.sync()).reported).toEqual(["delete gone.html"]);
});

test("a file that somebody puts where another waits to be placed stays as it is", () => {
  const path = mkdtempSync(join(tmpdir(), "placed-"));
  try {
    using folder = new CopyFolder(path);
    using database = new CopyDatabase(":memory:", COPY_TABLES, { readOnly: false });
    folder.prepare();
    const state = new CopyState(database);
    const outcome: string[] = [];
    const placement = new Placement(state, folder, {
      placed: ({ url }) => outcome.push(url),
      failed: (url, { code }) => outcome.push(`${url} ${code}`),
    });
    const one = { key: "moss", url: "https://a.example/moss", file: "moss.html", before: null };
    const unsaid = { length: 4, listedHash: null, lastmod: null, datetime: null };
    state.announce({ ...one, ...unsaid, hash: "00", etag: null, lastModified: null });
    const incoming = folder.nextIncoming();
    writeFileSync(incoming, "moss");
    placement.add({ ...one, incoming });
    writeFileSync(join(path, "moss.html"), "mine");
    placement.flush();
    expect(readFileSync(join(path, "moss.html"), "utf8")).toBe("mine");
    expect(outcome).toEqual(["https://a.example/moss CONFLICT"]);
    expect(state.file("moss")).toBeUndefined();
  } finally {
    rmSync(path, { recursive: true });
  }
});
