import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openDatabase } from "../src/store/sqlite-file.ts";
import { CopiedSite } from "./support/copied-site.ts";
import { crashPoints } from "./support/crash-points.ts";

const LONG = "x".repeat(200);

/** Paths of URLs, the files that hold them, and what an earlier version called these. */
const NAMES = [
  ["/moss.html", "moss.html", "moss.html"],
  ["/.git/HEAD", "%~e%2Egit/%~eHEAD", ".git/HEAD"],
  ["/.git/config", "%~e%2Egit/config", ".git/config"],
  ["/about", "about", "about"],
  ["/about/", "about%~n2/index.html", "about%~2/index.html"],
  ["/STRASSE.html", "STRASSE.html", "STRASSE.html"],
  ["/Stra%C3%9Fe.html", "Straße.html%~n2", "Straße.html"],
  [`/${LONG}.html`, `${LONG}%~+/%~+.html`, `${LONG}%~+/.html`],
] as const;

const PAGES = Object.fromEntries(NAMES.map(([path]) => [path, `this is ${path}`]));
const COPY = Object.fromEntries(NAMES.map(([path, file]) => [file, `this is ${path}`]));

/** A copy that an earlier version has made. */
async function oldCopy(): Promise<CopiedSite> {
  const garden = await CopiedSite.start();
  garden.edit(PAGES).publish();
  await garden.sync();
  expect(garden.copy()).toEqual(COPY);
  const database = openDatabase(join(garden.folder, ".rs-harvest/copy.sqlite"), {});
  database.exec("PRAGMA user_version = 0; DROP TABLE move");
  const set = database.prepare("UPDATE file SET file = ?, folded = lower(?) WHERE file = ?");
  for (const [, file, old] of NAMES.filter(([, one, other]) => one !== other)) {
    mkdirSync(dirname(join(garden.folder, old)), { recursive: true });
    renameSync(join(garden.folder, file), join(garden.folder, old));
    set.run(old, old, file);
  }
  database.close();
  for (const folder of ["%~e%2Egit", "about%~n2"])
    rmSync(join(garden.folder, folder), { recursive: true });
  return garden;
}

/** How often pages were asked for: once each, for the first copy. */
function pagesAsked({ site }: CopiedSite): number {
  return site.requests.filter(({ path }) => path in PAGES).length;
}

describe("a copy that an earlier version named", () => {
  test("moves to the names of today, and fetches nothing", async () => {
    await using garden = await oldCopy();
    const { isInSync, counts } = await garden.sync();
    expect({ isInSync, counts }).toMatchObject({
      isInSync: true,
      counts: { unchanged: 8, created: 0 },
    });
    expect(garden.copy()).toEqual(COPY);
    expect(pagesAsked(garden)).toBe(NAMES.length);
    expect((await garden.sync({ audit: true })).isInSync).toBe(true);
  });

  test("is whole though the run that moves it is killed at any instant", async () => {
    await using garden = await oldCopy();
    const place = join(dirname(garden.folder), "crashes");
    const states = await crashPoints(garden.folder, place, () => garden.sync());
    expect(states.length).toBeGreaterThan(20);
    for (const state of states) {
      rmSync(garden.folder, { recursive: true });
      renameSync(state, garden.folder);
      expect((await garden.sync()).isInSync).toBe(true);
      expect(garden.copy()).toEqual(COPY);
    }
    expect(pagesAsked(garden)).toBe(NAMES.length);
  });

  test("moves though its site cannot be reached", async () => {
    await using garden = await oldCopy();
    garden.passDay().site.answer("/.well-known/resourcesync", { status: 500 });
    await expect(garden.sync()).rejects.toThrow();
    expect(garden.copy()).toEqual(COPY);
  });

  test("leaves what a person changed, and what a person put there", async () => {
    await using garden = await oldCopy();
    garden.write(".git/config", "mine");
    garden.write("about%~n2/index.html", "mine, too");
    const { problems } = await garden.sync();
    expect(problems).toMatchObject([{ url: garden.site.urlOf("/about/"), code: "CONFLICT" }]);
    expect(garden.copy()).toEqual({
      ...COPY,
      ".git/config": "mine",
      "about%~n2/index.html": "mine, too",
    });
  });

  test("can be audited before", async () => {
    await using garden = await oldCopy();
    expect((await garden.sync({ audit: true })).counts).toMatchObject({ unchanged: 8 });
    expect(garden.copy()).not.toEqual(COPY);
  });
});
