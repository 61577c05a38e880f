import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { enter, type Occasion } from "../src/enter/entries.ts";
import { entryTag, everythingTag, feedTag } from "../src/enter/tags.ts";
import { identify } from "../src/take/identity.ts";

const COLLECTION = "https://example.org/moss/";
const DAY = 86_400;
/** 2026-10-01T00:00:00Z */
const START = 1_790_812_800;
const NOW = START + 10 * DAY;

const LATER: Occasion = {
  mode: "check",
  isFirst: false,
  withMinor: false,
  collection: COLLECTION,
  now: NOW,
};

/** Changes at seconds after the start. */
function changes(...seconds: readonly number[]) {
  const stated = seconds.map((second, at) => ({
    url: `${COLLECTION}${at}/`,
    kind: "updated" as const,
    datetime: START + second,
    isMinor: false,
  }));
  return identify({ url: "list", from: undefined, changes: stated }, COLLECTION);
}

const times = (entries: ReturnType<typeof enter>) =>
  entries.map(({ published, updated, changes }) => [
    published - START,
    updated - START,
    changes.map(({ datetime }) => datetime - START),
  ]);

describe("entries", () => {
  const taken = changes(10, 20, DAY, DAY + 5);

  test("one for each check, at its time", () => {
    expect(times(enter(taken, LATER))).toEqual([[10 * DAY, 10 * DAY, [10, 20, DAY, DAY + 5]]]);
  });

  test("one for each change", () => {
    expect(enter(taken, { ...LATER, mode: "change" })).toHaveLength(4);
  });

  test("one for each day of the changes", () => {
    const entries = enter(taken, { ...LATER, mode: "day" });
    expect(times(entries)).toEqual([
      [10 * DAY, 10 * DAY, [10, 20]],
      [10 * DAY, 10 * DAY, [DAY, DAY + 5]],
    ]);
    expect(entries.map(({ tag }) => tag)).toEqual([
      "tag:example.org,2026:rs-harvest/moss/2026-10-01",
      "tag:example.org,2026:rs-harvest/moss/2026-10-02",
    ]);
  });

  test.each(["check", "day", "change"] as const)(
    "for a past that is read for the first time by day, at their own times (%s)",
    (mode) => {
      expect(times(enter(taken, { ...LATER, mode, isFirst: true }))).toEqual([
        [20, 20, [10, 20]],
        [DAY + 5, DAY + 5, [DAY, DAY + 5]],
      ]);
    },
  );

  test("never of the future", () => {
    const [entry] = enter(changes(11 * DAY), { ...LATER, isFirst: true });
    expect(entry?.updated).toBe(NOW);
  });

  test("none of minor changes alone, unless asked for", () => {
    const minor = taken.map((change) => ({ ...change, isMinor: true }));
    expect(enter(minor, LATER)).toEqual([]);
    expect(enter(minor, { ...LATER, withMinor: true })[0]?.changes).toHaveLength(4);
    expect(enter([], LATER)).toEqual([]);
  });

  test("have ids of their own, which depend on nothing but what they tell", () => {
    const ids = enter(taken, { ...LATER, mode: "change" }).map(({ tag }) => tag);
    expect(new Set(ids).size).toBe(4);
    expect(enter(taken, { ...LATER, mode: "change", now: NOW + 5 }).map(({ tag }) => tag)).toEqual(
      ids,
    );
  });
});

test("ids are tags by RFC 4151, whatever the URL", () => {
  const tag =
    /^tag:[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?,\d{4}(?:-\d\d){0,2}:(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9A-F]{2})*$/;
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.webUrl().map((url) => url.replace(/\/\/[^/]+/, "//[::1]:8080")),
      (one, other) => {
        for (const url of [one, other]) {
          expect(entryTag(url, "2026-10-01")).toMatch(tag);
          expect(feedTag(url, "source")).toMatch(tag);
          expect(everythingTag(url)).toMatch(tag);
        }
      },
    ),
  );
});

test("ids of sites on one host are told apart by port and path", () => {
  const urls = ["http://a.test/", "http://a.test:81/", "http://a.test:82/", "http://a.test/x/"];
  expect(new Set(urls.map((url) => entryTag(url, "2026-10-01"))).size).toBe(4);
  expect(feedTag("https://a.test/", "source")).toBe(feedTag("http://a.test/", "source"));
});
