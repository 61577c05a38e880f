import { DAY, type PageEvent, pageEvents, type Random } from "./pages.ts";
import {
  entry,
  type LogEntry,
  moments,
  type Published,
  type Source,
  single,
  versions,
  weekly,
  withDate,
  withoutHash,
} from "./versions.ts";

/** From `time` on, what was published before has other dates. */
interface Redating {
  readonly time: number;
  readonly date: (one: PageEvent, datetime: number) => number;
}

function redated(one: PageEvent, time: number, redatings: readonly Redating[]): PageEvent {
  let { datetime } = one;
  for (const redating of redatings) {
    const applies = redating.time <= time && one.published <= redating.time;
    if (applies) datetime = redating.date(one, datetime);
  }
  return { ...one, datetime };
}

/** As {@link redated}, but never later than now. */
function redatedByNow(one: PageEvent, time: number, redatings: readonly Redating[]): PageEvent {
  const { datetime } = redated(one, time, redatings);
  return { ...one, datetime: Math.min(time, datetime) };
}

function shifts(random: Random, days: number, count: number, shift: () => number): Redating[] {
  return moments(random, days, count).map((time) => {
    const by = shift();
    return { time, date: (_, datetime) => datetime + by };
  });
}

function timesOf(redatings: readonly Redating[]): number[] {
  return redatings.map(({ time }) => time);
}

/** The last changes of a log get new dates, as a rebase of the last commits gives them. */
function rebased(entryOf: (one: PageEvent) => LogEntry): Source {
  return (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = moments(random, days, 3).map((time): Redating => {
      const count = 3 + Math.floor(random() * 30);
      const before = all.filter(({ published }) => published <= time);
      const last = new Set(before.slice(-count).map(({ id }) => id));
      const date = ({ id }: PageEvent, datetime: number) =>
        last.has(id) ? Math.min(time, datetime + 60 + (id % 900)) : datetime;
      return { time, date };
    });
    return versions(
      all,
      (events, time) => single(events.map((one) => entryOf(redated(one, time, redatings)))),
      timesOf(redatings),
    );
  };
}

/** A log whose dates all move by some days, but not beyond now. */
function shiftedByDays(entryOf: (one: PageEvent) => LogEntry): Source {
  return (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = shifts(random, days, 2, () => Math.floor((random() * 10 - 5) * DAY) || DAY);
    return versions(
      all,
      (events, time) => single(events.map((one) => entryOf(redatedByNow(one, time, redatings)))),
      timesOf(redatings),
    );
  };
}

/** The log of an author whose memory was lost: each living page was created just now. */
function memoryLost(entryOf: (one: PageEvent) => LogEntry): Source {
  return (random, days) => {
    const all = pageEvents(random, { days });
    const losses = moments(random, days, 2);
    const publish: Published = (events, time) => {
      const loss = losses.findLast((at) => at <= time);
      if (loss === undefined) return single(events.map(entryOf));
      const living = new Map<string, PageEvent>();
      for (const one of events.filter(({ published }) => published <= loss)) {
        if (one.kind === "deleted") living.delete(one.page);
        else living.set(one.page, one);
      }
      const anew = [...living.values()].map(
        (one): PageEvent => ({ ...one, kind: "created", datetime: loss }),
      );
      const since = events.filter(({ published }) => published > loss);
      return single([...anew, ...since].map(entryOf));
    };
    return versions(all, publish, losses);
  };
}

