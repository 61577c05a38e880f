import { differ, type Entry, groupBy, spanOf, type TimeSpan, urlKey } from "@rs-emit/documents";
import {
  type CheckedChange,
  type LinkedSet,
  logOf,
  type Member,
  manifestOf,
  partsOf,
  type SetRule,
} from "./publication.ts";
import { brief, notificationSection, section } from "./rule.ts";

/** Whether the log of a set of resources is consistent. */
export const LOG_RULES: readonly SetRule[] = [
  {
    id: "log-consistent",
    why: "A log that contradicts itself cannot be replayed: a copy made from it is wrong.",
    cure: "List the missing change between the two, or correct this one.",
    should: "rs-emit",
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        const last = new Map<string, string | undefined>();
        for (const { member, number, loc, change } of logOf(set, list)) {
          const problem = contradiction(last.get(urlKey(loc)), change);
          if (problem !== undefined) {
            report(member, `entry ${number}, rs:md@change`, `${brief(loc)} ${problem}`);
          }
          last.set(urlKey(loc), change);
        }
      }
    },
  },
];

function contradiction(last: string | undefined, change: string | undefined): string | undefined {
  const alive = last === "created" || last === "updated";
  if (change === "created" && alive) {
    return "is created though it exists already.";
  }
  if ((change === "updated" || change === "deleted") && last === "deleted") {
    return `is ${change} though it is deleted already.`;
  }
  return undefined;
}

/** Whether the capabilities of a set of resources cover the same resources. */
export const SNAPSHOT_RULES: readonly SetRule[] = [
  {
    id: "snapshot-agrees",
    why: "Who copies the snapshot and who follows the log end with different sites.",
    cure: "Correct one of the two.",
    requirements: ["R66"],
    must: section("9"),
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        const snapshot = snapshotOf(set, list);
        if (snapshot === undefined) continue;
        for (const { member, number, loc, change } of settled(set, list, snapshot.at)) {
          const listed = snapshot.urls.has(urlKey(loc));
          if (listed === (change !== "deleted")) continue;
          const message = listed
            ? `${brief(loc)} is deleted here, but still in the Resource List.`
            : `${brief(loc)} is ${change} here, but not in the Resource List.`;
          report(member, `entry ${number}, loc`, message);
        }
      }
    },
  },
  {
    id: "dump-agrees",
    why: "Who unpacks the dump and who fetches the list end with different sites.",
    cure: "Package it too.",
    must: section("9"),
    check(set, report) {
      for (const list of set.ofKind("capability-list")) {
        const snapshot = snapshotOf(set, list);
        const dump = dumpOf(set, list);
        if (snapshot === undefined || dump === undefined || differ(snapshot.at, dump.at)) continue;
        for (const url of snapshot.urls) {
          if (dump.urls.has(url)) continue;
          const message = `${brief(url)} is in the Resource List only.`;
          report(dump.top, "document", message);
        }
      }
    },
  },
];

/**
 * The last change of each URL that certainly precedes the snapshot. Empty where a part of the log is missing.
 */
function settled(set: LinkedSet, capabilityList: Member, at: TimeSpan): Iterable<CheckedChange> {
  if (!partsOf(set, capabilityList, "changelist")?.whole) return [];
  const last = new Map<string, CheckedChange>();
  const unsettled = new Set<string>();
  for (const change of logOf(set, capabilityList)) {
    const url = urlKey(change.loc);
    last.set(url, change);
    const before = change.datetime !== undefined && change.datetime.latest <= at.earliest;
    if (!before || change.change === undefined) unsettled.add(url);
  }
  return [...last].filter(([url]) => !unsettled.has(url)).map(([, change]) => change);
}

interface ListedState {
  readonly top: Member;
  readonly at: TimeSpan;
  readonly urls: ReadonlySet<string>;
}

/** The contents of the Resource List, if the set has every part of it. */
function snapshotOf(set: LinkedSet, capabilityList: Member): ListedState | undefined {
  const found = partsOf(set, capabilityList, "resourcelist");
  return found?.whole ? snapshot(found.top, found.parts) : undefined;
}

/** The contents of the Resource Dump, if the set has every manifest. */
function dumpOf(set: LinkedSet, capabilityList: Member): ListedState | undefined {
  const found = partsOf(set, capabilityList, "resourcedump");
  if (!found?.whole) return undefined;
  const packages = found.parts.flatMap(({ document }) => document.entries);
  const manifests = packages.flatMap((entry) => manifestOf(set, entry) ?? []);
  return manifests.length === packages.length ? snapshot(found.top, manifests) : undefined;
}

function snapshot(top: Member, parts: readonly Member[]): ListedState | undefined {
  const at = spanOf(top.document.metadata.at);
  const entries: readonly Entry[] = parts.flatMap(({ document }) => document.entries);
  return at && { top, at, urls: new Set(entries.map(({ loc }) => urlKey(loc))) };
}

/** Notifications that were sent one after another. */
export const SEQUENCE_RULES: readonly SetRule[] = [
  {
    id: "notification-sequence",
    why: "Receivers think they missed a notification, and read everything again.",
    cure: "Let from be that until.",
    requirements: ["N8"],
    must: notificationSection("3"),
    check(set, report) {
      const notifications = set.ofKind("change-notification");
      const channels = groupBy(notifications, (member) => urlKey(member.link("up") ?? ""));
      for (const channel of channels.values()) {
        let previous: Member | undefined;
        for (const member of channel.toSorted((one, other) => start(one) - start(other))) {
          const until = spanOf(previous?.document.metadata.until);
          if (differ(until, spanOf(member.document.metadata.from))) {
            const message = `It does not begin where ${previous?.url} ends.`;
            report(member, "rs:md@from", message);
          }
          previous = member;
        }
      }
    },
  },
];

function start({ document }: Member): number {
  return spanOf(document.metadata.from)?.earliest ?? 0;
}
