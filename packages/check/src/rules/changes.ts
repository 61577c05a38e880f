import { differ, isBefore, spanOf, type TimeSpan, urlKey } from "@rs-emit/documents";
import { CHANGES, TIMELINES } from "./kinds.ts";
import { BOTH, brief, entryLacks, notificationSection, type Rule, section } from "./rule.ts";

/** What entries with changes must have, and their order. */
export const CHANGE_RULES: readonly Rule[] = [
  {
    id: "change-told",
    why: "A change of no kind is ignored, so it is lost.",
    cure: "Write created, updated or deleted.",
    requirements: ["I27", "R86b", "R100e", "N11b"],
    must: `${section("12.1")} and 13.2; ${notificationSection("3")}; IFCC-0001, Change Lists`,
    profiles: BOTH,
    kinds: CHANGES,
    ...entryLacks("change", "The entry does not say what happened."),
  },
  {
    id: "change-place",
    why: "A program may take a list of resources for a log.",
    cure: "Leave it out.",
    should: section("7"),
    entry({ metadata }, { kind }, report) {
      if (kind === undefined || CHANGES.includes(kind)) return;
      for (const name of ["change", "datetime"] as const) {
        if (metadata?.[name] === undefined) continue;
        report(`rs:md@${name}`, `The entries of a ${kind} are no changes.`);
      }
    },
  },
  {
    id: "change-order",
    why: "Followers read up to what they know. A change that is listed before its time is missed.",
    cure: "Put the oldest first.",
    requirements: ["R83", "R100d", "N6"],
    must: `${section("12.1")} and 13.2; ${notificationSection("3")}`,
    kinds: CHANGES,
    series(_, report) {
      let floor = Number.NEGATIVE_INFINITY;
      return {
        entry: ({ metadata }) => {
          const span = spanOf(metadata?.datetime);
          if (span === undefined) return;
          const late = span.latest < floor;
          if (late) report("rs:md@datetime", "The change before it is later.");
          floor = late ? span.earliest : Math.max(floor, span.earliest);
        },
      };
    },
  },
  {
    id: "change-once",
    why: "Followers cannot tell the two apart: they report one of them, or the same change twice.",
    cure: "Give each change its own second, or leave the copy out.",
    requirements: ["R87"],
    should: "ResourceSync 0.9.1, section 10.1",
    kinds: CHANGES,
    series(_, report) {
      // Changes with the same time follow each other, so only those of one time are held.
      let time: string | undefined;
      let seen = new Set<string>();
      return {
        entry: ({ loc, metadata }) => {
          const datetime = metadata?.datetime;
          if (datetime === undefined) return;
          if (datetime !== time) seen = new Set();
          time = datetime;
          const key = urlKey(loc);
          if (seen.has(key)) {
            report("rs:md@datetime", `Another change of ${brief(loc)} has this time.`);
          }
          seen.add(key);
        },
      };
    },
  },
  {
    id: "change-interval",
    why: "Followers skip lists whose interval has passed, and the changes in them that lie outside of it.",
    cure: "Move it to its own list.",
    requirements: ["R47"],
    must: section("7"),
    kinds: CHANGES,
    entry({ metadata }, { times }, report) {
      const datetime = spanOf(metadata?.datetime);
      if (isBefore(datetime, times.from)) {
        report("rs:md@datetime", "The change is before the document's from.");
      }
      if (isBefore(times.until, datetime)) {
        report("rs:md@datetime", "The change is after the document's until.");
      }
    },
  },
];

interface ListInterval {
  readonly from: TimeSpan;
  readonly until: TimeSpan | undefined;
}

const INDEXES = ["change-list-index", "change-dump-index"] as const;

