import { createHash } from "node:crypto";
import {
  capabilityList,
  changeList,
  changeListIndex,
  sourceDescription,
  type TestEntry,
} from "./documents.ts";
import { MemorySite } from "./memory-site.ts";

/** A list of a log: its changes in a few signs, and since when, or up to when, it tells of them. */
export interface LogList {
  readonly changes: readonly string[];
  readonly from?: string;
  readonly until?: string;
}

/** How the index of a log is written. */
export interface IndexStyle {
  /** States each list's hash by these algorithms. */
  readonly hash?: readonly ("md5" | "sha1" | "sha256")[];
  /** Only the index says that a list is closed. */
  readonly untilInIndexOnly?: boolean;
}

const NAMES = { md5: "md5", sha1: "sha-1", sha256: "sha-256" };

/** A site with one collection, whose log has one list, or an index of lists, by their names. */
export function logSite(
  lists: Readonly<Record<string, LogList>>,
  style: IndexStyle = {},
  site = new MemorySite(),
): MemorySite {
  return site.put(logDocuments(lists, style));
}

/** The documents of such a site, by their paths. */
export function logDocuments(
  lists: Readonly<Record<string, LogList>>,
  style: IndexStyle = {},
): Readonly<Record<string, string>> {
  const texts = Object.entries(lists).map(([name, list]) => [name, listText(list, style)] as const);
  const entries = Object.entries(lists).map(([name, { from, until }], at): TestEntry => {
    const hash = style.hash?.map((algorithm) => {
      const hex = createHash(algorithm)
        .update(texts[at]?.[1] ?? "")
        .digest("hex");
      return `${NAMES[algorithm]}:${hex}`;
    });
    const md = { ...given({ from, until }), ...given({ hash: hash?.join(" ") }) };
    return { loc: name, md };
  });
  return {
    ".well-known/resourcesync": sourceDescription(["/capabilitylist.xml"]),
    "capabilitylist.xml": capabilityList({ changelist: "changelist.xml" }),
    "changelist.xml": changeListIndex(entries),
    ...Object.fromEntries(texts),
  };
}

function listText({ changes, from, until }: LogList, { untilInIndexOnly }: IndexStyle): string {
  return changeList(changes, given({ from, until: untilInIndexOnly ? undefined : until }));
}

function given(attributes: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const known = Object.entries(attributes).filter(
    (one): one is [string, string] => one[1] !== undefined,
  );
  return Object.fromEntries(known);
}
