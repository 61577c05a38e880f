import { lineOf } from "@rs-emit/feeds";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { proves } from "../../../conformance/proves.ts";
import type { Transport } from "../../reader/src/http/transport.ts";
import type { ListedChange } from "../../reader/src/model.ts";
import type { ReadingOptions } from "../../reader/src/read/read-source.ts";
import { READING_LIMITS } from "../../reader/src/read/reading-limits.ts";
import { changed, type TestEntry } from "../../reader/test/support/documents.ts";
import { Follower, onlyCollection, reported } from "../../reader/test/support/follower.ts";
import { shrineSite } from "../../reader/test/support/single-list.ts";
import { notesOn } from "../src/check/notices.ts";

const NOON = 1_790_856_000;

async function changesOf(
  entries: readonly (string | TestEntry)[],
  options: Partial<ReadingOptions> = {},
) {
  const follower = new Follower(shrineSite(entries));
  follower.options = { ...follower.options, ...options };
  const collection = onlyCollection(await follower.read());
  expect(collection.problem).toBeUndefined();
  const changes = collection.lists.flatMap((list) => list.changes);
  const ignored = Object.values(collection.ignored).reduce((sum, count) => sum + count, 0);
  return { changes, ignored };
}

async function changeOf(entry: string | TestEntry): Promise<ListedChange> {
  const { changes } = await changesOf([entry]);
  if (changes[0] === undefined) throw new Error("ignored");
  return changes[0];
}

describe("IFCC-0001: what must be ignored is counted", () => {
  test.each<[string, TestEntry]>([
    ["no datetime", { loc: "a", lastmod: "2026-10-01", md: { change: "updated" } }],
    ["a datetime that is none", changed("updated a yesterday")],
    ["an empty datetime", changed("updated a")],
    ["a day that does not exist", changed("updated a 2026-02-30")],
    ["an unknown change", changed("renamed a 2026-10-01")],
    ["a change in capitals", changed("Updated a 2026-10-01")],
    ["no change", { loc: "a", md: { datetime: "2026-10-01" } }],
    ["no metadata at all", { loc: "a" }],
    ["another host", changed("updated https://other.example/a 2026-10-01")],
    ["a host in disguise", changed("updated https://example.org@other.example/a 2026-10-01")],
    ["a part of the host's name", changed("updated https://sub.example.org/a 2026-10-01")],
    ["another scheme", changed("updated ftp://example.org/a 2026-10-01")],
    ["a script", changed("updated javascript:alert(1) 2026-10-01")],
    ["no address", changed("updated https://[ 2026-10-01")],
    ["an endless address", changed(`updated /${"a".repeat(READING_LIMITS.url)} 2026-10-01`)],
  ])("%s", proves("I47", "I48"), async (_, entry) => {
    const { changes, ignored } = await changesOf(["created b 2026-10-01", entry]);
    expect(changes.map(({ url }) => url)).toEqual(["https://example.org/shrine/b"]);
    expect(ignored).toBe(1);
  });
});

describe("a change that is dated ahead is read when its day is near", () => {
  test.each([
    ["with validators", true],
    ["without validators", false],
  ])("from a list that stays as it is, %s", async (_, hasValidators) => {
    const entries = ["created a 2026-10-01", "created b 2026-10-20"];
    const site = shrineSite(entries);
    const get: Transport["get"] = (url, validators) =>
      site.get(url, hasValidators ? validators : undefined);
    const follower = new Follower({ get });
    const seen: string[] = [];
    const day = (date: number) => Date.UTC(2026, 9, date) / 1000;
    for (follower.time = day(16); follower.time <= day(21); follower.time += 43_200) {
      const news = reported(onlyCollection(await follower.read()));
      seen.push(...news.map((one) => `${new Date(follower.time * 1000).toISOString()} ${one}`));
    }
    expect(seen).toEqual([
      "2026-10-16T00:00:00.000Z created shrine/a",
      "2026-10-19T00:00:00.000Z created shrine/a",
      "2026-10-19T00:00:00.000Z created shrine/b",
    ]);
  });
});

describe("ResourceSync 0.9.1: changes are dated by lastmod, where that is asked for", () => {
  test.each<[string, TestEntry, number | undefined]>([
    ["by lastmod", { loc: "a", lastmod: "2026-10-01T12:00:00Z", md: { change: "updated" } }, NOON],
    [
      "datetime goes before",
      { ...changed("updated a 2026-10-01T12:00:00Z"), lastmod: "2020" },
      NOON,
    ],
    [
      "a datetime that is none does not",
      { ...changed("updated a soon"), lastmod: "2020" },
      undefined,
    ],
    ["neither of them", { loc: "a", md: { change: "updated" } }, undefined],
  ])("%s", async (_, entry, datetime) => {
    const { changes, ignored } = await changesOf([entry], { useLastmod: true });
    expect(changes.map((change) => change.datetime)).toEqual(
      datetime === undefined ? [] : [datetime],
    );
    expect(ignored).toBe(datetime === undefined ? 1 : 0);
  });
});

test("a note says why a change has no time, and gives no advice that was followed", async () => {
  const follower = new Follower(
    shrineSite([changed("updated a soon"), { loc: "b", md: { change: "updated" } }]),
  );
  const reading = await follower.read();
  expect(notesOn({ address: reading.descriptionUrl }, reading, { useLastmod: true })).toEqual([
    "1 change without datetime and lastmod was left out.",
    "1 change with a datetime that cannot be read was left out: it is written like 2026-10-01T12:00:00Z.",
  ]);
});

