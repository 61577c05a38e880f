import { numeral } from "@rs-emit/feeds";
import type { Transaction } from "kysely";
import type { Description } from "../model.ts";
import type { Ignored } from "../read/change.ts";
import type { CollectionReading, Reading, RememberedDocument } from "../read/reading.ts";
import { updateCollections } from "../store/collection.ts";
import { forgetDocuments } from "../store/document.ts";
import type { Schema } from "../store/schema.ts";
import { afterwards, prepare, type SelectedWork } from "./collection-work.ts";
import type { FeedWriter } from "./feed-writer.ts";
import { withoutCompared } from "./handover.ts";
import type { Harvester } from "./harvester.ts";
import type { Redated, SourceReading } from "./outcome.ts";
import { selectAndRemember } from "./selection.ts";

export interface SourceNews {
  readonly told: number;
  readonly redated: Redated | undefined;
  readonly notes: readonly string[] | undefined;
  readonly description: Description | undefined;
}

/** Selects and records what is new, with as many statements for one source as for hundreds. */
export async function recordReadings(
  transaction: Transaction<Schema>,
  readings: readonly SourceReading[],
  harvester: Harvester,
  feeds: FeedWriter,
): Promise<ReadonlyMap<number, SourceNews>> {
  const changed = readings.filter(hasNews);
  if (changed.length === 0) return new Map();
  const works = await prepare(transaction, changed, harvester.now(), feeds);
  const selected = await selectAndRemember(transaction, works, harvester.now());
  const tellable = await withoutCompared(
    transaction,
    selected.map(({ row, selection }) => ({ row, changes: selection.changes })),
  );
  const told = await feeds.write(tellable);
  await updateCollections(transaction, selected.map(afterwards), []);
  await forgetDocuments(transaction, changed.flatMap(unnamedDocuments));
  const ofSource = Map.groupBy(selected, ({ of }) => of);
  return new Map(
    changed.map((one): [number, SourceNews] => {
      const own = ofSource.get(one) ?? [];
      return [
        one.source.id,
        {
          told: own.reduce((sum, { row }) => sum + (told.get(row.id) ?? 0), 0),
          redated: redatedIn(own, harvester.now()),
          notes: newNotes(one),
          description: one.descriptions.source,
        },
      ];
    }),
  );
}

/** `undefined` if nothing was read that notes could be about: the known ones stay. */
function newNotes(one: SourceReading): readonly string[] | undefined {
  const notes = notesOn(one.reading);
  return hasLists(one) || notes.length > 0 ? notes : undefined;
}

function hasLists({ reading }: SourceReading): boolean {
  return reading.collections.some(({ lists }) => lists.length > 0);
}

function hasNews({ reading, descriptions }: SourceReading): boolean {
  const { source, collections, documents } = descriptions;
  const isRead = reading.documents.length > 0 || documents.length > 0;
  return isRead || source !== undefined || collections.size > 0;
}

/** A source may rename its lists often. Empty after a partial reading. */
function unnamedDocuments({ reading, descriptions, remembered }: SourceReading): number[] {
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

function isWhole({ problem, unreadLists }: CollectionReading): boolean {
  return problem === undefined && unreadLists === 0;
}

const NAMED = 3;

function redatedIn(works: readonly SelectedWork[], now: number): Redated | undefined {
  const some = works.filter(({ selection }) => selection.redated > 0);
  if (some.length === 0) return undefined;
  const changes = some.reduce((sum, { selection }) => sum + selection.redated, 0);
  const day = new Date(now * 1000).toISOString().slice(0, 10);
  const named = some.slice(0, NAMED).map(({ reading }) => reading.url);
  const others = some.length - NAMED;
  const which = named.join(", ") + (others > 0 ? ` and ${others} more` : "");
  const notice =
    `On ${day}, ${changes.toLocaleString("en")} changes of ${which} had other dates than before. ` +
    "They look like changes that were reported before, and are not reported again.";
  return { changes, notice };
}

const WORDS: Readonly<Record<Ignored, (changes: string) => string>> = {
  undated: (changes) => `${changes} without datetime were left out; --use-lastmod reads them.`,
  unknown: (changes) => `${changes} of an unknown kind were left out.`,
  foreign: (changes) => `${changes} of other hosts were left out.`,
  future: (changes) => `${changes} dated beyond tomorrow wait until their day has come.`,
};

const MOST = 10;

function notesOn({
  collections,
  documents,
}: Pick<Reading, "collections" | "documents">): readonly string[] {
  const counts = new Map<Ignored, number>();
  for (const { ignored } of collections) {
    for (const reason of REASONS) {
      const count = ignored[reason];
      if (count !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + count);
    }
  }
  const left = [...counts].map(([reason, count]) =>
    WORDS[reason](`${count.toLocaleString("en")} ${count === 1 ? "change" : "changes"}`),
  );
  const named = collections.flatMap(({ notes = [] }) => notes);
  return [...new Set([...left, ...named, ...documents.flatMap(missingLocs)])].slice(0, MOST);
}

function missingLocs({ url, outline }: RememberedDocument): string[] {
  const { missingLocs = 0 } = outline ?? {};
  if (missingLocs === 0) return [];
  const [entries, were] = missingLocs === 1 ? ["entry", "was"] : ["entries", "were"];
  return [
    `${numeral(missingLocs)} ${entries} of ${url} without an address (loc) ${were} left out.`,
  ];
}

const REASONS: readonly Ignored[] = ["undated", "unknown", "foreign", "future"];
