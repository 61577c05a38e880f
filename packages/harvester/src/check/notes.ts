import type { Ignored } from "../read/change.ts";
import type { CollectionReading } from "../read/reading.ts";

const WORDS: Readonly<Record<Ignored, (changes: string) => string>> = {
  undated: (changes) => `${changes} without datetime were left out; --use-lastmod reads them.`,
  unknown: (changes) => `${changes} of an unknown kind were left out.`,
  foreign: (changes) => `${changes} of other hosts were left out.`,
  future: (changes) => `${changes} dated beyond tomorrow wait until their day has come.`,
};

/** Notes that are kept of a source at most. */
const MOST = 10;

/** What the author of a source should know although it could be read. */
export function notesOn(collections: readonly CollectionReading[]): readonly string[] {
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
  return [...new Set([...left, ...collections.flatMap(({ notes = [] }) => notes)])].slice(0, MOST);
}

const REASONS: readonly Ignored[] = ["undated", "unknown", "foreign", "future"];
