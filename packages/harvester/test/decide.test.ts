import { BusyError, NotFoundError, OptedOutError } from "@rs-emit/reader";
import { GoneError, MissingError } from "@rs-emit/reader/http/errors";
import { describe, expect, test } from "vitest";
import type { IdentifiedChange } from "../src/changes/identified.ts";
import { unseenIn } from "../src/changes/select-new.ts";
import { foundIn, placeCollections } from "../src/check/collections.ts";
import { decide } from "../src/check/decide.ts";
import type { Facts } from "../src/check/facts.ts";
import { DEFAULT_SETTINGS } from "../src/check/harvester.ts";
import type { KnownCollection } from "../src/check/known-changes.ts";
import type { Stored } from "../src/check/recall.ts";
import {
  type OtherSources,
  type SourceIdentity,
  sourceIdentityOf,
} from "../src/check/source-identity.ts";
import type { CollectionRow } from "../src/store/check/collection.ts";
import type { SourceRow } from "../src/store/source.ts";
import { type Lists, type More, readingOf, SITE } from "./support/readings.ts";

const NOW = 1_790_812_800;
const MINUTE = 60;
const DAY = 86_400;
const DESCRIPTION = `${SITE}.well-known/resourcesync`;

const SOURCE: SourceRow = {
  id: 1,
  address: SITE,
  host: "example.org",
  description_url: DESCRIPTION,
  site_key: DESCRIPTION.replace("https:", ""),
  state: "followed",
  description: null,
  name: null,
  interval: null,
  followed_at: NOW - DAY,
  listed_at: null,
  next_check: NOW,
  last_check: NOW - DAY,
  last_full: NOW - DAY,
  last_unconditional: NOW - DAY,
  wants_full: 0,
  last_success: NOW - DAY,
  last_change: null,
  failures: 0,
  unfinished_checks: 1,
  problem_code: null,
  problem: null,
  finding: null,
  notice: null,
  notes: null,
  moved_to: null,
  moved_sightings: 0,
  checks_without_news: 3,
  checks_kept: 7,
  polls_sitemap: 0,
  printed_entry: 0,
  followed_by: "log",
  condition: "well",
  condition_since: NOW - 9 * DAY,
  own_feed: null,
  lost_checks: 0,
  lost_at: null,
  searched_at: null,
};

const COLLECTION: CollectionRow = {
  id: 10,
  source_id: 1,
  key: "",
  url: SITE,
  first_url: SITE,
  base_url: SITE,
  capability_list_url: `${SITE}capabilitylist.xml`,
  topic: null,
  hub: null,
  description: null,
  known_from: NOW - 30 * DAY,
  has_changes: 1,
  is_whole: 1,
  is_listed: 1,
  is_compared: 0,
};

const NOTHING: Facts = {
  descriptionUrl: DESCRIPTION,
  reading: undefined,
  error: undefined,
  remembered: new Map(),
  busy: new Map(),
};

interface Case {
  readonly source?: Partial<SourceRow>;
  /** As the source was when the check began. */
  readonly before?: Partial<SourceRow>;
  readonly facts?: Partial<Facts>;
  readonly lists?: Lists;
  readonly more?: More;
  readonly known?: readonly CollectionRow[];
  readonly home?: Exclude<SourceIdentity, { readonly kind: "merged" }>;
}

const ALONE: OtherSources = {
  sites: new Map(),
  blocked: new Set(),
  duplicate: undefined,
  predecessor: undefined,
};

/** What is stored after a check. Nothing of the decision needs a database. */
function decided({ source, before, facts, lists, more, known = [COLLECTION], home }: Case) {
  const row = { ...SOURCE, ...source };
  const reading = lists === undefined ? undefined : readingOf(lists, more);
  const found: Facts = { ...NOTHING, reading, ...facts };
  const placed = placeCollections(1, reading?.collections ?? [], known, NOW);
  const collections = placed.map((one): KnownCollection => {
    const found = foundIn(one, new Map(), NOW);
    const unseen = unseenIn(found.listed, new Set());
    const memory = { unseen, gone: [], isLog: false, listedBefore: 0 };
    const { is_whole, known_from } = found.row;
    const isPast = ({ datetime }: IdentifiedChange) => is_whole === 0 && datetime < known_from;
    return { ...found, ...memory, isPast, listings: new Set(), isShrunk: false };
  });
  const nothing = { ...ALONE, handOver: undefined, reported: new Set<string>() };
  const stored: Stored = { source: row, collections, ...nothing };
  const check = { source: { ...row, ...before }, token: "t", facts: found };
  const circumstances = { settings: DEFAULT_SETTINGS, now: NOW, random: 0 };
  const own = { kind: "own", address: {} } as const;
  const { change } = decide(check, stored, home ?? own, undefined, circumstances);
  if (change === undefined) throw new Error("nothing is stored");
  return change;
}

