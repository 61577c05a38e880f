import { TIMELINES } from "./kinds.ts";
import { RESOURCESYNC_ONLY, type Rule, section } from "./rule.ts";
import { differ, isBefore, type Span, spanOf } from "./span.ts";

interface Interval {
  readonly from: Span;
  readonly until: Span | undefined;
}

const INDEXES = ["change-list-index", "change-dump-index"] as const;

/** Lists and packages that follow each other in time, and the snapshots an index groups. */
export const TIMELINE_RULES: readonly Rule[] = [
  {
    id: "index-order",
    severity: "must",
    source: `${section("12.2")} and 13.1`,
    profiles: RESOURCESYNC_ONLY,
    kinds: INDEXES,
    series: consecutive(
      (previous, next) => isBefore(next.from, previous.from),
      "The list before it begins later. Put the oldest list first.",
    ),
  },
  {
    id: "package-order",
    severity: "should",
    source: section("13.1"),
    profiles: RESOURCESYNC_ONLY,
    kinds: ["change-dump"],
    series: consecutive(
      (previous, next) => isBefore(next.from, previous.from),
      "The package before it begins later. Put the oldest package first.",
    ),
  },
  {
    id: "timeline-gap",
    severity: "should",
    source: `${section("12.1")} (until leads to what follows)`,
    profiles: RESOURCESYNC_ONLY,
    kinds: TIMELINES,
    series: consecutive(
      (previous, next) => isBefore(previous.until, next.from),
      "Changes since the last until are told nowhere. Begin at that until.",
    ),
  },
  {
    id: "timeline-overlap",
    severity: "should",
    source: `${section("12.1")} (until leads to what follows)`,
    profiles: RESOURCESYNC_ONLY,
    kinds: TIMELINES,
    series: consecutive(
      (previous, next) => isBefore(next.from, previous.until),
      "It begins before the last one ends. Begin at the last one's until.",
    ),
  },
  {
    id: "open-last",
    severity: "should",
    source: `${section("12.2")} (an open list goes on)`,
    profiles: RESOURCESYNC_ONLY,
    kinds: INDEXES,
    series: consecutive(
      (previous) => previous.until === undefined,
      "The list before it is open, but not the last. Close that with until.",
    ),
  },
  {
    id: "timeline-interval",
    severity: "should",
    source: `${section("12.2")} and 13.1`,
    profiles: RESOURCESYNC_ONLY,
    kinds: TIMELINES,
    series({ times }, report) {
      let last: Interval | undefined;
      return {
        entry: ({ metadata }) => {
          const from = spanOf(metadata?.from);
          if (from === undefined) return;
          if (last === undefined && differ(from, times.from)) {
            report(
              "rs:md@from",
              "The first one does not begin at the document's from. Make them equal.",
            );
          }
          last = { from, until: spanOf(metadata?.until) };
        },
        end: () => {
          if (times.until === undefined || last === undefined) return;
          if (last.until !== undefined && !differ(last.until, times.until)) return;
          report(
            "rs:md@until",
            "The last one does not end at the document's until. Make them equal.",
          );
        },
      };
    },
  },
  {
    id: "part-snapshot",
    severity: "must",
    source: `${section("7")} and ${section("10.2")}`,
    profiles: RESOURCESYNC_ONLY,
    kinds: ["resource-list-index", "resource-dump", "resource-dump-index"],
    entry({ metadata }, { times }, report) {
      if (isBefore(spanOf(metadata?.at), times.at)) {
        report(
          "rs:md@at",
          "It was begun before the document's at. Let at be the earliest of them.",
        );
      }
      if (isBefore(times.completed, spanOf(metadata?.completed))) {
        report(
          "rs:md@completed",
          "It ended after the document's completed. Let that be the latest.",
        );
      }
    },
  },
];

/** Reports each interval that breaks a rule beside the one before it. */
function consecutive(
  breaks: (previous: Interval, next: Interval) => boolean,
  message: string,
): NonNullable<Rule["series"]> {
  return (_, report) => {
    let previous: Interval | undefined;
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
