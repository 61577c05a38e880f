import type { CollectionReading } from "../read/reading.ts";
import type { SourceReading } from "./record-readings.ts";

/**
 * The ids of remembered documents that a source's Source Description leads to no longer: a source may rename
 * its lists as often as it likes. None where a part of the source was not looked at.
 */
export function unnamedDocuments({
  reading,
  descriptions,
  remembered,
}: Pick<SourceReading, "reading" | "descriptions" | "remembered">): number[] {
  if (!reading.collections.every(isWhole)) return [];
  const known = new Map([...remembered].map(([url, { outline }]) => [url, outline]));
  for (const { url, outline } of [...reading.documents, ...descriptions.documents]) {
    known.set(url, outline);
  }
  const lists = reading.collections.flatMap(({ listUrls }) => listUrls);
  const named = new Set([reading.descriptionUrl, ...lists]);
  for (const url of named) {
    const { entries = [], links = [] } = known.get(url) ?? {};
    for (const { loc } of entries) named.add(loc);
    for (const { href } of [...links, ...entries.flatMap((entry) => entry.links ?? [])]) {
      named.add(href);
    }
  }
  return [...remembered.values()].filter(({ url }) => !named.has(url)).map(({ id }) => id);
}

/** Whether all of a collection was looked at: what is missing was judged. */
function isWhole({ problem, unreadLists }: CollectionReading): boolean {
  return problem === undefined && unreadLists === 0;
}

/** Collections that a notice names; the others it counts. */
const NAMED = 3;

/** What followers are told when changes have vanished that were told before. */
export function rewrittenNotice(collections: readonly string[], now: number): string {
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  const others = collections.length - NAMED;
  const rest = others > 0 ? ` and ${others} more` : "";
  const which = collections.slice(0, NAMED).join(", ") + rest;
  return (
    `On ${day} the past of ${which} had been rewritten: changes told before were no longer ` +
    "there. Only what is newer than those is told."
  );
}
