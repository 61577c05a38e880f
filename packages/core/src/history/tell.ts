import { emptyBlobId } from "../git/blobs.ts";
import type { CommitEvents, PageAddress } from "./events.ts";
import { markHidden } from "./hidden.ts";
import type { GitHistory } from "./history.ts";
import { type OutputEvent, OutputFiles } from "./output-files.ts";
import { SourceFiles } from "./source-files.ts";
import { uncommittedEvents } from "./uncommitted.ts";

/** The whole history of the pages. */
export interface PageHistory {
  /** What happened to pages, commit by commit, oldest first; uncommitted edits come last. */
  readonly commits: readonly CommitEvents[];
  /** Time of the newest commit; `undefined` where there is none. */
  readonly newest: number | undefined;
  /** The file of some page differs from what was committed. */
  readonly hasUncommitted: boolean;
  /** Versions that a partial clone lacks: whether they were for readers is not known. */
  readonly unread: number;
}

/** What the history is read for. */
export interface TellRequest {
  readonly addressOf: (file: string) => PageAddress | undefined;
  /** Whether a page of the output folder is hidden from readers as it stands. */
  readonly isHidden: (url: string) => boolean;
  /** UTC seconds: the time of a file that is gone. */
  readonly now: number;
}

/**
 * Tells the history of every page in one pass over the commits: of a page whose own file is tracked,
 * what happened to that file; of a page with a source file of its own, how that file came to be.
 */
export async function tellHistory(
  { reading, files }: GitHistory,
  request: TellRequest,
): Promise<PageHistory> {
  const { repository, log } = reading;
  const output = new OutputFiles(files.output, request.addressOf);
  const urls = new Map<string, string>();
  for (const [key, page] of files.pageOf) {
    const url = request.addressOf(page)?.url;
    if (url !== undefined) urls.set(key, url);
  }
  const sources = new SourceFiles(urls, emptyBlobId(repository));
  const unsaved = uncommittedEvents(repository, files.edits, { output, sources, ...request });
  const commits: CommitEvents[] = [...unsaved];
  const versions: OutputEvent[] = [];
  let newest: number | undefined;
  await log?.read({
    wants: (path, kind) => output.wants(path, kind) || sources.wants(path, kind),
    visit: ({ time, subject: message }, changes) => {
      newest = Math.max(newest ?? time, time);
      if (changes.length === 0) return undefined;
      const moment = { time, message };
      const own = output.take(changes, moment);
      for (const event of own) versions.push(event);
      const made = sources.take(changes, moment);
      const events = made.length === 0 ? own : [...own, ...made];
      if (events.length > 0) commits.push(events);
      return undefined;
    },
  });
  return {
    commits: commits.reverse(),
    newest,
    hasUncommitted: unsaved.length > 0,
    unread: await markHidden(repository, versions),
  };
}
