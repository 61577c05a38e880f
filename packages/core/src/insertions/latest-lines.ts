import { urlKey } from "@rs-emit/documents";
import { calledByName, isNumbered, worth } from "@rs-emit/feeds";
import type { Change } from "../model/log.ts";
import type { ValidQuotes } from "../page/texts/valid-quotes.ts";

/** One line of a list: a change, or all pages that a publication removed. */
export type LatestLine = readonly [Change, ...Change[]];

/**
 * The newest news of each page. In a publication new pages come first, then updates (most news first), then
 * moved pages, then deleted ones.
 * @param log in pieces, newest first, each in log order; read only as far as needed
 */
export async function latestLines(
  log: AsyncIterable<readonly Change[]>,
  limit: number,
  validQuotes: ValidQuotes,
): Promise<readonly LatestLine[]> {
  const seen = new Set<string>();
  const lines: LatestLine[] = [];
  let publication: Change[] = [];
  const end = () => {
    for (const change of publication) keepNew(lines, change);
    lines.push(...linesOf(publication, seen));
  };
  for await (const piece of log) {
    for (const change of piece.toReversed()) {
      if (change.minor) continue;
      if (change.datetime !== publication[0]?.datetime) {
        end();
        if (lines.length >= limit) return lines.slice(0, limit);
        publication = [];
      }
      publication.push(calledByName({ ...change, quotes: validQuotes(change) }));
    }
  }
  end();
  return lines.slice(0, limit);
}

/** A page that was created in the time of the list stays new there. */
function keepNew(lines: LatestLine[], { kind, url, moved }: Change): void {
  if (kind !== "created" || moved !== undefined) return;
  const key = urlKey(url);
  const at = lines.findIndex(([line]) => line.kind === "updated" && urlKey(line.url) === key);
  const line = lines[at]?.[0];
  if (line !== undefined) lines[at] = [{ ...line, kind: "created" }];
}

/** @param seen present URL keys of pages in newer lines; this call adds its pages */
function linesOf(publication: readonly Change[], seen: Set<string>): LatestLine[] {
  const known = new Set([...seen, ...publication.map(({ url }) => urlKey(url))]);
  const told = publication.filter(({ url, kind, moved }) => {
    const key = urlKey(url);
    const isNewest = !seen.has(key);
    seen.add(key);
    // A moved page is reported at its new place.
    return isNewest && !(kind === "deleted" && moved !== undefined && known.has(urlKey(moved)));
  });
  const gone = told.filter((change) => groupRank(change) === GONE).sort(byUrl);
  const others = told.filter((change) => groupRank(change) !== GONE);
  const [first, ...more] = gone;
  return [
    ...others.sort(bestFirst).map((change): LatestLine => [change]),
    ...(first === undefined ? [] : [[first, ...more] as const]),
  ];
}

const GONE = 3;

function groupRank({ kind, moved }: Change): number {
  if (moved !== undefined) return 2;
  return { created: 0, updated: 1, deleted: GONE }[kind];
}

function bestFirst(one: Change, other: Change): number {
  return groupRank(one) - groupRank(other) || worthOf(other) - worthOf(one) || byUrl(one, other);
}

function worthOf({ message, quotes, title }: Change): number {
  return worth({ words: message, quotes, title });
}

/** Numbered pages of a list come last, as in the feed. */
function byUrl(one: Change, other: Change): number {
  const numbered = Number(isNumbered(one.url)) - Number(isNumbered(other.url));
  if (numbered !== 0) return numbered;
  return one.url < other.url ? -1 : 1;
}
