import type { ListedChange } from "@rs-emit/reader";
import { describe, expect, test } from "vitest";
import { type IdentifiedChange, identifiedIn, resourceKey } from "../src/changes/identified.ts";
import type { GoneChange } from "../src/changes/redated.ts";
import { type KnownChanges, selectNew, unseenIn } from "../src/changes/select-new.ts";
import { PlainMemory } from "./log-model/memory.ts";
import { DAY } from "./log-model/pages.ts";
import type { ListRead } from "./log-model/transports.ts";
import type { LogEntry } from "./log-model/versions.ts";

const COLLECTION = "https://example.org/";
const NOTHING: Memory = {
  seen: new Set(),
  gone: [],
  listedBefore: 0,
  isLog: true,
  isPast: () => false,
};

interface Memory extends Omit<KnownChanges, "listed" | "unseen"> {
  readonly seen: ReadonlySet<string>;
}

/** What is selected of a reading, and what is not seen of it. */
function select(listed: readonly IdentifiedChange[], { seen, ...memory }: Memory) {
  const unseen = unseenIn(listed, seen);
  return { unseen, ...selectNew({ ...memory, listed, unseen }) };
}

/** A change in a few signs: `created a 10`, with a hash `updated a 20 #1`, or `updated a 20 #1,md5:2`. */
function listed(...texts: readonly string[]): IdentifiedChange[] {
  const changes = texts.map((text): ListedChange => {
    const [kind = "", page = "", datetime = "", hash] = text.split(" ");
    if (kind !== "created" && kind !== "updated" && kind !== "deleted") throw new Error(text);
    return {
      url: `${COLLECTION}${page}`,
      kind,
      datetime: Number(datetime),
      isMinor: false,
      ...(hash === undefined ? {} : { hash: hash.replace("#", "sha-256:").replace(",", " ") }),
    };
  });
  return identifiedIn({ url: "list", changes }, COLLECTION);
}

function reported({ changes }: { changes: readonly IdentifiedChange[] }): string[] {
  return changes.map(
    ({ kind, url, datetime }) => `${kind} ${url.slice(COLLECTION.length)} ${datetime}`,
  );
}

/** A memory of a list that listed these changes. */
function after(before: readonly IdentifiedChange[], more: Partial<Memory> = {}): Memory {
  return { ...NOTHING, seen: new Set(before.map(({ identity }) => identity)), ...more };
}

/** A memory of a list that listed these changes, and states of them no more than some. */
function without(
  before: readonly IdentifiedChange[],
  more: Partial<Memory> = {},
  standing: readonly IdentifiedChange[] = [],
): Memory {
  const newestOfList = Math.max(...before.map(({ datetime }) => datetime));
  const left = new Set(standing.map(({ identity }) => identity));
  const gone = before
    .filter(({ identity }) => !left.has(identity))
    .map((change): GoneChange => {
      const { hash = null } = change;
      return { ...change, hash, resource: resourceKey(change), newestOfList };
    });
  return after(before, { gone, listedBefore: before.length, ...more });
}

/** This text for as many pages as a re-dated log has. */
function many(text: string, count = 11): string[] {
  return Array.from({ length: count }, (_, page) => text.replace(" p ", ` p${page} `));
}

/** So many changes of one page, from this time on. */
function times(text: string, start: number): string[] {
  return Array.from({ length: 11 }, (_, second) => `${text} ${start + second}`);
}