/** Lists and packages that follow each other in time, and the snapshots of an index. */
export const TIMELINE_RULES: readonly Rule[] = [
  {
    id: "index-order",
    why: "Followers read the newest lists first, and stop at the first one they know.",
    cure: "Put the oldest list first.",
    requirements: ["R92b"],
    must: `${section("12.2")} and 13.1`,
    kinds: INDEXES,
    series: consecutive(
      (previous, next) => isBefore(next.from, previous.from),
      "The list before it begins later.",
    ),
  },
  {
    id: "package-order",
    why: "Followers apply packages in the order of the list.",
    cure: "Put the oldest package first.",
    requirements: ["R95d"],
    should: section("13.1"),
    kinds: ["change-dump"],
    series: consecutive(
      (previous, next) => isBefore(next.from, previous.from),
      "The package before it begins later.",
    ),
  },
  {
    id: "timeline-gap",
    why: "Nobody can tell whether something changed in between.",
    cure: "Begin at that until.",
    should: `${section("12.1")} (until leads to what follows)`,
    kinds: TIMELINES,
    series: consecutive(
      (previous, next) => isBefore(previous.until, next.from),
      "Changes since the last until are in no list.",
    ),
  },
  {
    id: "timeline-overlap",
    why: "A change in both intervals is reported twice.",
    cure: "Begin at the last one's until.",
    should: `${section("12.1")} (until leads to what follows)`,
    kinds: TIMELINES,
    series: consecutive(
      (previous, next) => isBefore(next.from, previous.until),
      "It begins before the last one ends.",
    ),
  },
  {
    id: "open-last",
    why: "Followers look for new changes in the last list only.",
    cure: "Close that with until.",
    should: `${section("12.2")} (an open list goes on)`,
    kinds: INDEXES,
    series: consecutive(
      (previous) => previous.until === undefined,
      "The list before it is open, but not the last.",
    ),
  },
  {
    id: "timeline-interval",
    why: "A program that plans by the intervals misses the first or the last changes.",
    cure: "Make them equal.",
    should: `${section("12.2")} and 13.1`,
    kinds: TIMELINES,
    series({ times }, report) {
      let last: ListInterval | undefined;
      return {
        entry: ({ metadata }) => {
          const from = spanOf(metadata?.from);
          if (from === undefined) return;
          if (last === undefined && differ(from, times.from)) {
            report("rs:md@from", "The first one does not begin at the document's from.");
          }
          last = { from, until: spanOf(metadata?.until) };
        },
        end: () => {
          if (times.until === undefined || last === undefined) return;
          if (last.until !== undefined && !differ(last.until, times.until)) return;
          report("rs:md@until", "The last one does not end at the document's until.");
        },
      };
    },
  },
  {
    id: "part-snapshot",
    why: "The snapshot claims a time at which a part of it was not true.",
    cure: "Let the document's at be the earliest one, and its completed the latest.",
    must: `${section("7")} and ${section("10.2")}`,
    kinds: ["resource-list-index", "resource-dump", "resource-dump-index"],
    entry({ metadata }, { times }, report) {
      if (isBefore(spanOf(metadata?.at), times.at)) {
        report("rs:md@at", "It was begun before the document's at.");
      }
      if (isBefore(times.completed, spanOf(metadata?.completed))) {
        report("rs:md@completed", "It ended after the document's completed.");
      }
    },
  },
];

function consecutive(
  breaks: (previous: ListInterval, next: ListInterval) => boolean,
  message: string,
): NonNullable<Rule["series"]> {
  return (_, report) => {
    let previous: ListInterval | undefined;
    return {
      entry: ({ metadata }) => {
        const from = spanOf(metadata?.from);
        if (from === undefined) return;
        const next = { from, until: spanOf(metadata?.until) };
        if (previous !== undefined && breaks(previous, next)) report("rs:md@from", message);
        previous = next;
      },
    };
  };
}

/** Change notifications: changes that are pushed. */
export const NOTIFICATION_RULES: readonly Rule[] = [
  {
    id: "notification-interval",
    why: "Receivers cannot tell whether they missed a notification.",
    cure: "Add it.",
    requirements: ["N7b", "N7c"],
    must: notificationSection("3"),
    kinds: ["change-notification"],
    head({ head }, report) {
      for (const name of ["from", "until"] as const) {
        if (head.metadata[name] !== undefined) continue;
        report(`rs:md@${name}`, "Nobody can tell whether a notification was missed.");
      }
    },
  },
];
