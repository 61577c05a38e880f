import { BEGIN, DAY, type Random } from "./pages.ts";
import type { LogEntry, LogList, Version } from "./versions.ts";

/** What stands between a source and its harvester. Shares of the requests, or of the checks. */
export interface Transport {
  /** Requests that an edge answers with what stood there up to `oldest` seconds ago. */
  readonly stale?: number;
  readonly oldest?: number;
  /** Lists that are not read, since the host fails. */
  readonly cut?: number;
  /** Requests that are answered with 304, although the list has changed. */
  readonly lie?: number;
  /** Checks by a worker whose clock is 40 days ahead or behind. */
  readonly clock?: number;
  /** The first check is one by a clock 40 days ahead. */
  readonly beginsAhead?: boolean;
  /** Lists that one check reads. The others are read by the next ones. */
  readonly lists?: number;
}

export const TRANSPORTS: Readonly<Record<string, Transport>> = {
  exact: {},
  "stale edges": { stale: 0.3, oldest: 3 * DAY },
  "cut, lying 304": { cut: 0.15, lie: 0.2 },
  clocks: { clock: 0.25 },
  "two lists a check": { lists: 2, stale: 0.2, oldest: DAY },
  all: { stale: 0.2, oldest: 2 * DAY, cut: 0.1, lie: 0.1, clock: 0.15 },
};

/** What one check reads of a source. */
export interface LogReading {
  /** UTC seconds by the worker's clock. */
  readonly now: number;
  /** Lists that are not as they were, by name. */
  readonly lists: ReadonlyMap<string, ListRead>;
  /** All lists that the source has. */
  readonly named: readonly string[];
  /** How many lists are left to read. */
  readonly unread: number;
}

export interface ListRead {
  /** But for those that are dated beyond tomorrow. */
  readonly entries: readonly LogEntry[];
  readonly isClosed: boolean;
  /** Those are left out. */
  readonly isPartial: boolean;
}

interface KnownList {
  readonly text: string;
  readonly isClosed: boolean;
  /** UTC seconds: when an entry of it is due that was dated beyond tomorrow. */
  readonly reportableAt: number;
}

const CLOCK = 40 * DAY;

/** Whether an index states the digests of its lists. */
export interface Style {
  readonly isHashed: boolean;
}

/**
 * What a harvester reads that checks a source four times a day, and last some times without any trouble. It keeps the rules
 * of `read/`: no closed list twice, none whose digest is as it was, and no list that an index does not have.
 */
export function* readings(
  versions: readonly Version[],
  transport: Transport,
  random: Random,
  { days, isHashed }: Style & { readonly days: number },
): Generator<LogReading> {
  const known = new Map<string, KnownList>();
  let isFirst = true;
  for (const time of checkTimes(random, days)) {
    const isCalm = time > BEGIN + (days + 1) * DAY;
    const {
      stale = 0,
      oldest = 0,
      cut = 0,
      lie = 0,
      clock = 0,
      lists: most,
    } = isCalm ? {} : transport;
    const happens = (share: number) => share > 0 && random() < share;
    const versionSeen = () => at(versions, happens(stale) ? time - random() * oldest : time);
    const top = versionSeen();
    if (top === undefined) continue;
    const skew = happens(clock) ? (random() < 0.5 ? -CLOCK : CLOCK) : 0;
    const ahead = isFirst && transport.beginsAhead === true ? CLOCK : skew;
    isFirst = false;
    const now = time + ahead;
    const lists = new Map<string, ListRead>();
    let unread = 0;
    for (const [name, named] of top.lists) {
      const before = known.get(name);
      const isReportable = before !== undefined && before.reportableAt <= now;
      const isKnown = isHashed ? before?.text === textOf(named) : before?.isClosed === true;
      if (top.hasIndex && isKnown && !isReportable) continue;
      if (happens(cut) || (most !== undefined && lists.size >= most)) {
        unread += 1;
        continue;
      }
      if (before !== undefined && happens(lie)) continue;
      const version = top.hasIndex && stale === 0 ? top : (versionSeen() ?? top);
      const list = version.lists.get(name);
      const isOther = top.hasIndex && isHashed && list && textOf(list) !== textOf(named);
      if (list === undefined || isOther) {
        unread += 1;
        continue;
      }
      const isSame = before?.text === textOf(list) && !isReportable;
      const later = list.entries.filter(({ datetime }) => datetime > now + DAY);
      const entries =
        later.length === 0 ? list.entries : list.entries.filter((one) => !later.includes(one));
      const isPartial = later.length > 0;
      if (!isSame) lists.set(name, { entries, isClosed: named.isClosed, isPartial });
      known.set(name, {
        text: textOf(list),
        isClosed: named.isClosed,
        reportableAt: isSame
          ? before.reportableAt
          : Math.min(...later.map(({ datetime }) => datetime - DAY)),
      });
    }
    const named = [...top.lists.keys()];
    const dropped = [...known.keys()].filter((name) => !top.lists.has(name));
    for (const name of dropped) known.delete(name);
    if (lists.size > 0 || dropped.length > 0) yield { now, lists, named, unread };
  }
}

/** At random times, and some days after the last publication five times, one after the other. */
function* checkTimes(random: Random, days: number): Generator<number> {
  const end = BEGIN + days * DAY;
  const during: number[] = [];
  for (let time = BEGIN + random() * DAY; time < end; ) {
    during.push(time);
    time += (-Math.log(1 - random()) * DAY) / 4 + 600;
  }
  yield* during;
  for (let count = 1; count <= 5; count += 1) yield end + 4 * DAY + count * 6 * 3_600;
}

function at(versions: readonly Version[], time: number): Version | undefined {
  return versions.findLast((version) => version.time <= time);
}

const texts = new WeakMap<LogList, string>();

function textOf(list: LogList): string {
  const text = texts.get(list) ?? JSON.stringify(list.entries);
  texts.set(list, text);
  return text;
}
