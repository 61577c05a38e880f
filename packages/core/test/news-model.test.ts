import { comparable, digestsIn } from "@rs-emit/feeds";
import fc from "fast-check";
import { expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { backfill } from "../src/backfill/index.ts";
import { emit } from "../src/emit.ts";
import type { Change } from "../src/model/log.ts";
import { entryToChange } from "../src/model/log-attributes.ts";
import { UNFLUSHED } from "./support/disk.ts";
import {
  edited,
  firstGarden,
  type Garden,
  gardenEdit,
  htmlOfGarden,
  published,
} from "./support/garden.ts";
import { judged, type Truth, truthOf } from "./support/garden-truth.ts";
import { createRepository } from "./support/repository.ts";
import { serve } from "./support/server.ts";
import { entriesOf, TestSite, temporaryFolder } from "./support/site.ts";

const edits = fc.array(gardenEdit, { minLength: 1, maxLength: 5 });
const history = fc.record({
  hasMain: fc.boolean(),
  publications: fc.array(
    fc.record({
      edits,
      ends: fc.constantFrom("whole", "whole", "whole", "killed", "without memory"),
    }),
    { minLength: 2, maxLength: 5 },
  ),
});

function writePages(site: TestSite, garden: Garden, at?: string): void {
  const pages = htmlOfGarden(garden);
  for (const path of site.files().keys()) {
    if (path.endsWith(".html") && !pages.has(path)) site.remove(path);
  }
  for (const [path, html] of pages) site.write(path, html, at);
}

/** Where a publication differs from the truth. */
function faultsIn(changes: readonly Change[], truth: Truth, url: string): readonly string[] {
  const pathOf = (page: string) => page.slice(url.length) || "index.html";
  const told = new Map(changes.map((change) => [pathOf(change.url), change]));
  const faults = [...told].flatMap(([path, { kind, minor, quotes, moved }]) => {
    const to = truth.moved.get(path);
    const from = [...truth.moved].find(([, one]) => one === path && truth.created.has(path))?.[0];
    const place = kind === "deleted" ? to : kind === "created" ? from : undefined;
    const found = moved && pathOf(moved);
    if (found !== place) return [`${path} ${kind}: moved ${found}, not ${place}`];
    const edits = truth.updated.get(path);
    if (kind === "created" && (minor || !truth.created.has(path))) return [`${path} created`];
    if (kind === "created" && (edits === undefined || edits === "minor"))
      return quotes ? [`${path} quotes`] : [];
    if (kind === "deleted") return truth.deleted.has(path) && !minor ? [] : [`${path} deleted`];
    if (!truth.updated.has(path)) return [`${path}: updated`];
    const fault = judged(truth.updated.get(path), minor, quotes);
    return fault === undefined ? [] : [`${path}: ${fault}`];
  });
  const all = [...truth.created, ...truth.deleted, ...truth.updated.keys()];
  return [...faults, ...all.filter((path) => !told.has(path)).map((path) => `${path}: untold`)];
}

function quotedIn(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(({ quotes }) => (quotes === undefined ? [] : digestsIn(quotes)));
}

test("news is told, and nothing else: through kills, and after publications without memory", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ hasMain, publications }) => {
      const site = new TestSite({ allowMassDelete: true });
      let garden = firstGarden(hasMain);
      writePages(site, garden);
      await site.run("2026-10-01T12:00:00Z");
      let remembered: ReadonlySet<string> = new Set(garden.pages.keys());
      const quoted = new Set<string>();
      for (const [day, { edits, ends }] of publications.entries()) {
        const before = garden;
        const list = site.read("resourcelist.xml");
        garden = published(edits.reduce(edited, garden));
        writePages(site, garden);
        const excerpts = ends !== "without memory";
        const result = await site.run(`2026-10-${10 + day}T12:00:00Z`, { excerpts });
        const changes = result.collections.flatMap((one) => one.changes);
        const truth = truthOf(before, garden, { remembered, quoted, excerpts });
        expect(faultsIn(changes, truth, site.url)).toEqual([]);
        for (const digest of quotedIn(changes)) quoted.add(digest);
        if (result.status === "unchanged") continue;
        if (ends === "killed") {
          site.write("resourcelist.xml", list);
          const [old, now] = [htmlOfGarden(before), htmlOfGarden(garden)];
          const isSame = (path: string) => remembered.has(path) && old.get(path) === now.get(path);
          remembered = new Set([...garden.pages.keys()].filter(isSame));
        } else remembered = new Set(excerpts ? garden.pages.keys() : []);
      }
    }),
    { numRuns: rounds(25, 400) },
  );
});

