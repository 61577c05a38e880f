import { groupBy } from "../group.ts";
import type { CommitEvents, SourceEvent } from "./events.ts";
import { newestTime, sourceFile } from "./file-times.ts";
import type { Repository } from "./git/repository.ts";

/** What an edit that no commit holds yet did to a page, and the files that brought it about. */
export type Unsaved = Omit<SourceEvent, "time" | "message"> & {
  readonly causes: readonly string[];
};

/**
 * Edits that no commit holds yet, those of one page together; their files' times are evidence, since
 * an author edits them.
 *
 * @param now UTC seconds: the time of a file that is gone
 */
export function uncommittedEvents(
  repository: Repository,
  edits: readonly Unsaved[],
  now: number,
): CommitEvents[] {
  const pages = [...groupBy(edits, ({ url }) => url).values()].map((ofPage) => {
    const files = ofPage.flatMap(({ causes }) => causes.map((key) => sourceFile(repository, key)));
    const time = newestTime(files) ?? now;
    const events = ofPage.map(
      ({ causes: _, ...edit }): SourceEvent => ({ ...edit, time, message: undefined }),
    );
    return { time, events };
  });
  return pages.sort((one, other) => one.time - other.time).map(({ events }) => events);
}

/** Marks the versions that were not for readers. */
export function markHidden(events: CommitEvents, hidden: ReadonlySet<string>): CommitEvents {
  if (!events.some(({ blob }) => hidden.has(blob))) return events;
  return events.map((event) => (hidden.has(event.blob) ? { ...event, hidden: true } : event));
}
