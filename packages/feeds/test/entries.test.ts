import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ENTRY_MODES, type EntryMode, groupChanges } from "../src/entries.ts";
import { identify } from "../src/identity.ts";

const COLLECTION = "https://example.org/moss/";
const DAY = 86_400;
/** 2026-10-01T00:00:00Z */
const START = 1_790_812_800;

/** Changes of pages of their own, at seconds after the start. */
function changes(...seconds: readonly number[]) {
  const stated = seconds.map((second, at) => ({
    url: `${COLLECTION}${at}/`,
    kind: "updated" as const,
    datetime: START + second,
    isOfPublication: true,
  }));
  return identify(stated, COLLECTION);
}

/** The same, of a source that does not say what a publication is. */
const unsaid = (...seconds: readonly number[]) =>
  changes(...seconds).map((change) => ({ ...change, isOfPublication: false }));

const names = (...given: Parameters<typeof groupChanges>) =>
  groupChanges(...given).map(({ name, datetime, changes }) => [
    name,
    datetime - START,
    changes.length,
  ]);

describe("entries", () => {
  const some = changes(10, 20, DAY, 10, DAY + 0.25);

  test("one for each publication: the changes of one instant", () => {
    expect(names(some, "publication")).toEqual([
      ["2026-10-01T00:00:10Z", 10, 2],
      ["2026-10-01T00:00:20Z", 20, 1],
      ["2026-10-02T00:00:00Z", DAY, 1],
      ["2026-10-02T00:00:00.25Z", DAY + 0.25, 1],
    ]);
  });

  test("one for each day of the changes, in UTC", () => {
    expect(names(some, "day")).toEqual([
      ["2026-10-01", 20, 3],
      ["2026-10-02", DAY + 0.25, 2],
    ]);
  });

  test("one for each week from Monday on, and for each month", () => {
    const at = (date: string) => (Date.parse(date) - START * 1000) / 1000;
    const dates = ["2026-10-04", "2026-10-05", "2026-12-31", "2027-01-03", "2027-01-04"].map(at);
    const named = (mode: EntryMode) =>
      names(changes(...dates), mode).map(([name, , count]) => [name, count]);
    expect(named("week")).toEqual([
      ["2026-W40", 1],
      ["2026-W41", 1],
      ["2026-W53", 2],
      ["2027-W01", 1],
    ]);
    expect(named("month")).toEqual([
      ["2026-10", 2],
      ["2026-12", 1],
      ["2027-01", 2],
    ]);
  });

  test("one for each check; for a past that is read for the first time by day", () => {
    expect(names(some, "check")).toEqual([[some[0]?.identity, DAY + 0.25, 5]]);
    expect(names(some, "check", true)).toEqual(names(some, "day"));
  });

  test("one for each check where the source does not say what a publication is", () => {
    const twelve = unsaid(...Array.from({ length: 12 }, (_, at) => at * DAY));
    expect(names(twelve, "publication")).toEqual(names(twelve, "check"));
    expect(names(twelve, "publication")).toEqual([[twelve[0]?.identity, 11 * DAY, 12]]);
    expect(names(twelve, "publication", true)).toEqual(names(twelve, "day"));
  });

  test("both, where some lists say it and others do not", () => {
    const [adopted, older] = unsaid(10, 30);
    const [, , published] = changes(0, 0, 20);
    if (!adopted || !older || !published) throw new Error("three changes");
    const groups = groupChanges([adopted, published, older], "publication");
    expect(groups).toEqual([
      {
        name: "2026-10-01T00:00:20Z",
        datetime: START + 20,
        isCheck: false,
        changes: [published],
      },
      { name: adopted.identity, datetime: START + 30, isCheck: true, changes: [adopted, older] },
    ]);
  });

  test("one for each change, always", () => {
    expect(names(some, "change")).toHaveLength(5);
    expect(names(some, "change", true)).toEqual(names(some, "change"));
  });

  test("none of nothing", () => {
    expect(groupChanges([], "publication")).toEqual([]);
    expect(groupChanges([], "check")).toEqual([]);
  });

  test("one for each instant, however many there are", () => {
    const hours = Array.from({ length: 200 }, (_, at) => at * 3600);
    expect(names(changes(...hours), "publication").map(([, time]) => time)).toEqual(hours);
  });
});

describe("whatever changes come", () => {
  const seconds = fc.array(
    fc.oneof(fc.nat(5), fc.nat(30 * DAY), fc.double({ min: -1e13, max: 1e13, noNaN: true })),
    { maxLength: 150 },
  );
  const mode = fc.constantFrom(...ENTRY_MODES);

  test("each is in one group, and no two groups have one name", () => {
    fc.assert(
      fc.property(seconds, mode, fc.nat(), fc.boolean(), (times, mode, said, isPast) => {
        const given = changes(...times).map((change, at) => ({
          ...change,
          isOfPublication: ((said >> (at % 16)) & 1) === 1,
        }));
        const groups = groupChanges(given, mode, isPast);
        const told = groups.flatMap((group) => group.changes);
        expect(new Set(told)).toEqual(new Set(given));
        expect(told).toHaveLength(given.length);
        expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
      }),
    );
  });

  test("groups come in the order of time, with the time of their newest change", () => {
    fc.assert(
      fc.property(seconds, mode, (times, mode) => {
        const groups = groupChanges(changes(...times), mode);
        const newest = groups.map(({ datetime }) => datetime);
        expect(newest).toEqual(newest.toSorted((one, other) => one - other));
        for (const { datetime, changes } of groups) {
          expect(datetime).toBe(Math.max(...changes.map((change) => change.datetime)));
        }
      }),
    );
  });

  test("publications are the same in whatever order the changes come", () => {
    fc.assert(
      fc.property(seconds, (times) => {
        const given = changes(...times);
        expect(names(given.toReversed(), "publication")).toEqual(names(given, "publication"));
      }),
    );
  });

  test("publications are named alike by who reads all and by who reads the end", () => {
    fc.assert(
      fc.property(seconds, fc.nat(100), (times, count) => {
        const inOrder = changes(...times.toSorted((one, other) => one - other));
        const end = groupChanges(inOrder.slice(-count), "publication").map(({ name }) => name);
        const all = groupChanges(inOrder, "publication").map(({ name }) => name);
        if (count > 0) expect(all.slice(all.length - end.length)).toEqual(end);
      }),
    );
  });
});
