import { invalidValueError, missingValueError } from "../errors.ts";
import { kindOf } from "../kinds.ts";
import type { DocumentKind, Entry, Head, Metadata } from "../model.ts";

type MetadataName = keyof Metadata;

/** The times of a snapshot (`at`, `completed`), or of an interval of changes. */
export type TimeAttribute = "at" | "completed" | "from" | "until";

/** What a kind of document requires and forbids, in its head and in each entry. */
interface Requirement {
  readonly section: string;
  readonly head: readonly TimeAttribute[];
  readonly headNever: readonly TimeAttribute[];
  readonly up: boolean;
  readonly entry: readonly MetadataName[];
  readonly entryNever: readonly TimeAttribute[];
}

const SNAPSHOT: readonly TimeAttribute[] = ["at", "completed"];
const INTERVAL: readonly TimeAttribute[] = ["from", "until"];
const BOTH: readonly TimeAttribute[] = [...SNAPSHOT, ...INTERVAL];

/** Sections 8 to 13 and Appendix A, Table 4; Change Notification 1.0.1, section 3. */
export const REQUIREMENTS: Readonly<Record<DocumentKind, Requirement>> = {
  "source-description": plain("section 8", false, ["capability"]),
  "source-description-index": plain("section 8", false, []),
  "capability-list": plain("section 9", true, ["capability"]),
  "resource-list": timed("at", "section 10.1", [], BOTH),
  "resource-list-index": timed("at", "section 10.2", [], INTERVAL),
  "resource-dump": timed("at", "section 11.1", [], INTERVAL),
  "resource-dump-index": timed("at", "section 11.1", [], INTERVAL),
  "resource-dump-manifest": timed("at", "section 11.2", ["path"], BOTH),
  "change-list": timed("from", "section 12.1", ["change"], BOTH),
  "change-list-index": timed("from", "section 12.2", [], SNAPSHOT),
  "change-dump": timed("from", "section 13.1", [], SNAPSHOT),
  "change-dump-index": timed("from", "section 13.1", [], SNAPSHOT),
  "change-dump-manifest": timed("from", "section 13.2", ["change"], BOTH),
  "change-notification": {
    ...timed("from", "Change Notification, section 3", ["change"], BOTH),
    head: ["from", "until"],
    up: false,
  },
};

/** @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where the head is not its kind's */
export function requireHead({ root, metadata, links }: Head): DocumentKind {
  const kind = kindOf(root, metadata.capability);
  if (kind === undefined) {
    const allowed = `a capability that a ${root} can have`;
    throw invalidValueError("capability", metadata.capability ?? "", allowed, "The document");
  }
  const { head, headNever, up, section } = REQUIREMENTS[kind];
  requireNames(metadata, head, headNever, `The ${kind}`, section);
  if (up && !links.some(({ rel }) => rel === "up")) {
    throw missingValueError('a link with rel="up"', `The ${kind}`, section);
  }
  return kind;
}

/** @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where the entry is not its kind's */
export function requireEntry(kind: DocumentKind, entry: Entry): void {
  const { loc, metadata } = entry;
  const { entry: required, entryNever, section } = REQUIREMENTS[kind];
  requireNames(metadata ?? {}, required, entryNever, loc, section);
  const listed = metadata?.capability;
  if (kind === "source-description" && listed !== undefined && listed !== "capabilitylist") {
    throw invalidValueError("capability", listed, "capabilitylist", loc);
  }
  const deleted = metadata?.change === "deleted";
  if (kind === "change-dump-manifest" && !deleted && metadata?.path === undefined) {
    throw missingValueError("path", loc, section);
  }
  if (!kind.endsWith("-index")) return;
  for (const name of ["changefreq", "priority"] as const) {
    const value = entry[name];
    if (value !== undefined) throw invalidValueError(name, value, "none in an index", loc);
  }
}

function requireNames(
  metadata: Metadata,
  required: readonly MetadataName[],
  never: readonly MetadataName[],
  subject: string,
  section: string,
): void {
  for (const name of required) {
    if (metadata[name] === undefined) throw missingValueError(name, subject, section);
  }
  for (const name of never) {
    if (metadata[name] === undefined) continue;
    throw invalidValueError(name, String(metadata[name]), `none (${section})`, subject);
  }
}

function plain(section: string, up: boolean, entry: readonly MetadataName[]): Requirement {
  return { section, head: [], headNever: BOTH, up, entry, entryNever: BOTH };
}

/** @param time with which a snapshot, or an interval of changes, begins */
function timed(
  time: "at" | "from",
  section: string,
  entry: readonly MetadataName[],
  entryNever: readonly TimeAttribute[],
): Requirement {
  const headNever = time === "at" ? INTERVAL : SNAPSHOT;
  return { section, head: [time], headNever, up: true, entry, entryNever };
}
