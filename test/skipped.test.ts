import { expect, test } from "vitest";
import { whySkipped } from "./skipped.ts";

test("one line says how many tests were skipped, and why", () => {
  const skipped = [
    { fullName: "a store, on PostgreSQL (without a server: X) > keeps a change" },
    { fullName: "rsync.md", note: "needs rsync" },
    { fullName: "a store, on PostgreSQL (without a server: X) > forgets it" },
    { fullName: "in a browser (skipped without /usr/bin/chromium) > shows (much)" },
    { fullName: "files (of root)" },
  ];
  expect(whySkipped(skipped)).toBe(
    "5: 2 without a server: X, 1 needs rsync, 1 without /usr/bin/chromium, 1 for reasons of their own",
  );
});
