import { NotFoundError } from "@rs-emit/reader";
import { isUnfollowed } from "../health-names.ts";
import type { Condition } from "../store/schema.ts";
import type { ConditionSince, SourceRow } from "../store/source.ts";
import { type Facts, publishesChanges } from "./facts.ts";
import { type Besides, NothingToReadError } from "./reader.ts";

/** What a check found of that by which a source is followed: its change log, or its lists of pages. */
export type LogFinding =
  /** All of it was read, or is as it was. */
  | "followed"
  /** A part of it was read. */
  | "part"
  /** The site says that there is none. */
  | "none"
  /** Nothing of it could be read. */
  | "failed";

/** What a check found of that by which its source is followed. */
export function findingOf(source: Pick<SourceRow, "followed_by">, facts: Facts): LogFinding {
  const { error, reading, observation } = facts;
  const isNone = observation === undefined && !publishesChanges(source, facts);
  if (error === undefined) return isNone ? "none" : "followed";
  if (error instanceof NotFoundError || error instanceof NothingToReadError) return "none";
  const isPart = observation ?? reading?.collections.some((one) => one.listUrls.length > 0);
  return isPart ? "part" : "failed";
}

/**
 * Decides how a source does, by how it did before a check and by what that found.
 *
 * @param besides what it publishes besides, where that was looked for
 */
export function conditionAfter(
  before: Condition,
  finding: LogFinding,
  besides?: Besides,
): Condition {
  if (finding === "followed") return "well";
  // What is lost is trouble, also where the site says that it is gone.
  if (finding === "part" || before === "well" || before === "troubled") return "troubled";
  if (finding === "failed") return "not-read";
  if (besides !== undefined) return `has-${besides.publishes}`;
  return isUnfollowed(before) ? before : "no-change-log";
}

/** The same, and since when. */
export function conditionSince(
  before: ConditionSince,
  finding: LogFinding,
  now: number,
  besides?: Besides,
): ConditionSince {
  const condition = conditionAfter(before.condition, finding, besides);
  const isSame = condition === before.condition;
  return { condition, condition_since: isSame ? before.condition_since : now };
}
