import { relative } from "node:path";
import type { BackfillResult, PastOptions } from "@rs-emit/core/backfill";
import { count, type Look, list, numeral, pathOf, printable, wrap } from "@rs-emit/core/words";
import { asWord } from "../folder-name.ts";

/** The command for further changes: a second backfill would be refused. */
export function publishingOf({ folder, site }: BackfillResult): string {
  const typed = asWord(relative("", folder) || ".");
  return printable(`run npx rs-emit ${typed} --url ${site} (or build, where a plugin publishes)`);
}

/** The report of the next ordinary run, so that it does not surprise the author. */
export function describeNext(result: BackfillResult, look: Look): string[] {
  const { next, folder, site, dryRun } = result;
  if (dryRun) return [];
  if (next === undefined) {
    return [
      wrap(
        printable(
          `No page stands in ${folder} yet: build the site before you upload it. Our plugins for ` +
            "Eleventy and Astro keep the log. Any other build that empties the folder deletes it: then " +
            "copy the folder first, and let the next run read the log from the copy (--previous <copy>).",
        ),
        look.width,
      ),
    ];
  }
  if (next.length === 0) return [];
  const changes = next.map(({ kind, url }) => `${kind} ${pathOf(url, site)}`);
  const text =
    `The pages in ${folder} are not as in the last commit: the next run will report ` +
    `${count(next.length, "change")} (${list(changes)}).`;
  return [wrap(printable(text), look.width)];
}

/** `10 of 123 days built.` */
export function extentOf(
  { past: { commits, passedOver, skipped } }: BackfillResult,
  { build, every = "commit" }: PastOptions,
): string {
  const read = numeral(commits - skipped.length - passedOver);
  return `${read} of ${count(commits, every)} ${build === undefined ? "read" : "built"}.`;
}
