import { type Note, TextNote } from "../model/note.ts";
import { count, day } from "../report/words.ts";
import type { SkippedCommit } from "./commits.ts";
import type { Past } from "./options.ts";

const SHOWN = 5;

export function backfillNotes(
  past: Past,
  found: {
    readonly undated: number;
    readonly skipped: readonly SkippedCommit[];
    readonly passedOver: number;
    readonly unstable: readonly string[];
  },
): Note[] {
  const { undated, skipped, passedOver, unstable } = found;
  const notes: Note[] = [];
  const add = (code: string, message: string) => notes.push(new TextNote(code, message));
  if (undated > 0) {
    add(
      "UNDATED",
      `${count(undated, "page is", "pages are")} older than ${past.since}: in the Resource List, without ` +
        "an entry in the log.",
    );
  }
  if (skipped.length > 0) {
    add(
      "SKIPPED",
      `${count(skipped.length, "commit was", "commits were")} skipped, and the log reports ` +
        `${skipped.length === 1 ? "its" : "their"} changes with the next commit that could be read: ` +
        `${skipped.slice(0, SHOWN).map(nameOf).join("; ")}${more(skipped.length)}.`,
    );
  }
  if (passedOver > 0) {
    add(
      "PASSED_OVER",
      `${count(passedOver, "commit is", "commits are")} older than the build's set-up, and not in the log.`,
    );
  }
  if (unstable.length > 0) {
    add(
      "UNSTABLE",
      `${count(unstable.length, "page is", "pages are")} different each time they are built, so the log ` +
        `reports no update of ${unstable.length === 1 ? "it" : "them"}: ` +
        `${unstable.slice(0, SHOWN).join(", ")}${more(unstable.length)}.`,
    );
  }
  return notes;
}

function nameOf({ commit, time, subject, reason }: SkippedCommit): string {
  return `${commit.slice(0, 7)} of ${day(time)} “${subject}” (${reason})`;
}

function more(length: number): string {
  return length > SHOWN ? ` and ${length - SHOWN} more` : "";
}
