import { createHash } from "node:crypto";
import { formatDatetime } from "@rs-emit/documents";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
} from "./support/documents.ts";
import { Follower, onlyCollection, reported } from "./support/follower.ts";
import { MemorySite } from "./support/memory-site.ts";

/** A source that grows: how it writes its log is drawn once, what happens to it again and again. */
interface Style {
  readonly hash: "sha256" | "md5" | undefined;
  readonly untilIn: "list" | "index" | "both";
  readonly isFickle: boolean;
  readonly isNewestFirst: boolean;
  readonly documents: number;
}

/** What happens: changes, a list that is closed, a deploy that stops halfway, a check, a killed check. */
const EVENTS = [
  "change",
  "change",
  "close",
  "deploy",
  "half a deploy",
  "check",
  "check",
  "crash",
] as const;
type Event = (typeof EVENTS)[number];

const styles: fc.Arbitrary<Style> = fc.record({
  hash: fc.constantFrom("sha256", "md5", undefined),
  untilIn: fc.constantFrom("list", "index", "both"),
  isFickle: fc.boolean(),
  isNewestFirst: fc.boolean(),
  documents: fc.constantFrom(1, 2, 500),
});

class GrowingSource {
  readonly site = new MemorySite();
  readonly reported: string[] = [];
  /** Checks that have seen a deploy that stopped; somebody notices before a week is over. */
  halfSince = 0;
  readonly #lists: string[][] = [[]];
  readonly #ends: string[] = [];
  readonly #style: Style;

  constructor(style: Style) {
    this.#style = style;
    this.site.put({
      ".well-known/resourcesync": sourceDescription(["/list.xml"]),
      "list.xml": capabilityList({ changelist: "index.xml" }),
    });
    this.deploy(Number.POSITIVE_INFINITY);
  }

  change(): void {
    this.#lists.at(-1)?.push(`created ${this.reported.length} 2026-10-01`);
    this.reported.push(`created ${this.reported.length}`);
  }

  close(time: number): void {
    this.#ends.push(formatDatetime(time));
    this.#lists.push([]);
  }

  /** @param most files that arrive, the index first: whoever comes then sees a deploy midway */
  deploy(most: number): void {
    const { untilIn, hash, isFickle, isNewestFirst } = this.#style;
    const files = this.#lists.map((changes, at) => {
      const until = this.#ends[at];
      const ends = until === undefined ? {} : { until };
      const body = changeList(changes, untilIn === "index" ? {} : ends);
      return { name: `${at}.xml`, ends, body };
    });
    const entries = files.map(({ name, ends, body }) => ({
      loc: name,
      md: {
        ...(untilIn === "list" ? {} : ends),
        ...(hash === undefined
          ? {}
          : {
              hash: `${hash === "md5" ? "md5" : "sha-256"}:${createHash(hash).update(body).digest("hex")}`,
            }),
      },
    }));
    const index = changeListIndex(isNewestFirst ? entries.toReversed() : entries);
    const all = [{ name: "index.xml", body: index }, ...files.toReversed()];
    this.halfSince = most < all.length ? Math.max(1, this.halfSince) : 0;
    for (const { name, body } of all.slice(0, most)) this.site.put({ [name]: { body, isFickle } });
  }
}

test("no change is lost, however a source publishes its log, and whenever it is read", async () => {
  await fc.assert(
    fc.asyncProperty(
      styles,
      fc.array(fc.constantFrom<Event>(...EVENTS), { maxLength: 30 }),
      async (style, events) => {
        const source = new GrowingSource(style);
        const follower = new Follower(source.site);
        follower.limits = { documents: style.documents };
        const seen = new Set<string>();
        const check = async () => {
          if (source.halfSince > 0) source.halfSince += 1;
          if (source.halfSince > 5) source.deploy(Number.POSITIVE_INFINITY);
          const collection = onlyCollection(await follower.read());
          if (collection.problem !== undefined) expect(collection.lists).toEqual([]);
          for (const change of reported(collection)) seen.add(change);
          follower.time += 86_400;
          return collection;
        };
        for (const event of events) {
          if (event === "change") source.change();
          else if (event === "close") source.close(follower.time);
          else if (event === "deploy") source.deploy(Number.POSITIVE_INFINITY);
          else if (event === "half a deploy") source.deploy(2);
          else if (event === "crash") await follower.peek();
          else await check();
        }
        source.deploy(Number.POSITIVE_INFINITY);
        for (let more = 0; more < 40; more += 1) await check();
        expect([...seen].sort()).toEqual([...source.reported].sort());
        expect(await check()).toMatchObject({ lists: [] });
      },
    ),
    { numRuns: 150 },
  );
});
