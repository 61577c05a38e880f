import type { OtherReader, Overview } from "../../check/reader.ts";
import type { Database } from "../../store/schema.ts";
import { findBesides } from "./find-lists.ts";
import { handOver } from "./hand-over.ts";
import { missingPages } from "./known-pages.ts";
import { remarksOn } from "./notices.ts";
import { confirmGone, pollingOf } from "./polling-row.ts";
import { readSite } from "./read-site.ts";
import { sourcePolling } from "./same-site.ts";

/** Follows sites by comparing the lists of their pages: Resource Lists and sitemaps. */
export const sitemapReader: OtherReader = {
  read: readSite,
  suggest: findBesides,
  sourceAt: sourcePolling,
  handOver,
  describe,
  choose: confirmGone,
};

/** Missing pages that are named, where a person decides whether they are gone. */
const MISSING = 50;

async function describe(
  database: Database,
  source: number,
  now: number,
): Promise<Overview | undefined> {
  const polling = await pollingOf(database, source);
  if (polling === undefined) return undefined;
  const { roots, pages, missing, awaits_confirmation } = polling;
  const some =
    awaits_confirmation === 1 ? await missingPages(database, source, now, MISSING) : undefined;
  return {
    addresses: JSON.parse(roots),
    pages,
    notes: remarksOn(polling),
    missing: some && { pages: missing, some: some.map(({ url }) => url).sort() },
  };
}