describe("what is taken of a log", () => {
  const LOG = listed("created a 10", "created b 20", "updated a 30");

  test("everything, the oldest first, of one that was never seen", () => {
    expect(reported(select(LOG.toReversed(), NOTHING))).toEqual([
      "created a 10",
      "created b 20",
      "updated a 30",
    ]);
  });

  test("nothing that was seen, wherever it stands now", () => {
    const taken = select(LOG, after(LOG));
    expect(taken.changes).toEqual([]);
    expect(taken.unseen).toEqual([]);
  });

  test("what is new, and what is late", () => {
    const late = listed("created c 15");
    const fresh = listed("deleted b 40");
    const taken = select([...LOG, ...late, ...fresh], after(LOG));
    expect(reported(taken)).toEqual(["created c 15", "deleted b 40"]);
  });

  test("one change once, though two lists tell it", () => {
    expect(reported(select([...LOG, ...LOG], NOTHING))).toHaveLength(3);
  });

  test("nothing from before it was followed, though that is remembered", () => {
    const taken = select(LOG, { ...NOTHING, isPast: ({ datetime }) => datetime < 20 });
    expect(reported(taken)).toEqual(["created b 20", "updated a 30"]);
    expect(taken.unseen).toHaveLength(3);
  });

  test.each([
    ["an update with the hash of the last one", ["updated a 10 #1"], ["updated a 20 #1"]],
    ["a second deletion", ["deleted a 10"], ["deleted a 20"]],
    ["what is older than all that was seen", ["updated a 30", "updated b 40"], ["updated a 20"]],
  ])("%s, whatever else is gone", (_, before, now) => {
    const known = listed(...before);
    expect(reported(select([...known, ...listed(...now)], after(known)))).toEqual(
      now.map((text) => text.replace(/ #.*/, "")),
    );
    const others = listed(...many("created p 5"));
    expect(reported(select(listed(...now), without(others)))).toHaveLength(1);
  });
});

describe("a re-dated log", () => {
  const before = listed(...many("created p 10"), "updated z 50");
  const now = (text: string, count?: number) => listed(...many(text, count), "updated z 50");

  test("is not told again, is remembered, and is counted", () => {
    const taken = select(now("created p 11"), without(before));
    expect(taken.changes).toEqual([]);
    expect(taken.unseen).toHaveLength(11);
    expect(taken.replaced.size).toBe(11);
  });

  test.each<[string, string, Partial<Memory>]>([
    ["changes are of another kind", "updated p 11", {}],
    ["they are newer than all that the list had listed", "created p 50", {}],
    ["they have digests that were never listed", "created p 11 #new", {}],
    ["the list named no page twice: it has pages, not changes", "created p 11", { isLog: false }],
    ["most of the list stands", "created p 11", { listedBefore: 22 }],
    ["nothing is gone", "created p 11", { gone: [] }],
  ])("is none where %s", (_, text, more) => {
    const taken = select(now(text), without(before, more));
    expect(reported(taken)).toHaveLength(11);
    expect(taken.replaced.size).toBe(0);
  });

  test.each([
    ["ten changes or fewer: they may be other ones", many("created p 10", 10), "created p 11"],
    [
      "ten pages or fewer: the logs of few pages are alike",
      times("updated p0", 10),
      "updated p 30",
    ],
  ])("is told where it has %s", (_, texts, text) => {
    const all = listed(...texts, "updated z 50");
    const some = text.includes(" p ") ? many(text, 10) : times("updated p0", 30);
    const taken = select(listed(...some, "updated z 50"), without(all));
    expect(taken.changes).toHaveLength(some.length);
  });

  test("replaces each gone change once", () => {
    const taken = select(listed(...many("created p 11"), ...many("created p 12")), without(before));
    expect(taken.replaced.size).toBe(11);
    expect(reported(taken)).toEqual(many("created p 12"));
  });

  test("tells what comes with it, and is new", () => {
    const taken = select([...now("created p 11"), ...listed("created q 11")], without(before));
    expect(reported(taken)).toEqual(["created q 11"]);
  });

  test("is none where a list gives way to fewer and older changes with digests of their own", () => {
    const first = listed(...many("updated p 20 #1"), ...many("updated p 40 #2"));
    const merged = listed(...many("updated p 30 #3"));
    expect(select(merged, without(first)).changes).toHaveLength(11);
  });
});

describe("the digest that a gone change listed for a page", () => {
  const before = listed(...many("updated p 10 #1"));
  const again = listed(...many("created p 90 #1"));

  test("is a change that was told, whatever its date and kind", () => {
    const taken = select(again, without(before, { isLog: false }));
    expect(taken.replaced.size).toBe(11);
    expect(taken.changes).toEqual([]);
  });

  test("is none where that change still stands", () => {
    expect(select([...before, ...again], after(before)).changes).toHaveLength(11);
  });

  test.each([
    ["other bytes came between, and stand", true],
    ["other bytes came between, and are gone", false],
  ])("is none where %s", (_, isStanding) => {
    const between = listed(...many("updated p 20 #2"));
    const standing = isStanding ? between : [];
    const memory = without([...before, ...between], { isLog: false }, standing);
    expect(select([...standing, ...again], memory).changes).toHaveLength(11);
  });

  test("is an older change of the log, where the change has a date among those of the log", () => {
    const all = [...before, ...listed(...many("updated p 20 #2"), "updated z 50")];
    const moved = listed(...many("updated p 12 #1"), ...many("updated p 22 #2"), "updated z 50");
    expect(select(moved, without(all)).changes).toEqual([]);
  });

  test("proves a re-dated log, of which deletions are told once, too", () => {
    const all = [...before, ...listed("deleted q 12")];
    const now = listed(...many("updated p 90 #1"), "deleted q 91");
    expect(select(now, without(all, { isLog: false })).changes).toEqual([]);
    const few = [...before.slice(1), ...listed("deleted q 12")];
    const less = listed(...many("updated p 90 #1"), "deleted q 91").slice(1);
    expect(select(less, without(few, { isLog: false })).changes).toHaveLength(11);
  });
});

/** What is told of readings of these lists, one after the other: how much of each. */
function toldOf(readings: readonly Readonly<Record<string, readonly string[]>>[]): number[] {
  const memory = new PlainMemory();
  return readings.map((reading) => {
    const lists = Object.entries(reading).map(([name, texts]): [string, ListRead] => {
      const entries = texts.map((text, id): LogEntry => {
        const [page = "", day = "", hash = ""] = text.split(" ");
        return { id, page, kind: "updated", datetime: Number(day) * DAY, hash };
      });
      return [name, { entries, isClosed: false, isPartial: false }];
    });
    const named = Object.keys(reading);
    return memory.take({ now: 100 * DAY, lists: new Map(lists), named, unread: 0 }).changes.length;
  });
}

describe("equal changes", () => {
  const days = [1, 2, 3].map((day) => `z ${day}`);
  const pages = ["a 5", "b 5", "c 5", "d 5", "e 5"];

  test.each<[string, number[], Parameters<typeof toldOf>[0]]>([
    [
      "on one day in two lists are two",
      [4, 1],
      [{ one: ["a 3", ...days] }, { one: ["a 3", ...days], two: ["a 3"] }],
    ],
    [
      "on one day in two lists that are read at once are two",
      [2],
      [{ one: ["a 3"], two: ["a 3"] }],
    ],
    [
      "are told once more for each more that a list has",
      [1, 1, 0, 1],
      [{ one: ["a 3"] }, { one: ["a 3", "a 3"] }, { one: ["a 3"] }, { one: ["a 3", "a 3", "a 3"] }],
    ],
    [
      "that go over to another list are the same",
      [2, 0],
      [{ now: ["a 3", "b 3"] }, { past: ["a 3", "b 3"] }],
    ],
    [
      "with one more where a list goes over are one more",
      [1, 1],
      [{ now: ["a 3"] }, { past: ["a 3"], now: ["a 3"] }],
    ],
    [
      "of two days in two lists are the same: the lists overlap",
      [3, 0],
      [{ one: days }, { one: days, two: days }],
    ],
    [
      "of one day, which are most of a list, are the same",
      [5, 0],
      [{ one: pages }, { one: pages, two: pages }],
    ],
    [
      "with a time are the same in every list",
      [1, 0],
      [{ one: ["a 3.5"] }, { one: ["a 3.5"], two: ["a 3.5"] }],
    ],
    [
      "with another digest are others, and are known when they come back",
      [1, 1, 0, 0],
      [{ one: ["a 3 x"] }, { one: ["a 3 y"] }, { one: ["a 3 x"] }, { one: ["a 3 y"] }],
    ],
    [
      "with a time and another digest are others",
      [1, 1],
      [{ one: ["a 3.5 x"] }, { one: ["a 3.5 y"] }],
    ],
    [
      "with the digest of a later change are the same",
      [1, 1, 1],
      [{ one: ["a 3 x"] }, { one: ["a 3 y", "a 4 y"] }, { one: ["a 3 z", "a 4 z", "a 5 z"] }],
    ],
  ])("%s", (_, counts, readings) => {
    expect(toldOf(readings)).toEqual(counts);
  });
});
