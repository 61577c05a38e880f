import type { BackfillResult, PastOptions } from "@rs-emit/core/backfill";
import { count, numeral } from "@rs-emit/core/words";

/** `10 of 123 days built.` */
export function extentOf(
  { past: { commits, passedOver, skipped } }: BackfillResult,
  { build, every = "commit" }: PastOptions,
): string {
  const read = numeral(commits - skipped.length - passedOver);
  return `${read} of ${count(commits, every)} ${build === undefined ? "read" : "built"}.`;
}
