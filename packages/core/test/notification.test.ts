import { existsSync } from "node:fs";
import { join } from "node:path";
import { judgeDocuments } from "@rs-emit/check";
import { type ParsedDocument, readDocumentSync } from "@rs-emit/documents";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, inLogOrder } from "../src/model/log.ts";
import { openPublished } from "../src/recall/published-changes.ts";
import { composeNotifications, publishedNotifications } from "../src/write/notification.ts";
import type { ToldInterval } from "../src/write/notified.ts";
import { TestSite } from "./support/site.ts";

const LIMITS = { entries: 4 };

describe("the notifications of one publication", () => {
  test("have every change once, in order, and leave no gap between them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(12), { maxLength: 30 }),
        fc.option(fc.nat(12), { nil: undefined }),
        fc.record({ entries: fc.integer({ min: 1, max: 9 }), bytes: fc.constantFrom(1500, 9e6) }),
        async (times, previous, limits) => {
          const time = 12;
          const log = times.map((datetime, at) => changeAt(datetime, at)).sort(inLogOrder);
          const since = previous ?? time;
          const parts = await compose({ from: since, until: time }, log, limits);
          const news = log.filter(({ datetime }) => datetime > since).map(({ url }) => url);
          expect(parts.flatMap(changesIn)).toEqual(news);
          // No sitemap is empty, and no notification.
          if (news.length === 0) return;
          for (const { entries } of parts)
            expect(entries.length).toBeLessThanOrEqual(limits.entries);
          expect(parts.at(0)?.metadata.from).toBe(at(since));
          expect(parts.at(-1)?.metadata.until).toBe(at(time));
          expect(
            judgeDocuments(
              new Map(parts.map((document, part) => [`https://example.org/${part}`, document])),
            ).filter(({ rule }) => /^notification|interval|order/.test(rule)),
          ).toEqual([]);
        },
      ),
    );
  });

  test("are full, except for the oldest", async () => {
    const log = Array.from({ length: 10 }, (_, at) => changeAt(9, at));
    const parts = await compose({ from: 3, until: 9 }, log, LIMITS);
    expect(parts.map(({ entries }) => entries.length)).toEqual([2, 4, 4]);
    expect(parts.map(({ metadata: { from, until } }) => [from, until])).toEqual([
      [at(3), at(9)],
      [at(9), at(9)],
      [at(9), at(9)],
    ]);
  });
});

describe("a site with a hub", () => {
  test("keeps the newest changes at the topic, and sends all of them", async () => {
    const site = new TestSite(
      { hub: "https://hub.example/", collections: [{ path: "moss/" }, { path: "bus/" }] },
      { limits: LIMITS },
    );
    site.page("bus/index.html", "Night bus").page("moss/index.html", "Moss");
    await site.publish("2026-10-01T12:00:00Z");
    for (let page = 0; page < 10; page++) site.page(`moss/${page}.html`, `Page ${page}`);
    await site.publish("2026-10-02T12:00:00Z");
    const collection = `${site.url}moss/`;
    const published = await openPublished(site.folder);
    const sentOf = async (url: string) => {
      const { previous: from = 0, time: until } = await published.lastOf(url);
      return publishedNotifications(published, url, { from, until }, LIMITS);
    };
    const sent = await sentOf(collection);
    expect(sent.map((bytes) => readDocumentSync(bytes).entries.length)).toEqual([2, 4, 4]);
    expect(sent.flatMap((bytes) => changesIn(readDocumentSync(bytes)))).toEqual(
      Array.from({ length: 10 }, (_, page) => `${collection}${page}.html`),
    );
    expect(Buffer.from(sent.at(-1) ?? []).toString()).toBe(site.read("moss/notification.xml"));
    expect(existsSync(join(site.folder, "bus/notification.xml"))).toBe(false);
  });
});

function changeAt(datetime: number, number: number): Change {
  const url = `https://example.org/${String(number).padStart(2, "0")}`;
  return { url, kind: "created", datetime, lastmod: datetime };
}

function at(time: number): string {
  return new Date(time * 1000).toISOString().replace(".000", "");
}

async function compose(
  interval: ToldInterval,
  log: readonly Change[],
  limits: { readonly entries: number },
): Promise<readonly ParsedDocument[]> {
  const newestFirst = (async function* () {
    yield* log.toReversed();
  })();
  const facts = { collection: "https://example.org/", interval, log: newestFirst, limits };
  const parts: ParsedDocument[] = [];
  for await (const bytes of composeNotifications(facts)) parts.unshift(readDocumentSync(bytes));
  return parts;
}

function changesIn({ entries }: ParsedDocument): readonly string[] {
  return entries.map(({ loc }) => loc);
}
