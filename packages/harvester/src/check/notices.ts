import { count, list, plural } from "@rs-emit/documents";
import { utcDay } from "@rs-emit/feeds";
import { plainNotice, type Reading, type RememberedDocument } from "@rs-emit/reader";
import { IGNORED, type Ignored } from "@rs-emit/reader/read/reading-result";
import type { Selection } from "../changes/select-new.ts";
import type { SourceRow } from "../store/source.ts";

/** What is said of a check, to followers and to the author of a site: on its page, in its feed and by the command. */

/** Collections that a notice names. */
const NAMED = 3;

interface RedatedCollection extends Pick<Selection, "replaced"> {
  readonly row: { readonly url: string };
}

/** A check that found a re-dated log. */
export interface Redated {
  /** Changes that are not reported, since they look like changes with other dates that were reported before. */
  readonly changes: number;
  /** For followers. */
  readonly notice: string;
}

/** Says that the logs of collections were re-dated. */
export function redatedNotice(
  collections: readonly RedatedCollection[],
  now: number,
): Redated | undefined {
  const some = collections
    .map(({ row: { url }, replaced }) => ({ url, redated: replaced.size }))
    .filter(({ redated }) => redated > 0);
  if (some.length === 0) return undefined;
  const changes = some.reduce((sum, { redated }) => sum + redated, 0);
  const which = list(
    some.map(({ url }) => url),
    NAMED,
  );
  const notice =
    `On ${utcDay(now)}, ${count(changes, "change")} of ${which} had other dates than before. ` +
    "They look like changes that were reported before, and are not reported again.";
  return { changes, notice };
}

type IgnoredText = (changes: number, useLastmod: boolean) => string;

const IGNORED_TEXTS: Readonly<Record<Ignored, IgnoredText>> = {
  undated: (changes, useLastmod) =>
    useLastmod
      ? `${leftOut(changes, "without datetime and lastmod")}.`
      : `${leftOut(changes, "without datetime")}; --use-lastmod reads those with lastmod.`,
  misdated: (changes) =>
    `${leftOut(changes, "with a datetime that cannot be read")}: it is written like 2026-10-01T12:00:00Z.`,
  unknown: (changes) =>
    `${leftOut(changes, "of an unknown kind")}: a change is created, updated or deleted, and an index of lists a sitemapindex.`,
  foreign: (changes) => `${leftOut(changes, "of other hosts")}.`,
  future: (changes) =>
    `${count(changes, "change")} dated beyond tomorrow ` +
    `${plural(changes, "waits until its", "wait until their")} day has come.`,
};

function leftOut(changes: number, which: string): string {
  return `${count(changes, "change")} ${which} ${plural(changes, "was", "were")} left out`;
}

const MOST_NOTES = 10;

/** Notes for the author; `undefined` if nothing was read that they could be about: the known ones stay. */
export function notesOn(
  { address }: Pick<SourceRow, "address">,
  { descriptionUrl, collections, documents }: Reading,
  { useLastmod }: { readonly useLastmod: boolean },
): readonly string[] | undefined {
  const left = IGNORED.flatMap((reason) => {
    const changes = collections.reduce((sum, { ignored }) => sum + (ignored[reason] ?? 0), 0);
    return changes === 0 ? [] : [IGNORED_TEXTS[reason](changes, useLastmod)];
  });
  const named = collections.flatMap(({ notes = [] }) => notes);
  const plain = plainNotice(address ?? "", descriptionUrl) ?? [];
  const notes = [...new Set([...left, ...named, ...documents.flatMap(missingLocs)].concat(plain))];
  const hasLists = collections.some(({ lists }) => lists.length > 0);
  return hasLists || notes.length > 0 ? notes.slice(0, MOST_NOTES) : undefined;
}

function missingLocs({ url, summary }: RememberedDocument): string[] {
  const { missingLocs = 0 } = summary ?? {};
  if (missingLocs === 0) return [];
  const entries = count(missingLocs, "entry", "entries");
  const were = plural(missingLocs, "was", "were");
  return [`${entries} of ${url} without an address (loc) ${were} left out.`];
}