const read = { "list.xml": [`created a/ ${NOW - 60}`] };
const gone = new GoneError(DESCRIPTION);
const missing = new MissingError(DESCRIPTION);
const optedOut = new OptedOutError(DESCRIPTION);

describe("a source is checked next", () => {
  test.each<[string, Case, SourceRow["state"], number | null]>([
    ["after a day, where nothing is new", {}, "followed", DAY],
    ["after its own interval", { source: { interval: 3600 } }, "followed", 3600],
    ["a minute after its first failure", { facts: { error: missing } }, "followed", MINUTE],
    [
      "later after each failure",
      { source: { failures: 2 }, facts: { error: missing } },
      "followed",
      16 * MINUTE,
    ],
    [
      "when its host allows",
      { facts: { error: new BusyError(SITE, 503, NOW + 7200) } },
      "followed",
      7200,
    ],
    ["never, where it is gone", { facts: { error: gone } }, "gone", null],
    ["a week after it opted out", { facts: { error: optedOut } }, "opted-out", 7 * DAY],
    ["again, where it is back", { source: { state: "gone" }, lists: read }, "followed", DAY],
    ["never, while it is paused", { source: { state: "paused" }, lists: read }, "paused", null],
    [
      "never, where its host is blocked",
      { lists: read, home: { kind: "blocked", host: "bad.example" } },
      "blocked",
      null,
    ],
    [
      "soon, where lists are left",
      { lists: read, more: { unread: ["more.xml"], unreadLists: 1 } },
      "followed",
      30,
    ],
    [
      "in a minute, where it was asked for meanwhile",
      { source: { wants_full: 1 }, before: { wants_full: 0 } },
      "followed",
      MINUTE,
    ],
  ])("%s", (_, one, state, pause) => {
    const { end } = decided(one);
    expect(end.state).toBe(state);
    expect(end.next_check).toBe(pause === null ? null : NOW + pause);
  });
});

describe("a check", () => {
  test.each<[string, Case, Partial<SourceRow>]>([
    [
      "without news is counted",
      {},
      { checks_without_news: 4, checks_kept: 7, unfinished_checks: 0 },
    ],
    ["with news is remembered", { lists: read }, { checks_without_news: 0, checks_kept: 8 }],
    [
      "that fails is remembered, and keeps what was known",
      { facts: { error: missing } },
      { checks_kept: 8, failures: 1, problem_code: "MISSING", last_success: NOW - DAY },
    ],
    [
      "that finds no documents knows that there is no Change List any more",
      { facts: { error: new NotFoundError({ page: SITE, places: [SITE] }) } },
      { followed_by: null, condition: "troubled", problem_code: "NO_SOURCE" },
    ],
    ["with changes knows when", { lists: read }, { last_change: NOW }],
    [
      "says what was left out",
      { lists: read, more: { ignored: { undated: 2 } } },
      {
        notes:
          '["2 changes without datetime were left out; --use-lastmod reads those with lastmod."]',
      },
    ],
    [
      "says it of one change, and what is wrong with its time",
      { lists: read, more: { ignored: { misdated: 1, foreign: 1, future: 1 } } },
      {
        notes: JSON.stringify([
          "1 change with a datetime that cannot be read was left out: it is written like 2026-10-01T12:00:00Z.",
          "1 change of other hosts was left out.",
          "1 change dated beyond tomorrow waits until its day has come.",
        ]),
      },
    ],
  ])("%s", (_, one, end) => {
    expect(decided(one).end).toMatchObject(end);
  });
});

