import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
} from "./support/documents.ts";
import { Follower, onlyCollection, told } from "./support/follower.ts";
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
  readonly told: string[] = [];
  readonly #lists: string[][] = [[]];
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
    this.#lists.at(-1)?.push(`created ${this.told.length} 2026-10-01`);
    this.told.push(`created ${this.told.length}`);
  }

  close(): void {
    this.#lists.push([]);
  }

  /** @param most files that arrive, the index first: whoever comes then sees a deploy midway */
  deploy(most: number): void {
    const { untilIn, hash, isFickle, isNewestFirst } = this.#style;
    const files = this.#lists.map((changes, at) => {
      const isClosed = at < this.#lists.length - 1;
      const until = isClosed && untilIn !== "index" ? { until: "2026-10-01" } : {};
      return { name: `${at}.xml`, isClosed, body: changeList(changes, until) };
    });
    const entries = files.map(({ name, isClosed, body }) => ({
      loc: name,
      md: {
        ...(isClosed && untilIn !== "list" ? { until: "2026-10-01" } : {}),
        ...(hash === undefined
          ? {}
          : {
              hash: `${hash === "md5" ? "md5" : "sha-256"}:${createHash(hash).update(body).digest("hex")}`,
            }),
      },
    }));
    const index = changeListIndex(isNewestFirst ? entries.toReversed() : entries);
    const all = [{ name: "index.xml", body: index }, ...files.toReversed()];
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
          const collection = onlyCollection(await follower.read());
          if (collection.problem !== undefined) expect(collection.lists).toEqual([]);
          for (const change of told(collection)) seen.add(change);
          follower.time += 86_400;
          return collection;
        };
        for (const event of events) {
          if (event === "change") source.change();
          else if (event === "close") source.close();
          else if (event === "deploy") source.deploy(Number.POSITIVE_INFINITY);
          else if (event === "half a deploy") source.deploy(2);
          else if (event === "crash") await follower.peek();
          else await check();
        }
        source.deploy(Number.POSITIVE_INFINITY);
        for (let more = 0; more < 40; more += 1) await check();
        expect([...seen].sort()).toEqual([...source.told].sort());
        expect(await check()).toMatchObject({ lists: [] });
      },
    ),
    { numRuns: 150 },
  );
});
