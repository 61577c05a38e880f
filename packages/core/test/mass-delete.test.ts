import { expect, test } from "vitest";
import type { Difference } from "../src/derive/differences.ts";
import { refuseMassDelete } from "../src/derive/mass-delete.ts";
import type { Inventory, WithheldReason } from "../src/model.ts";

const SITE = "https://example.org/";

test.each([
  ["20 of 20", 20, 20, false],
  ["21 of 21", 21, 21, true],
  ["21 of 41", 21, 41, true],
  ["21 of 42, which is half", 21, 42, false],
  ["500 of 2,000", 500, 2000, false],
])("%s pages gone", (_, gone, known, stops) => {
  const run = () => refuseMassDelete(deletions(gone, false), known, inventory());
  if (stops) expect(run).toThrow(`${gone} of the ${known} known pages are gone`);
  else expect(run).not.toThrow();
});

/** A build for testing hides every page; an option that leaves pages out was meant. */
test.each<[WithheldReason, boolean]>([
  ["noindex", true],
  ["redirect", true],
  ["excluded", false],
  ["opted-out", false],
])("pages that stand, and are withheld by %s", (reason, stops) => {
  const run = () => refuseMassDelete(deletions(30, true), 30, inventory(reason));
  if (stops) expect(run).toThrow("--allow-mass-delete");
  else expect(run).not.toThrow();
});

function deletions(count: number, minor: boolean): Difference[] {
  return urls(count).map((url) => ({
    ...{ url, minor, kind: "deleted", collection: SITE, publishedAt: 0 },
    resource: undefined,
    before: { url },
  }));
}

function inventory(reason?: WithheldReason): Inventory {
  const pages = reason === undefined ? [] : urls(30).map((url) => ({ url, reason, file: url }));
  return {
    resources: [],
    withheld: pages,
    outside: [],
    stale: [],
    leftOut: [],
    unmatched: [],
    missing: [],
  };
}

function urls(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${SITE}${at}.html`);
}