describe("of a collection", () => {
  const names = ({ logs }: ReturnType<typeof decided>) =>
    logs.flatMap(({ entries }) =>
      entries.map(({ changes }) => changes.map(({ kind, url }) => `${kind} ${url}`)),
    );
  const created = [[`created ${SITE}a/`]];

  test.each<[string, Case, string[][]]>([
    ["what is new is reported", { lists: read }, created],
    [
      "nothing is, where its site is blocked",
      { lists: read, home: { kind: "blocked", host: "x" } },
      [],
    ],
    [
      "older changes are, though they are late",
      { lists: { "list.xml": [`created a/ ${NOW - 90 * DAY}`] } },
      created,
    ],
    [
      "what is older than thirty days is not, at the first reading",
      {
        lists: { "list.xml": [`created a/ ${NOW - 60}`, `created b/ ${NOW - 31 * DAY}`] },
        known: [],
      },
      created,
    ],
    [
      "the newest day is, at a first reading without recent changes",
      { lists: { "list.xml": [`created a/ ${NOW - 90 * DAY}`] }, known: [] },
      created,
    ],
  ])("%s", (_, one, entries) => {
    expect(names(decided(one))).toEqual(entries);
  });

  test("that is not named any more, the feed stays", () => {
    const other = { key: "shrine/", url: `${SITE}shrine/`, capabilityListUrl: `${SITE}s.xml` };
    const { logs } = decided({ lists: read, more: other });
    expect(logs.map(({ before, row }) => [before?.id, row.key, row.is_listed])).toEqual([
      [undefined, "shrine/", 1],
      [10, "", 0],
    ]);
  });
});

describe("a source whose Source Description was found", () => {
  const fresh = { ...SOURCE, description_url: null, site_key: null };
  const FOUND = expect.objectContaining({ description_url: DESCRIPTION });
  const neighbours = (more: Partial<OtherSources> = {}): OtherSources => ({ ...ALONE, ...more });
  const owner = (state: SourceRow["state"]) => new Map([[SOURCE.site_key ?? "", { id: 2, state }]]);
  const home = (some: OtherSources) => sourceIdentityOf({ source: fresh, ...some }, NOTHING);

  test("takes its place", () => {
    const some = neighbours();
    expect(home(some)).toMatchObject({ address: { description_url: DESCRIPTION } });
  });

  test("ends where the site's lists were compared so far, and gives it the place", () => {
    expect(home(neighbours({ predecessor: 7 }))).toEqual({
      kind: "merged",
      into: 7,
      revive: true,
      address: FOUND,
    });
    // Where the site is known, it stays where it is.
    const known = neighbours({ predecessor: 7, sites: owner("followed") });
    expect(home(known)).toMatchObject({ into: 2, revive: false });
  });

  test.each<[string, OtherSources, SourceIdentity]>([
    [
      "ends where another one is the same site",
      neighbours({ sites: owner("followed") }),
      { kind: "merged", into: 2, revive: false, address: FOUND },
    ],
    [
      "has that one checked again, where it was given up",
      neighbours({ sites: owner("gone") }),
      { kind: "merged", into: 2, revive: true, address: FOUND },
    ],
    [
      "ends where another one compares the same list",
      neighbours({ duplicate: 5 }),
      { kind: "merged", into: 5, revive: false },
    ],
    [
      "is blocked with its host",
      neighbours({ blocked: new Set(["example.org"]) }),
      { kind: "blocked", host: "example.org" },
    ],
  ])("%s", (_, some, expected) => {
    expect(home(some)).toEqual(expected);
  });

  const MOVED = "https://example.net/.well-known/resourcesync";
  test.each<[string, number, string, boolean]>([
    ["stays at a redirect that was seen twice", 1, "https://example.net/", false],
    ["moves with one that was seen three times", 2, "https://example.net/", true],
    ["stays while its documents name the old host", 2, SITE, false],
  ])("%s", (_, moved_sightings, url, isMoved) => {
    const reading = readingOf({}, { movedTo: MOVED, url, capabilityListUrl: `${url}c.xml` });
    const source = { ...SOURCE, moved_to: MOVED, moved_sightings };
    const facts = { ...NOTHING, reading };
    const after = sourceIdentityOf({ source, ...neighbours() }, facts);
    expect(after).toMatchObject({
      address: isMoved
        ? { description_url: MOVED, host: "example.net", moved_to: null }
        : { moved_to: MOVED, moved_sightings: moved_sightings + 1 },
    });
  });
});
