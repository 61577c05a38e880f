import type { PublishedCommit } from "../history/events.ts";
import { day } from "../report/phrases.ts";

export interface PastCommit extends PublishedCommit {
  readonly id: string;
}

export interface SkippedCommit {
  readonly commit: string;
  readonly time: number;
  readonly subject: string;
  /** The line of the build's output that names the error, or why its pages could not be read. */
  readonly reason: string;
}

export function skippedCommit({ id, time, subject }: PastCommit, reason: string): SkippedCommit {
  return { commit: id, time, subject, reason };
}

/** `abc1234 of 5 October 2026 “Add moss” (Error: no such filter)`. */
export function nameOf({ commit, time, subject, reason }: SkippedCommit): string {
  return `${commit.slice(0, 7)} of ${day(time)} “${subject}” (${reason})`;
}
