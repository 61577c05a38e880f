import { type EntryMode, eventOf, extract, groupChanges } from "@rs-emit/feeds";
import type { IdentifiedChange } from "../changes/select-new.ts";
import type { NewChange, NewEntry } from "../store/entry.ts";

/** How changes become entries. */
export interface EntryRules {
  readonly mode: EntryMode;
  readonly withMinor: boolean;
  /** They are from before the first reading. */
  readonly isPast: boolean;
  /** What the harvester says of each entry. */
  readonly note?: string | undefined;
  /** UTC seconds. */
  readonly now: number;
}

type Shown = IdentifiedChange & NewChange;

/**
 * Groups new changes into entries.
 *
 * @param source its id
 * @param reported what entries report already, as `source event`: a page may be in two collections of a source. What these
 * entries report is added.
 */
export function entriesOf(
  changes: readonly IdentifiedChange[],
  source: number,
  reported: Set<string>,
  { mode, withMinor, isPast, note, now }: EntryRules,
): NewEntry[] {
  const repeats = new Set<Shown>();
  const shown: Shown[] = [];
  for (const change of changes) {
    if (change.isMinor && !withMinor) continue;
    const one = { ...change, event: eventOf(change) };
    const name = `${source} ${one.event}`;
    if (reported.has(name)) repeats.add(one);
    reported.add(name);
    shown.push(one);
  }
  return groupChanges(shown, mode, isPast).map(({ name, datetime, isCheck, changes }) => {
    const own = extract(changes);
    const news = changes.filter((change) => !repeats.has(change));
    const joint = news.length === changes.length ? own : extract(news);
    return { name, time: isCheck ? now : Math.min(datetime, now), note, changes, own, joint };
  });
}

/** An entry without changes, which says something of its collection. */
export function announcement(note: string, now: number): NewEntry {
  const nothing = extract([]);
  return { name: "watch", time: now, note, changes: [], own: nothing, joint: nothing };
}
