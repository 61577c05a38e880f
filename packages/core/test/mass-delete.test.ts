import { describe, expect, test } from "vitest";
import type { Difference } from "../src/derive/difference.ts";
import { massDeletes } from "../src/derive/mass-delete.ts";
import { ExcludedPages } from "../src/model/excluded-pages.ts";
import type { CollectionPublication } from "../src/model/publication.ts";
import type {
  ExclusionReason,
  Inventory,
  Resource,
  SnapshotEntry,
} from "../src/model/resources.ts";
import { logOf, TestSite } from "./support/site.ts";

const SITE = "https://example.org/";
const SHRINE = `${SITE}shrine/`;

function refuseMassDelete(...given: Parameters<typeof massDeletes>): void {
  for (const error of massDeletes(...given)) throw error;
}

test.each([
  ["5 of 5", 5, 5, false],
  ["6 of 6", 6, 6, true],
  ["6 of 11", 6, 11, true],
  ["6 of 12, which is half", 6, 12, false],
  ["500 of 2,000", 500, 2000, false],
])("%s pages gone", (_, gone, known, stops) => {
  const run = () => refuse({ gone, known });
  if (stops) expect(run).toThrow(`${gone} of the ${known} published pages of ${SITE} would be`);
  else expect(run).not.toThrow();
});

test("the error names the collection, some pages, and the cure", () => {
  const run = () => refuse({ gone: 20, known: 20, collection: SHRINE });
  expect(run).toThrow(`pages of ${SHRINE} `);
  expect(run).toThrow(`(${SHRINE}0.html, ${SHRINE}1.html, ${SHRINE}2.html and 17 more)`);
  expect(run).toThrow("the option allowMassDelete");
});

test("the error names the folders whose pages are gone, the most first", () => {
  const published = publication(SITE, 7);
  const folders = ["notes/a", "notes/b", "notes/c", "notes/deep/d", "journal/e", "journal/f", "g"];
  const differences = deletions(published, 7).map((one, index) => {
    return { ...one, url: `${SITE}${folders[index]}.html` };
  });
  expect(() => refuseMassDelete(differences, [published], inventory({}))).toThrow(
    "They were in notes/ (4 pages), journal/ (2 pages), / (1 page).",
  );
});

test("a small collection is judged by itself, beside one that stands", () => {
  const shrine = publication(SHRINE, 8);
  const whole = publication(SITE, 1000);
  const differences = deletions(shrine, 7);
  const resources = [...whole.snapshot.values()].map(resourceOf);
  expect(() => refuseMassDelete(differences, [whole, shrine], inventory({ resources }))).toThrow(
    `7 of the 8 published pages of ${SHRINE}`,
  );
});

/** Pages that are still in the folder, and no longer for readers. */
test.each<ExclusionReason>([
  "noindex",
  "redirect",
  "opted-out",
  "option",
  "not-found-page",
  "on-demand",
])("pages that stand, and are withdrawn by %s", (reason) => {
  const excluded = urls(SITE, 6).map((url) => ({ url, reason, file: url }));
  expect(() => refuse({ gone: 6, known: 7, inventory: inventory({ excluded }) })).toThrow();
  expect(() => refuse({ gone: 5, known: 7, inventory: inventory({ excluded }) })).not.toThrow();
});

test.each([
  ["in another collection", (entry: SnapshotEntry) => entry.url, {}],
  ["at another URL, the same bytes", movedUrl, { content: "other" }],
  ["at another URL, the same own content", movedUrl, { hash: "other" }],
])("pages that stand %s are not gone", (_, urlOf, differing) => {
  const published = publication(SITE, 30);
  const resources = [...published.snapshot.values()].map((entry) =>
    resourceOf({ ...entry, ...differing, url: urlOf(entry) }),
  );
  const run = () =>
    refuseMassDelete(deletions(published, 30), [published], inventory({ resources }));
  expect(run).not.toThrow();
});

test("pages made on demand are not the same for being so", () => {
  const published = publication(SITE, 10, { content: "on-demand", hash: "" });
  const resources = [resourceOf({ url: `${SITE}new`, content: "on-demand" })];
  const run = () =>
    refuseMassDelete(deletions(published, 10), [published], inventory({ resources }));
  expect(run).toThrow();
});

test("pages that a server makes now: what to do is said", () => {
  const excluded = urls(SITE, 6).map((url) => ({ url, reason: "on-demand" as const, file: url }));
  expect(() => refuse({ gone: 6, known: 7, inventory: inventory({ excluded }) })).toThrow(
    /a server makes them now.* List them with the option customPages/,
  );
});

