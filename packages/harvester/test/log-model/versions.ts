import { BEGIN, DAY, type PageEvent, type Random } from "./pages.ts";

/** An entry of a Change List. */
export interface LogEntry extends Pick<PageEvent, "id" | "page" | "kind" | "datetime"> {
  /** A name for the digest; empty where the list states none. */
  readonly hash: string;
}

export interface LogList {
  readonly entries: readonly LogEntry[];
  readonly isClosed: boolean;
}

/** What a source serves from a time on. */
export interface Version {
  /** UTC seconds. */
  readonly time: number;
  /** By name. */
  readonly lists: ReadonlyMap<string, LogList>;
  /** An index names the lists, and says which are closed. */
  readonly hasIndex: boolean;
}

/** Makes every version of a log, the oldest first. */
export type Source = (random: Random, days: number) => Version[];

export type Published = (
  events: readonly PageEvent[],
  time: number,
) => Pick<Version, "lists" | "hasIndex">;

/** A version for each publication, and for each of `more` times. */
export function versions(
  events: readonly PageEvent[],
  publish: Published,
  more: readonly number[] = [],
): Version[] {
  const times = new Set([...events.map(({ published }) => published), ...more]);
  return [...times]
    .sort((one, other) => one - other)
    .map((time) => ({
      time,
      ...publish(
        events.filter(({ published }) => published <= time),
        time,
      ),
    }));
}

export function entry({ id, page, kind, datetime, bytes }: PageEvent): LogEntry {
  return { id, page, kind, datetime, hash: bytes };
}

export function withoutHash(one: PageEvent): LogEntry {
  return { ...entry(one), hash: "" };
}

export function single(entries: readonly LogEntry[]): Pick<Version, "lists" | "hasIndex"> {
  return { lists: new Map([["list", { entries, isClosed: false }]]), hasIndex: false };
}

/** A list for each week, by the time of publication; all but the newest are closed. */
export function weekly(
  events: readonly PageEvent[],
  entryOf: (one: PageEvent) => LogEntry,
  time: number,
  prefix = "w",
): Pick<Version, "lists" | "hasIndex"> {
  const nameAt = (at: number) => prefix + Math.floor(at / (7 * DAY));
  const byName = Map.groupBy(events, ({ published }) => nameAt(published));
  const newest = nameAt(time);
  const names = new Set([...byName.keys(), newest]);
  const lists = [...names].map((name): [string, LogList] => {
    const entries = (byName.get(name) ?? []).map(entryOf);
    return [name, { entries, isClosed: name !== newest }];
  });
  return { lists: new Map(lists), hasIndex: true };
}

/** A list for each so many entries, as they were published; all but the newest are closed. */
export function split(
  entries: readonly LogEntry[],
  most: number,
  kept = Number.POSITIVE_INFINITY,
): Pick<Version, "lists" | "hasIndex"> {
  const lists = new Map<string, LogList>();
  for (let start = 0; start < entries.length; start += most) {
    const isClosed = start + most < entries.length;
    lists.set(`part${start / most}`, { entries: entries.slice(start, start + most), isClosed });
  }
  return { lists: new Map([...lists].slice(-kept)), hasIndex: true };
}

/** The last entry of each page, in the order of the first ones. */
export function lastOfEach(entries: readonly LogEntry[]): LogEntry[] {
  return [...new Map(entries.map((one) => [one.page, one])).values()];
}

function dayOf(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

/** Moments at which a source does something odd. */
export function moments(random: Random, days: number, count: number): number[] {
  return Array.from({ length: count }, () =>
    Math.floor(BEGIN + (0.15 + 0.8 * random()) * days * DAY),
  ).sort((one, other) => one - other);
}

export function withDateAndHash(one: PageEvent): LogEntry {
  return { ...entry(one), datetime: dayOf(one.datetime) };
}

export function withDate(one: PageEvent): LogEntry {
  return { ...withDateAndHash(one), hash: "" };
}
