import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import { MissingError } from "../src/http/errors.ts";
import { TestLibrary } from "./support/library.ts";
import { describeStores } from "./support/stores.ts";
import { TestService } from "./support/web.ts";

const DAY = 86_400;
const START = Date.UTC(2026, 9, 1) / 1000;

/** Changes of a site that are taken some hours after the last ones. */
interface Taken {
  readonly site: number;
  readonly hours: number;
  readonly count: number;
}

const takings = fc.array(
  fc.record({
    site: fc.integer({ min: 0, max: 24 }),
    hours: fc.constantFrom(0, 1, 30),
    count: fc.integer({ min: 0, max: 6 }),
  }),
  { minLength: 1, maxLength: 60 },
);

describeStores("the first page, on $name", ({ open }) => {
  test("shows by day and site what was taken, three of each, and leads to all", {
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

/** Takes changes; gives what each day should show of each site, the last taken first. */
async function take(library: TestLibrary, steps: readonly Taken[]) {
  const sources = new Map<number, { id: number; changes: string[] }>();
  const days = new Map<string, string[]>();
  for (const { site, hours, count } of steps) {
    library.time += hours * 3600 + 1;
    const address = `https://s${site}.example/`;
    const known = sources.get(site) ?? { id: await library.follow(address), changes: [] };
    sources.set(site, known);
    const added = Array.from({ length: count }, (_, at) => `${library.time - START}-${at}`);
    known.changes.push(...added);
    const changes = known.changes.map((name) => ({
      url: `${address}${name}/`,
      kind: "created" as const,
      datetime: START - DAY,
      title: `Page ${name}.`,
      isMinor: false,
    }));
    await library.check(known.id, { collections: [{ path: "", changes }] });
    if (count === 0) continue;
    const key = `${Math.floor(library.time / DAY)} s${site}.example`;
    const told = days.get(key) ?? [];
    days.delete(key);
    days.set(key, [...told, ...added]);
  }
  return [...days].reverse().map(([key, told]) => ({ key, told: new Set(told) }));
}

/** Opens the first page and all that it leads to. */
async function walk(service: TestService) {
  const shown: { key: string; told: Set<string> }[] = [];
  let path: string | undefined = "/";
  while (path !== undefined) {
    const page: string = await service.text(path);
    for (const part of page.split('<section class="day"').slice(1)) {
      const [, day] = /id="day-(\d+)"/.exec(part) ?? [];
      for (const site of part.split("<article ").slice(1)) {
        const [, host] = /<h4[^>]*><a [^>]*>([^<]*)</.exec(site) ?? [];
        const told = pagesIn(site);
        expect(told.length).toBeLessThanOrEqual(3);
        const [, link, more] = /href="([^"#]*)#changes">(\d+) more of this site/.exec(site) ?? [];
        const rest = link === undefined ? [] : await older(service, link, Number(more));
        shown.push({ key: `${day} ${host}`, told: new Set([...told, ...rest]) });
      }
    }
    path = /href="(\/\?before=[\d.-]+)#changes"/.exec(page)?.[1];
  }
  return shown;
}

async function older(service: TestService, link: string, count: number): Promise<string[]> {
  const found: string[] = [];
  let path: string | undefined = link;
  while (path !== undefined && found.length < count) {
    const page: string = await service.text(path);
    found.push(...pagesIn(page));
    path = /href="([^"#]*\?before=\d+)#changes">Older/.exec(page)?.[1];
  }
  return found.slice(0, count);
}

const pagesIn = (html: string) =>
  [...html.matchAll(/Page (\d+-\d+)\./g)].map(([, name = ""]) => name);
