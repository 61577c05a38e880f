import { count, list, plural } from "@rs-emit/documents";
import { type Note, type Text, TextNote } from "../model/sentence.ts";
import type { UnstablePages } from "./commit-states.ts";
import { nameOfSkipped, type SkippedCommit } from "./commits.ts";
import { buildAdvice } from "./errors.ts";
import type { PastSettings } from "./options.ts";

interface ReplayFindings {
  readonly older: number;
  /** The number of pages that first appear after a gap and have no other date. */
  readonly appeared: number;
  readonly skipped: readonly SkippedCommit[];
  readonly passedOver: number;
  readonly unstable: Pick<UnstablePages, "content" | "markup">;
}

/** Of a committed folder, each commit can be read. */
export const NOTHING_SKIPPED: Omit<ReplayFindings, "older"> = {
  appeared: 0,
  skipped: [],
  passedOver: 0,
  unstable: { content: [], markup: [] },
};

export function backfillNotes(past: PastSettings, found: ReplayFindings): Note[] {
  const { older, appeared, skipped, passedOver, unstable } = found;
  const notes: Note[] = [];
  const add = (code: string, message: Text) => notes.push(new TextNote(code, message));
  if (older > 0) {
    add(
      "UNDATED",
      `${count(older, "page is", "pages are")} older than ${past.since}: in the Resource List, without ` +
        "an entry in the log.",
    );
  }
  if (skipped.length > 0) {
    const reasons = skipped.map(({ reason }) => reason);
    add("SKIPPED", [
      `${count(skipped.length, "commit was", "commits were")} skipped, and the log reports ` +
        `${plural(skipped.length, "its", "their")} updates and deletions with the next commit that could be ` +
        `read: ${list(skipped.map(nameOfSkipped), 5, "; ")}.`,
      ...buildAdvice(reasons, past),
    ]);
  }
  if (appeared > 0) {
    add(
      "FIRST_SEEN",
      `${count(appeared, "page was", "pages were")} first seen after commits that could not be read: when ` +
        `${plural(appeared, "it was", "they were")} created is not known, and the log has only what came later.`,
    );
  }
  if (passedOver > 0) {
    add(
      "PASSED_OVER",
      `${count(passedOver, "commit is", "commits are")} older than the build's set-up, and not in the log.`,
    );
  }
  const { content, markup } = unstable;
  if (content.length > 0) {
    add(
      "UNSTABLE",
      `${count(content.length, "page is", "pages are")} different each time they are built, so the log ` +
        `reports no update of ${plural(content.length, "it", "them")}: ` +
        `${list(content)}.`,
    );
  }
  if (markup.length > 0) {
    add(
      "UNSTABLE_MARKUP",
      `${count(markup.length, "page has", "pages have")} other markup each time they are built, such as the ` +
        `time of the build, so the log reports no minor change of ${plural(markup.length, "it", "them")}: ` +
        `${list(markup)}.`,
    );
  }
  return notes;
}
