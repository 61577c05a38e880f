import type { ChangeKind } from "@rs-emit/documents";

export const DAY = 86_400;
/** UTC seconds: the begin of a day. */
export const BEGIN = 1_000 * DAY;

/** Numbers from 0 up to 1, the same for each run (xorshift). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}

/** What happened to a page. */
export interface PageEvent {
  readonly id: number;
  /** UTC seconds: when the author published it. */
  readonly published: number;
  /** UTC seconds: when it happened, or what the author says of that. */
  readonly datetime: number;
  readonly page: string;
  readonly kind: ChangeKind;
  /** Names its bytes; empty for a deletion. */
  readonly bytes: string;
}

export interface Author {
  readonly days: number;
  readonly pages?: number;
  readonly perDay?: number;
  /** Share of the publications that are dated up to five days back. */
  readonly late?: number;
  /** Share of the publications that have many changes. */
  readonly bulk?: number;
  /** Share of the publications that merge a branch: many changes, one after the other, in the days before. */
  readonly merges?: number;
}

/** What an author does, in order. A page may get its former bytes again. */
export function pageEvents(
  random: Random,
  { days, pages = 30, perDay = 5, late = 0, bulk = 0, merges = 0 }: Author,
): PageEvent[] {
  const events: PageEvent[] = [];
  const living = new Set<string>();
  const versions = new Map<string, string[]>();
  const bytesOf = (page: string, count: number) => {
    const before = versions.get(page) ?? [];
    versions.set(page, before);
    const former = (count * 37) % 100 < 15 ? before.at(-2) : undefined;
    const bytes = former ?? `b${count}`;
    before.push(bytes);
    return bytes;
  };
  let time = BEGIN;
  for (;;) {
    time += (-Math.log(1 - random()) * DAY) / perDay;
    if (time >= BEGIN + days * DAY) return events;
    const published = Math.floor(time);
    const isMerge = merges > 0 && random() < merges;
    const count = isMerge ? 12 + Math.floor(random() * 15) : changesAtOnce(random, bulk);
    const back = !isMerge && random() < late ? Math.floor(random() * 5 * DAY) : 0;
    const ages = Array.from({ length: isMerge ? count : 0 }, () => random() * 5 * DAY);
    ages.sort((one, other) => other - one);
    const touched = new Set<string>();
    for (let at = 0; at < count; at += 1) {
      const page = `p${Math.floor(random() * pages)}`;
      if (touched.has(page)) continue;
      if (!isMerge) touched.add(page);
      const kind = !living.has(page) ? "created" : random() < 0.12 ? "deleted" : "updated";
      if (kind === "deleted") living.delete(page);
      else living.add(page);
      const id = events.length;
      const bytes = kind === "deleted" ? "" : bytesOf(page, events.length + 1);
      const datetime = published - Math.floor(ages[at] ?? back);
      events.push({ id, published, datetime, page, kind, bytes });
    }
  }
}

function changesAtOnce(random: Random, bulk: number): number {
  if (random() < bulk) return 12 + Math.floor(random() * 15);
  return random() < 0.2 ? 2 + Math.floor(random() * 3) : 1;
}