test("however few they are, options do not withdraw a log unasked", () => {
  const [url = ""] = urls(SHRINE, 1);
  const few = { gone: 1, known: 1, collection: SHRINE };
  const excluded = inventory({ excluded: [{ url, file: url, reason: "option" }] });
  const outside = inventory({ excluded: [{ url, file: url, reason: "no-collection" }] });
  const hidden = inventory({ excluded: [{ url, file: url, reason: "noindex" }] });
  expect(() => refuse({ ...few, inventory: excluded })).toThrow(
    "the options leave all of them out",
  );
  expect(() => refuse({ ...few, inventory: outside })).toThrow("the options leave all of them out");
  expect(() => refuse({ ...few, inventory: inventory({ missing: ["shrine/"] }) })).toThrow(
    "its folder shrine/ is not there",
  );
  expect(() => refuse({ ...few, inventory: hidden })).not.toThrow();
  expect(() => refuse({ ...few, known: 2, inventory: excluded })).not.toThrow();
});

function refuse({
  gone,
  known,
  collection = SITE,
  inventory: found = inventory({}),
}: {
  gone: number;
  known: number;
  collection?: string;
  inventory?: Inventory;
}): void {
  const published = publication(collection, known);
  refuseMassDelete(deletions(published, gone), [published], found);
}

function publication(
  url: string,
  pages: number,
  differing: Partial<SnapshotEntry> = {},
): CollectionPublication {
  const entries = urls(url, pages).map((one): [string, SnapshotEntry] => [
    one,
    { url: one, hash: `hash of ${one}`, content: `content of ${one}`, ...differing },
  ]);
  return {
    ...{
      url,
      id: url,
      folder: url.slice(SITE.length),
      time: 0,
      since: 0,
      snapshot: new Map(entries),
    },
    ...{ excluded: new ExcludedPages(), left: new Map(), entered: new Set() },
    ...{ log: { closed: [], pending: [] }, repaired: false, resourceListParts: [] },
    capabilities: [],
  };
}

function deletions({ url: collection, snapshot }: CollectionPublication, count: number) {
  return [...snapshot.values()].slice(0, count).map(
    (before): Difference => ({
      ...{ url: before.url, minor: false, kind: "deleted", collection, publishedAt: 0 },
      ...{ resource: undefined, before },
    }),
  );
}

function inventory(found: Partial<Inventory>): Inventory {
  const nothing = {
    excluded: [],
    linkedFiles: [],
    stale: [],
    unreadable: [],
    unmatched: [],
    missing: [],
    stated: new Map(),
  };
  return { resources: [], unfinished: [], unfit: [], ...nothing, ...found };
}

function resourceOf(entry: SnapshotEntry): Resource {
  return { ...entry, collection: `${SITE}other/`, file: entry.url };
}

function movedUrl({ url }: SnapshotEntry): string {
  return url.replace(".html", "/");
}

function urls(collection: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${collection}${at}.html`);
}

describe("a log that the options leave out", () => {
  test("does not end unasked, whether its pages go on in another or not", async () => {
    const site = new TestSite().page("index.html", "Home").page("moss/index.html", "Moss");
    await site.publish("2026-10-05T12:00:00Z");
    const before = site.files();
    const part = site.run("2026-10-06T12:00:00Z", { collections: ["moss/"] });
    await expect(part).rejects.toMatchObject({ code: "LOG_WITHDRAWN" });
    await expect(part).rejects.toThrow(/The log of https:\/\/example\.org\/ \(2 pages\).*"\/"/);
    expect(site.files()).toEqual(before);
    const both = { collections: ["/", "moss/"] };
    expect(await site.publish("2026-10-07T12:00:00Z", both)).toMatchObject({ status: "published" });
  });

  test("ends where the author says so, or where it never had a page", async () => {
    const site = new TestSite({ collections: ["moss/", "rain/"] })
      .page("index.html", "Home")
      .page("moss/index.html", "Moss");
    await site.publish("2026-10-05T12:00:00Z");
    const whole = site.run("2026-10-06T12:00:00Z", { collections: [] });
    await expect(whole).rejects.toMatchObject({ code: "LOG_WITHDRAWN" });
    await site.publish("2026-10-07T12:00:00Z", { collections: ["moss/"] });
    await site.publish("2026-10-08T12:00:00Z", { collections: [], allowMassDelete: true });
    expect(logOf(site.folder, site.url, "moss/").at(-1)).toMatch(/deleted/);
  });
});
