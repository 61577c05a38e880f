import { CHANGES } from "./kinds.ts";
import { BOTH, notificationSection, RESOURCESYNC_ONLY, type Rule, section } from "./rule.ts";
import { isBefore, spanOf } from "./span.ts";

/** What entries that convey changes must say, and in which order. */
export const CHANGE_RULES: readonly Rule[] = [
  {
    id: "change-told",
    severity: "must",
    source: `${section("12.1")} and 13.2; ${notificationSection("3")}; IFCC-0001, Change Lists`,
    profiles: BOTH,
    kinds: CHANGES,
    entry({ metadata }, _, report) {
      if (metadata?.change !== undefined) return;
      report(
        "rs:md@change",
        "The entry does not say what happened. Write created, updated or deleted.",
      );
    },
  },
  {
    id: "change-place",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    entry({ metadata }, { kind }, report) {
      if (kind === undefined || CHANGES.includes(kind)) return;
      for (const name of ["change", "datetime"] as const) {
        if (metadata?.[name] === undefined) continue;
        report(`rs:md@${name}`, `The entries of a ${kind} are no changes. Leave ${name} out.`);
      }
    },
  },
  {
    id: "change-order",
    severity: "must",
    source: `${section("12.1")} and 13.2; ${notificationSection("3")}`,
    profiles: RESOURCESYNC_ONLY,
    kinds: CHANGES,
    series(_, report) {
      let floor = Number.NEGATIVE_INFINITY;
      return {
        entry: ({ metadata }) => {
          const span = spanOf(metadata?.datetime);
          if (span === undefined) return;
          const late = span.latest < floor;
          if (late)
            report("rs:md@datetime", "The change before it is later. Put the oldest first.");
          floor = late ? span.earliest : Math.max(floor, span.earliest);
        },
      };
    },
  },
  {
    id: "change-interval",
    severity: "must",
    source: section("7"),
    profiles: RESOURCESYNC_ONLY,
    kinds: CHANGES,
    entry({ metadata }, { times }, report) {
      const datetime = spanOf(metadata?.datetime);
      if (isBefore(datetime, times.from)) {
        report(
          "rs:md@datetime",
          "The change is before the document's from. Move it to its own list.",
        );
      }
      if (isBefore(times.until, datetime)) {
        report(
          "rs:md@datetime",
          "The change is after the document's until. Move it to its own list.",
        );
      }
    },
  },
];