/** Sources that give their entries other dates, or take them out, by mistake or by hand. */
export const REDATED_SOURCES: Readonly<Record<string, Source>> = {
  "regen: seconds": (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = shifts(random, days, 3, () => Math.floor(random() * 60 - 30) || 7);
    return versions(
      all,
      (events, time) => single(events.map((one) => withoutHash(redated(one, time, redatings)))),
      timesOf(redatings),
    );
  },
  "regen: days": shiftedByDays(withoutHash),
  "regen: random": (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = moments(random, days, 2).map((time, at): Redating => {
      const by = (id: number) => ((id * 7_919 + at * 104_729) % (10 * DAY)) - 5 * DAY;
      return { time, date: ({ id }, datetime) => Math.min(time, datetime + by(id)) };
    });
    return versions(
      all,
      (events, time) => single(events.map((one) => entry(redated(one, time, redatings)))),
      timesOf(redatings),
    );
  },
  "regen, window": (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = shifts(random, days, 3, () => Math.floor(random() * 3_600 - 1_800) || 7);
    return versions(
      all,
      (events, time) =>
        single(events.slice(-40).map((one) => withoutHash(redatedByNow(one, time, redatings)))),
      timesOf(redatings),
    );
  },
  "regen, lists renamed": (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = shifts(random, days, 2, () => Math.floor(random() * 7_200 - 3_600) || 7);
    const publish: Published = (events, time) => {
      const generation = redatings.filter((one) => one.time <= time).length;
      const entryOf = (one: PageEvent) => entry(redatedByNow(one, time, redatings));
      return weekly(events, entryOf, time, `g${generation}-`);
    };
    return versions(all, publish, timesOf(redatings));
  },
  "rebase of the last": rebased(withoutHash),
  "squash: all one instant": (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = moments(random, days, 1).map(
      (time): Redating => ({ time, date: () => time }),
    );
    return versions(
      all,
      (events, time) => single(events.map((one) => withoutHash(redated(one, time, redatings)))),
      timesOf(redatings),
    );
  },
  "rebase of the last #": rebased(entry),
  "regen: days #": shiftedByDays(entry),
  "memory lost": memoryLost(withoutHash),
  "memory lost, hash": memoryLost(entry),
  "emptied, then regen": (random, days) => {
    const all = pageEvents(random, { days });
    const emptied = moments(random, days, 2);
    const redatings = emptied.map((time): Redating => {
      const by = Math.floor(random() * 60 - 30) || 7;
      return { time: time + DAY / 2, date: (_, datetime) => datetime + by };
    });
    const publish: Published = (events, time) => {
      const isEmpty = emptied.some((at) => time >= at && time < at + DAY / 2);
      const entries = events.map((one) => withoutHash(redated(one, time, redatings)));
      return single(isEmpty ? [] : entries);
    };
    return versions(all, publish, [...emptied, ...timesOf(redatings)]);
  },
  "hand: a date": (random, days) => {
    const all = pageEvents(random, { days });
    const redatings = moments(random, days, 8).map((time): Redating => {
      const before = all.filter(({ published }) => published <= time);
      const chosen = before[Math.floor(random() * before.length)]?.id;
      const by = Math.floor((random() * 4 - 2) * DAY);
      const date = ({ id }: PageEvent, datetime: number) =>
        id === chosen ? Math.min(time, datetime + by) : datetime;
      return { time, date };
    });
    return versions(
      all,
      (events, time) => single(events.map((one) => withoutHash(redated(one, time, redatings)))),
      timesOf(redatings),
    );
  },
  "hand: entries taken out": (random, days) => {
    const all = pageEvents(random, { days, late: 0.1 });
    const corrections = moments(random, days, 10).map((time) => {
      const before = all.filter(({ published }) => published <= time);
      return { time, id: before[Math.floor(random() * before.length)]?.id };
    });
    const publish: Published = (events, time) => {
      const out = new Set(corrections.filter((one) => one.time <= time).map(({ id }) => id));
      return single(events.filter(({ id }) => !out.has(id)).map(withoutHash));
    };
    return versions(
      all,
      publish,
      corrections.map(({ time }) => time),
    );
  },
  "hand: log begun anew": (random, days) => {
    const all = pageEvents(random, { days });
    const [anew = 0] = moments(random, days, 1);
    const publish: Published = (events, time) => {
      const left = events.filter(({ published }) => time < anew || published >= anew);
      return single(left.map(withoutHash));
    };
    return versions(all, publish, [anew]);
  },
  "times become dates": (random, days) => {
    const all = pageEvents(random, { days });
    const [since = 0] = moments(random, days, 1);
    const publish: Published = (events, time) =>
      single(events.map(time >= since ? withDate : withoutHash));
    return versions(all, publish, [since]);
  },
  "dates become times": (random, days) => {
    const all = pageEvents(random, { days });
    const [since = 0] = moments(random, days, 1);
    const publish: Published = (events, time) =>
      single(events.map(time < since ? withDate : withoutHash));
    return versions(all, publish, [since]);
  },
};
