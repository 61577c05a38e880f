import { entryTitle, pageGroups, worth } from "@rs-emit/feeds";
import { entriesOf } from "../store/queries/entries.ts";
import type { Database } from "../store/schema.ts";

/** New entries of a site that are looked at, the newest ones. */
const MOST = 20;

/** No document refers to what a terminal shows. */
const NO_PLACES = { document: () => undefined, everything: { id: "", page: undefined } };

/**
 * The title of the new entry of a source that says most: the author's words before new pages, new pages before quotes.
 * @param since the id of the last entry that is not new
 */
export async function bestNews(
  database: Database,
  source: number,
  since: number,
): Promise<string | undefined> {
  const range = { first: 1, last: Number.MAX_SAFE_INTEGER, most: MOST };
  const listed = await entriesOf(database, `source/${source}`, range, NO_PLACES);
  const [best] = listed
    .filter(({ id, entry }) => id > since && entry.changes.length > 0)
    .map(({ entry }) => pageGroups(entry))
    .map((groups) => ({ groups, rank: rankOf(groups) }))
    .sort((one, other) => other.rank - one.rank);
  return best && entryTitle(best.groups);
}

const WORDS = 4;

function rankOf(groups: ReturnType<typeof pageGroups>): number {
  const ranks = groups.flatMap(({ group, pages }) =>
    pages.map(({ best }) => {
      const own = worth(best);
      if (own === WORDS) return WORDS + 1;
      return group === "new" ? WORDS : own;
    }),
  );
  return Math.max(0, ...ranks);
}