describe("datetimes of any precision", () => {
  test.each([
    ["2026-10-01T12:00:00Z", NOON],
    ["2026-10-01T14:00:00+02:00", NOON],
    ["2026-10-01T12:00Z", NOON],
    ["2026-10-01T12:00:00.25Z", NOON + 0.25],
    ["2026-10-01", NOON - 43_200],
    ["2026-10", NOON - 43_200],
    ["2026", 1_767_225_600],
    ["0050-01-01", -60_589_296_000],
  ])("%s", async (text, datetime) => {
    expect(await changeOf(changed(`updated a ${text}`))).toMatchObject({ datetime });
  });
});

describe("URLs are the source's, as it spells them", () => {
  test.each([
    ["https://example.org/shrine/a%2fb?c=%C3%A9#d", "https://example.org/shrine/a%2fb?c=%C3%A9#d"],
    ["http://EXAMPLE.org:8080/a", "http://EXAMPLE.org:8080/a"],
    ["https://www.example.org/a", "https://www.example.org/a"],
    ["https://example.org/é/日本", "https://example.org/é/日本"],
    ["a/b", "https://example.org/shrine/a/b"],
    ["/a", "https://example.org/a"],
    ["//example.org/a", "https://example.org/a"],
    ["example.org/shrine/a", "https://example.org/shrine/a"],
    ["www.example.org/a", "https://www.example.org/a"],
    ["EXAMPLE.org", "https://example.org/"],
    ["example.org:8080/a", "https://example.org:8080/a"],
    ["example.organic/a", "https://example.org/shrine/example.organic/a"],
    ["a/example.org/", "https://example.org/shrine/a/example.org/"],
    ["https:\\\\example.org\\a", "https://example.org/a"],
    ["https://example.org/a‮b", "https://example.org/a%E2%80%AEb"],
    ['https://example.org/"x"', "https://example.org/%22x%22"],
  ])("%s", async (loc, url) => {
    expect(await changeOf(changed(`updated ${loc} 2026-10-01`))).toMatchObject({ url });
  });
});

describe("what a change carries", () => {
  const of = (more: Readonly<Record<string, string>>) =>
    changeOf(changed("updated a 2026-10-01T12:00:00Z", more));

  test("the title, the author's words, digests, lastmod, and whether it is minor", async () => {
    const entry = changed("updated a 2026-10-01T12:00:00Z", {
      hash: " md5:AB\n  sha-256:cd ",
      "dcterms:title": "  The\n Shrine ",
      "dcterms:description": "New\tphotos",
      "wiki:importance": "minor",
    });
    expect(await changeOf({ ...entry, lastmod: "2026-09-30" })).toEqual({
      url: "https://example.org/shrine/a",
      kind: "updated",
      datetime: NOON,
      lastmod: NOON - 43_200 - 86_400,
      hash: "md5:AB sha-256:cd",
      title: "The Shrine",
      words: "New photos",
      isMinor: true,
    });
  });

  test.each([
    ["an empty title", { "dcterms:title": " " }],
    ["empty words", { "dcterms:description": "" }],
    ["an empty hash", { hash: " " }],
    ["an endless hash", { hash: `md5:${"a".repeat(READING_LIMITS.hash)}` }],
    ["another importance", { "wiki:importance": "major" }],
    ["attributes nobody knows", { profile: "x", encoding: "y" }],
  ])("%s is left out", async (_, more) => {
    const { url, kind, datetime, isMinor, ...others } = await of(more);
    expect(Object.values(others).every((value) => value === undefined)).toBe(true);
    expect([url, kind, datetime, isMinor]).not.toContain(undefined);
  });

  test.each(["2026-10-01 12:00:00", "2026-10-01T12:00:00+0000", "2026-10-01 14:00:00 +0200"])(
    "the time that %s means",
    async (datetime) => {
      const entry = changed("updated a 2026-10-01", { datetime });
      expect(await changeOf(entry)).toMatchObject({ datetime: NOON });
    },
  );

  test("long words end within the bound", async () => {
    const { title = "", words = "" } = await of({
      "dcterms:title": "t".repeat(1000),
      "dcterms:description": "w ".repeat(5000),
    });
    expect(title).toHaveLength(READING_LIMITS.title);
    expect(words.length).toBeLessThanOrEqual(READING_LIMITS.words);
    expect(words.endsWith("w…")).toBe(true);
  });

  test("a line is bounded, has no breaks, and no half of a character", () => {
    const words = fc.string({ unit: "grapheme", maxLength: 60 });
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 40 }), (text, longest) => {
        const one = lineOf(text, longest);
        expect(one.length).toBeLessThanOrEqual(longest);
        expect(one.isWellFormed()).toBe(text.isWellFormed() || one.isWellFormed());
        expect(one).not.toMatch(/[\n\r\t\0]|^\s|\s$|\s\s/);
        expect(lineOf(one, longest)).toBe(one);
      }),
    );
  });
});

test("many entries are read in their order", async () => {
  const entries = Array.from({ length: 3000 }, (_, at) => `created ${at} 2026-10-01`);
  const { changes } = await changesOf(entries);
  expect(changes.map(({ url }) => Number(url.split("/").at(-1)))).toEqual([...entries.keys()]);
});
