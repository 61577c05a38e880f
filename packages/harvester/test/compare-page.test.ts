import { describe, expect, test } from "vitest";
import {
  type AuthorChange,
  type Belief,
  comparePage,
  countPage,
  type KnownPage,
  NO_PAGES,
  type PagePair,
} from "../src/readers/sitemap/compare-page.ts";
import type { ListedPage } from "../src/readers/sitemap/list-contents.ts";

const NOW = 1000;
const [ONE, OTHER] = [1, 2];

const LISTED: ListedPage = {
  key: "k",
  url: "https://example.org/a",
  list: ONE,
  lastmod: 10,
  hash: null,
};
const KNOWN: KnownPage = { ...LISTED, moves: 0, missing_since: null };

interface Case extends Partial<Belief> {
  readonly known?: Partial<KnownPage> | "new";
  readonly now?: Partial<ListedPage> | "missing" | "same";
  readonly unread?: readonly number[];
  readonly baseline?: readonly number[];
  readonly author?: AuthorChange;
}

function pairOf({ known = {}, now = {} }: Case): PagePair {
  return {
    known: known === "new" ? undefined : { ...KNOWN, ...known },
    now: now === "same" ? undefined : now === "missing" ? now : { ...LISTED, ...now },
  };
}

function rulesOf({ unread = [], baseline = [], author }: Case) {
  const changes = new Map(author === undefined ? [] : [["k", author]]);
  return { unread: new Set(unread), baseline: new Set(baseline), author: changes, now: NOW };
}

function verdict(one: Case) {
  const { areDatesBelieved = true, goneSince, forgottenSince } = one;
  return comparePage(pairOf(one), rulesOf(one), { areDatesBelieved, goneSince, forgottenSince });
}

describe("a page", () => {
  test.each<[string, Case, string | undefined]>([
    ["that is new is created", { known: "new" }, "created"],
    [
      "of a list that is read for the first time is not",
      { known: "new", baseline: [ONE] },
      undefined,
    ],
    ["with a later date is updated", { now: { lastmod: 20 } }, "updated"],
    ["with an earlier date is not", { now: { lastmod: 5 } }, undefined],
    ["without a date is not", { now: { lastmod: null } }, undefined],
    [
      "is not, where dates are not believed",
      { now: { lastmod: 20 }, areDatesBelieved: false },
      undefined,
    ],
    [
      "is not, whose date moves at every check",
      { known: { moves: 3 }, now: { lastmod: 20 } },
      undefined,
    ],
    [
      "with another hash is updated, whatever its date says",
      { known: { hash: "md5:a" }, now: { hash: "md5:b", lastmod: 5 }, areDatesBelieved: false },
      "updated",
    ],
    [
      "with the same hash is not, whatever its date says",
      { known: { hash: "md5:a" }, now: { hash: "md5:a", lastmod: 20 } },
      undefined,
    ],
    [
      "with a hash of another algorithm is compared by its date",
      { known: { hash: "md5:a" }, now: { hash: "sha256:b", lastmod: 20 } },
      "updated",
    ],
    [
      "in two lists keeps the date of the one that was not read",
      { now: { list: OTHER, lastmod: 20 }, unread: [ONE] },
      undefined,
    ],
    ["that moved to another list is compared", { now: { list: OTHER, lastmod: 20 } }, "updated"],
    ["that is missing waits", { now: "missing", goneSince: NOW - 86_400 }, undefined],
    [
      "that has been missing for long is deleted",
      { known: { missing_since: 5 }, now: "same", goneSince: 5 },
      "deleted",
    ],
    ["that is missing waits for a person", { known: { missing_since: 5 }, now: "same" }, undefined],
    [
      "that is missing longer than a person is waited for is not",
      { known: { missing_since: 5 }, now: "same", forgottenSince: 5 },
      undefined,
    ],
    ["that is back is as it was", { known: { missing_since: 5 }, goneSince: 5 }, undefined],
    [
      "that is back may be updated",
      { known: { missing_since: 5 }, now: { lastmod: 20 } },
      "updated",
    ],
  ])("%s", (_, one, kind) => {
    expect(verdict(one)).toMatchObject({ kind, isUnreported: kind !== undefined });
  });

  test.each<[string, Case, Partial<KnownPage> | undefined]>([
    ["in its list is known from there", { known: { missing_since: 5 } }, { missing_since: null }],
    ["keeps its latest date", { now: { lastmod: 5 } }, { lastmod: 10 }],
    ["keeps a hash that is not said any more", { known: { hash: "md5:a" } }, { hash: "md5:a" }],
    [
      "counts how often its date moves",
      { now: { lastmod: 20 }, known: { moves: 2 } },
      { moves: 3 },
    ],
    ["begins anew when it does not", { now: "same", known: { moves: 2 } }, { moves: 0 }],
    [
      "was missed by a clock that was ahead is missing from now on",
      { now: "same", known: { missing_since: NOW + 100 * 86_400 } },
      { missing_since: NOW },
    ],
    ["is missing from now on", { now: "missing" }, { missing_since: NOW }],
    [
      "is forgotten that a person was waited for",
      { known: { missing_since: 5 }, now: "same", forgottenSince: 5 },
      undefined,
    ],
    [
      "is forgotten that the author reported as deleted",
      { now: "missing", author: { kind: "deleted", at: 5 } },
      undefined,
    ],
  ])("%s", (_, one, page) => {
    if (page === undefined) expect(verdict(one).page).toBeUndefined();
    else expect(verdict(one).page).toMatchObject(page);
  });

  test.each<[string, Case, boolean]>([
    ["updated before that", { now: { lastmod: 20 }, author: { kind: "updated", at: 30 } }, false],
    ["updated after that", { now: { lastmod: 40 }, author: { kind: "updated", at: 30 } }, true],
    ["created before that", { known: "new", author: { kind: "created", at: 30 } }, false],
  ])("that the author reported is news if it was %s", (_, one, isUnreported) => {
    expect(verdict(one).isUnreported).toBe(isUnreported);
  });
});

test.each<[string, Case, object]>([
  ["a later date", { now: { lastmod: 20 } }, { moved: 1 }],
  [
    "a date that always moves",
    { known: { moves: 3 }, now: { lastmod: 20 } },
    { moved: 0, moving: 1 },
  ],
  ["a page that is missing", { now: "missing" }, { missing: 1, unconfirmed: 1 }],
  [
    "one that a person knows to be missing",
    { known: { missing_since: 5 }, now: "same" },
    { missing: 1, unconfirmed: 0 },
  ],
  ["a new page", { known: "new" }, NO_PAGES],
])("counted is %s", (_, one, counts) => {
  expect(countPage(NO_PAGES, pairOf(one), rulesOf(one), 500)).toMatchObject(counts);
});