test("news is told, and nothing else: where each build starts from the site as it is served", async () => {
  const builds = fc.record({
    hasMain: fc.boolean(),
    publications: fc.array(edits, { minLength: 2, maxLength: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(builds, async ({ hasMain, publications }) => {
      const host = await serve(temporaryFolder());
      const options = { url: host.url, previous: "site", allowMassDelete: true };
      const quoted = new Set<string>();
      let garden = firstGarden(hasMain);
      for (const [day, edits] of [[], ...publications].entries()) {
        const before = garden;
        garden = published(edits.reduce(edited, garden));
        const build = new TestSite(options);
        writePages(build, garden);
        const result = await build.run(`2026-10-${10 + day}T12:00:00Z`);
        host.folder = build.folder;
        if (day === 0) continue;
        const changes = result.collections.flatMap((one) => one.changes);
        const remembered = new Set(before.pages.keys());
        const truth = truthOf(before, garden, { remembered, quoted, excerpts: true });
        expect(faultsIn(changes, truth, host.url)).toEqual([]);
        for (const digest of quotedIn(changes)) quoted.add(digest);
      }
      await host.close();
    }),
    { numRuns: rounds(5, 50) },
  );
});

const SITE = "https://moss.example/";
const DAY = 86_400;
const FIRST_COMMIT = Date.UTC(2025, 0) / 1000;

/** The log's changes of each day: what every way knows of them. Of an old version no place is known. */
function changesByDay(folder: string): readonly (readonly Change[])[] {
  const days: Change[][] = [];
  for (const entry of entriesOf(folder, SITE)) {
    const change = entryToChange(entry);
    if (change === undefined) continue;
    const day = (change.datetime - FIRST_COMMIT) / DAY;
    const shown = change.quotes?.shown.map(({ digest, text, host, pictures }) => {
      return { digest, text, host, pictures };
    });
    const quotes = change.quotes && shown && { ...change.quotes, shown };
    const { url, kind, datetime, lastmod, minor, changed, title, name, moved } = change;
    const words = { title, name, moved, quotes };
    const told = { url, kind, datetime, lastmod, minor, changed, ...words };
    days[day] = [...(days[day] ?? []), told];
  }
  return Array.from(days, (one) => one ?? []);
}

/** From git, a text that comes back with another full stop is quoted as it stood first. */
function alike(days: readonly (readonly Change[])[]): readonly (readonly Change[])[] {
  return days.map((changes) =>
    changes.map(({ quotes, ...change }) => {
      const shown = quotes?.shown.map((one) => ({ ...one, text: comparable(one.text) }));
      return { ...change, quotes: quotes && shown && { ...quotes, shown } };
    }),
  );
}

test("news is told, and nothing else: by continuations, from git, and by a backfill, in the same words", async () => {
  const commits = fc.record({
    hasMain: fc.boolean(),
    commits: fc.array(edits, { minLength: 3, maxLength: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(commits, async ({ hasMain, commits }) => {
      using repository = createRepository();
      const folder = repository.write("public/index.html").path("public");
      const committed = new TestSite({}, {}, folder);
      const include = ["*.txt"];
      const continued = new TestSite({
        url: SITE,
        allowMassDelete: true,
        anyFolder: true,
        include,
      });
      // No page, and so no part of any.
      const texts = Array.from({ length: 20 }, (_, at) => `${at}.txt`);
      for (const site of [committed, continued]) for (const path of texts) site.write(path, path);
      let garden = firstGarden(hasMain);
      const gardens = [garden];
      for (const edits of commits) {
        garden = published(edits.reduce(edited, garden));
        gardens.push(garden);
      }
      for (const [day, one] of gardens.entries()) {
        const time = FIRST_COMMIT + day * DAY;
        const at = new Date(time * 1000).toISOString();
        for (const site of [committed, continued]) writePages(site, one, at);
        repository.commit(time);
        await continued.run(at);
      }
      const told = changesByDay(continued.folder);
      const quoted = new Set<string>();
      for (const [day, now] of gardens.entries()) {
        const before = gardens[day - 1];
        if (before === undefined) continue;
        const remembered = new Set(before.pages.keys());
        const truth = truthOf(before, now, { remembered, quoted, excerpts: true });
        expect(faultsIn(told[day] ?? [], truth, SITE)).toEqual([]);
        for (const digest of quotedIn(told[day] ?? [])) quoted.add(digest);
      }

      const clock = () => FIRST_COMMIT + gardens.length * DAY;
      const environment = { clock, fileSystem: UNFLUSHED };
      const options = { folder, url: SITE, anyFolder: true, include };
      await emit({ ...options, previous: "none" }, environment);
      expect(alike(changesByDay(folder))).toEqual(alike(told));
      repository.git("clean", "-dfqx");
      await backfill({ ...options, previous: "output" }, {}, environment);
      expect(alike(changesByDay(folder))).toEqual(alike(told));
    }),
    { numRuns: rounds(2, 50) },
  );
});

test("a page is named as it named itself: before the site was renamed, and before another page had its title", async () => {
  using repository = createRepository();
  const folder = repository.write("public/index.html").path("public");
  const committed = new TestSite({}, {}, folder);
  const continued = new TestSite({ url: SITE, anyFolder: true });
  const stated = (name: string) => `<meta property="og:site_name" content="${name}">`;
  const pages = (name: string, paths: readonly string[]) => [
    ["index.html", `<title>Home</title>${stated(name)}`],
    ...paths.map((path) => [
      `${path}.html`,
      `<title>${path} – ${name}</title><main>${path}</main>`,
    ]),
  ];
  const days = [
    pages("Old garden", ["Moss", "Fern", "Reed"]),
    pages("My new garden", ["Moss", "Fern", "Reed"]),
    [["other.html", "<title>Moss – My new garden</title><main><h1>Others</h1>Rain</main>"]],
  ];
  for (const [day, files] of days.entries()) {
    const time = FIRST_COMMIT + day * DAY;
    const at = new Date(time * 1000).toISOString();
    for (const [path = "", html = ""] of files) {
      for (const site of [committed, continued]) site.write(path, html, at);
    }
    repository.commit(time);
    await continued.run(at);
  }
  const told = changesByDay(continued.folder);
  const names = told.flat().map(({ url, name }) => `${url.slice(SITE.length)} ${name}`);
  expect(names.filter((one) => one.startsWith("Moss") || one.startsWith("other"))).toEqual([
    "Moss.html Moss",
    "Moss.html Moss",
    "other.html Moss (Others)",
  ]);
  const clock = () => FIRST_COMMIT + days.length * DAY;
  const options = { folder, url: SITE, anyFolder: true, previous: "none" };
  await emit(options, { clock, fileSystem: UNFLUSHED });
  expect(changesByDay(folder)).toEqual(told);
});
