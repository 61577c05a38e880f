import type { ListedChange } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import { TestLibrary } from "./support/library.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 9, 1) / 1000;

/** Changes of a site that are taken some hours after the last ones, and some hours after they happened. */
interface Taken {
  readonly site: number;
  readonly hours: number;
  readonly late: number;
  readonly count: number;
}

const takings = fc.array(
  fc.record({
    site: fc.integer({ min: 0, max: 24 }),
    hours: fc.constantFrom(0, 1, 30),
    late: fc.constantFrom(0, 0.25, 2, 40),
    count: fc.integer({ min: 0, max: 6 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describeStores("the first page, on $name", ({ open }) => {
  test("shows by day and site what changed, three of each, in the order of the times it shows, and leads to all", {
    timeout: 60_000,
  }, async () => {
    await using opened = await open();
    const get = (url: string) => Promise.reject(new MissingError(url));
    const library = new TestLibrary(opened.store, { get });
    library.settings = { ...DEFAULT_SETTINGS, entries: "change" };
    await fc.assert(
      fc.asyncProperty(takings, async (steps) => {
        await library.forgetAll();
        library.time = START;
        const model = await take(library, steps);
        const shown = await walk(new TestService(library));
        expect(shown).toEqual(model);
      }),
      { numRuns: 12 },
    );
  });
});

/** Takes changes; gives what each day should show of each site, the newest first. */
async function take(library: TestLibrary, steps: readonly Taken[]) {
  const sources = new Map<number, { id: number; changes: ListedChange[] }>();
  const days = new Map<string, { id: number; time: number; reported: Set<string> }>();
  for (const { site, hours, late, count } of steps) {
    library.time += hours * 3600 + 1;
    const address = `https://s${site}.example/`;
    const known = sources.get(site) ?? { id: await library.follow(address), changes: [] };
    sources.set(site, known);
    const datetime = library.time - late * 3600;
    const key = `${Math.floor(datetime / DAY)} s${site}.example`;
    for (let at = 0; at < count; at += 1) {
      const name = `${library.time - START}-${at}`;
      const change = { datetime, kind: "created" as const, isMinor: false };
      known.changes.push({ ...change, url: `${address}${name}/`, title: `Page ${name}.` });
      const { id } = known;
      const { time, reported } = days.get(key) ?? { time: 0, reported: new Set<string>() };
      days.set(key, { id, time: Math.max(time, datetime), reported: reported.add(name) });
    }
    await library.check(known.id, { collections: [{ path: "", changes: known.changes }] });
  }
  return [...days]
    .sort(([, one], [, other]) => other.time - one.time || other.id - one.id)
    .map(([key, { reported }]) => ({ key, reported }));
}

/** Opens the first page and all that it leads to. */
async function walk(service: TestService) {
  const shown: { key: string; reported: Set<string> }[] = [];
  let path: string | undefined = "/";
  while (path !== undefined) {
    const page: string = await service.text(path);
    for (const part of page.split('<section class="day"').slice(1)) {
      const [, day] = /id="day-(\d+)"/.exec(part) ?? [];
      for (const site of part.split("<article ").slice(1)) {
        const [, host] = /<h3[^>]*><a [^>]*>([^<]*)</.exec(site) ?? [];
        const reported = pagesIn(site);
        expect(reported.length).toBeLessThanOrEqual(3);
        const times = [...site.matchAll(/<time datetime="([^"]*)"/g)].map(([, time]) => time);
        expect(times).toEqual(times.toSorted().reverse());
        const [, link, more] = /href="([^"#]*)#changes">(\d+) more of this site/.exec(site) ?? [];
        const all = link === undefined ? reported : await ofDay(service, link, Number(day));
        expect(all).toEqual(expect.arrayContaining(reported));
        expect(all).toHaveLength(reported.length + Number(more ?? 0));
        shown.push({ key: `${day} ${host}`, reported: new Set(all) });
      }
    }
    path = /href="(\/\?before=[\d.-]+)#changes"/.exec(page)?.[1];
  }
  return shown;
}

/** The entries of a day on the pages of its site, from where the first page leads to. */
async function ofDay(service: TestService, link: string, day: number): Promise<string[]> {
  const date = new Date(day * DAY * 1000).toISOString().slice(0, 10);
  const found: string[] = [];
  for (let path: string | undefined = link; path !== undefined; ) {
    const page: string = await service.text(path);
    const [, changes = ""] = page.split('id="changes"');
    for (const [, on, name = ""] of changes.matchAll(ENTRY)) if (on === date) found.push(name);
    path = /href="([^"#]*\?before=\d+)#changes"[^>]*>Older/.exec(page)?.[1];
  }
  return found;
}

const ENTRY = /<time datetime="([\d-]+)T[^>]*>[^<]*<.time>(?:(?!<time).)*?Page (\d+-\d+)\./gs;

const pagesIn = (html: string) =>
  [...html.matchAll(/Page (\d+-\d+)\./g)].map(([, name = ""]) => name);
