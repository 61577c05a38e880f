import { numeral } from "@rs-emit/feeds";
import { IGNORED, type Ignored } from "../read/change.ts";
import type { Reading, RememberedDocument } from "../read/reading.ts";
import type { CollectionDecision } from "./decide-collections.ts";
import type { Redated } from "./result.ts";

/** What is said of a check: to followers, and to the author of a site. */

/** Collections that a notice names. */
const NAMED = 3;

/** Says that the logs of collections were re-dated. */
export function redatedNotice(
  collections: readonly CollectionDecision[],
  now: number,
): Redated | undefined {
  const some = collections.flatMap(({ row: { url }, memory }) => {
    const redated = memory?.selection.redated ?? 0;
    return redated === 0 ? [] : [{ url, redated }];
  });
  if (some.length === 0) return undefined;
  const changes = some.reduce((sum, { redated }) => sum + redated, 0);
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  const named = some.slice(0, NAMED).map(({ url }) => url);
  const others = some.length - NAMED;
  const which = named.join(", ") + (others > 0 ? ` and ${others} more` : "");
  const notice =
    `On ${day}, ${numeral(changes)} changes of ${which} had other dates than before. ` +
    "They look like changes that were reported before, and are not reported again.";
  return { changes, notice };
}

const IGNORED_TEXTS: Readonly<Record<Ignored, (changes: string) => string>> = {
  undated: (changes) => `${changes} without datetime were left out; --use-lastmod reads them.`,
  unknown: (changes) => `${changes} of an unknown kind were left out.`,
  foreign: (changes) => `${changes} of other hosts were left out.`,
  future: (changes) => `${changes} dated beyond tomorrow wait until their day has come.`,
};

const MOST_NOTES = 10;

/** Notes for the author; `undefined` if nothing was read that they could be about: the known ones stay. */
export function notesOn({ collections, documents }: Reading): readonly string[] | undefined {
  const left = IGNORED.flatMap((reason) => {
    const count = collections.reduce((sum, { ignored }) => sum + (ignored[reason] ?? 0), 0);
    const changes = `${numeral(count)} ${count === 1 ? "change" : "changes"}`;
    return count === 0 ? [] : [IGNORED_TEXTS[reason](changes)];
  });
  const named = collections.flatMap(({ notes = [] }) => notes);
  const notes = [...new Set([...left, ...named, ...documents.flatMap(missingLocs)])];
  const hasLists = collections.some(({ lists }) => lists.length > 0);
  return hasLists || notes.length > 0 ? notes.slice(0, MOST_NOTES) : undefined;
}

function missingLocs({ url, outline }: RememberedDocument): string[] {
  const { missingLocs = 0 } = outline ?? {};
  if (missingLocs === 0) return [];
  const [entries, were] = missingLocs === 1 ? ["entry", "was"] : ["entries", "were"];
  return [
    `${numeral(missingLocs)} ${entries} of ${url} without an address (loc) ${were} left out.`,
  ];
}
