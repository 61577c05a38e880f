import { type Author, type PageEvent, pageEvents } from "./pages.ts";
import { REDATED_SOURCES } from "./redated-sources.ts";
import {
  entry,
  type LogEntry,
  lastOfEach,
  type Source,
  single,
  split,
  versions,
  weekly,
  withDate,
  withDateAndHash,
  withoutHash,
} from "./versions.ts";

/** A log of this author in one list. */
function inOneList(
  author: Omit<Author, "days">,
  entriesOf: (events: readonly PageEvent[], time: number) => readonly LogEntry[],
): Source {
  return (random, days) =>
    versions(pageEvents(random, { ...author, days }), (events, time) =>
      single(entriesOf(events, time)),
    );
}

/** Branches that are merged, on few busy pages. */
const MERGING = { pages: 6, merges: 0.08 };

/** A log of this author in lists of so many entries, of which the index may name the newest alone. */
function inParts(
  author: Omit<Author, "days">,
  entryOf: (one: PageEvent) => LogEntry,
  most: number,
  kept?: number,
): Source {
  return (random, days) =>
    versions(pageEvents(random, { ...author, days }), (events) =>
      split(events.map(entryOf), most, kept),
    );
}

/** Sources as they were seen on the web, and as the specification and the world allow them. */
export const SOURCES: Readonly<Record<string, Source>> = {
  "append, closed lists": (random, days) =>
    versions(pageEvents(random, { days }), (events, time) => weekly(events, entry, time)),
  "append + late entries": inOneList({ late: 0.15 }, (events) => events.map(entry)),
  "late, closed lists": (random, days) =>
    versions(pageEvents(random, { days, late: 0.15, bulk: 0.02 }), (events, time) =>
      weekly(events, entry, time),
    ),
  "window, from const": inOneList({}, (events) => events.slice(-25).map(withoutHash)),
  "window, no from": inOneList({}, (events) => events.slice(-25).map(entry)),
  "window, late, from": inOneList({ late: 0.15, bulk: 0.03 }, (events) =>
    events.slice(-40).map(withoutHash),
  ),
  "window, dates only": inOneList({}, (events) => events.slice(-25).map(withDate)),
  "append, dates only": inOneList({}, (events) => events.map(withDate)),
  "page per line": inOneList({}, (events) => lastOfEach(events.map(withoutHash))),
  "page per line, dates": inOneList({}, (events) => lastOfEach(events.map(withDate))),
  "page per line, merges": inOneList({ late: 0.2, bulk: 0.02, pages: 60 }, (events) =>
    lastOfEach(events.map(withoutHash)),
  ),
  "page per line, merges #": inOneList({ late: 0.2, bulk: 0.02, pages: 60 }, (events) =>
    lastOfEach(events.map(entry)),
  ),
  "list since last publ.": inOneList({}, (events, time) =>
    events.filter(({ published }) => published === time).map(withoutHash),
  ),
  "hash = present": inOneList({}, (events) => {
    const present = new Map(events.map(({ page, bytes }) => [page, bytes]));
    return events.map((one) => ({ ...entry(one), hash: present.get(one.page) ?? "" }));
  }),
  "build times": inOneList({ perDay: 2 }, (events, time) =>
    lastOfEach(events.map((one) => withoutHash({ ...one, datetime: time }))),
  ),
  "build times, hash": inOneList({ perDay: 2 }, (events, time) =>
    lastOfEach(events.map((one) => entry({ ...one, datetime: time }))),
  ),
  "since last publ., merges": inOneList(MERGING, (events, time) =>
    events.filter(({ published }) => published === time).map(withoutHash),
  ),
  "since last publ., merges #": inOneList(MERGING, (events, time) =>
    events.filter(({ published }) => published === time).map(entry),
  ),
  "window, merges": inOneList(MERGING, (events) => events.slice(-25).map(withoutHash)),
  "window, merges #": inOneList(MERGING, (events) => events.slice(-25).map(entry)),
  "dates, split by count": inParts({ pages: 8 }, withDate, 20),
  "dates, split by count #": inParts({ pages: 8 }, withDateAndHash, 20),
  "dates, newest parts": inParts({ pages: 8 }, withDate, 10, 3),
  "dates, all and newest": (random, days) =>
    versions(pageEvents(random, { pages: 8, days }), (events) => {
      const all = events.map(withDate);
      const lists = { all, newest: all.slice(-10) };
      const named = Object.entries(lists).map(
        ([name, entries]) => [name, { entries, isClosed: false }] as const,
      );
      return { lists: new Map(named), hasIndex: true };
    }),
  "dates, window of 10": inOneList({ pages: 8 }, (events) => events.slice(-10).map(withDate)),
  "dates, window of 10 #": inOneList({ pages: 8 }, (events) =>
    events.slice(-10).map(withDateAndHash),
  ),
  "page per line, dates #": inOneList({ pages: 8 }, (events) =>
    lastOfEach(events.map(withDateAndHash)),
  ),
  ...REDATED_SOURCES,
};
