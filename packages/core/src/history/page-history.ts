import { emptyBlobId, fileBlobId, readVersions } from "../git/blobs.ts";
import type { FileChange } from "../git/log.ts";
import { fileOfKey, type Repository } from "../git/repository.ts";
import { isPage } from "../inventory/file-rules.ts";
import { mayBeExcluded } from "../inventory/for-readers.ts";
import { groupBy } from "../model/group.ts";
import type { CommitEvents, PageAddress } from "./events.ts";
import { newestTime } from "./file-times.ts";
import type { GitHistory } from "./history.ts";
import { type OutputEvent, OutputFiles } from "./output-files.ts";
import type { Edits } from "./page-files.ts";
import { SourceFiles } from "./source-files.ts";

export interface PageHistory {
  /** Oldest first; uncommitted edits come last. */
  readonly commits: readonly CommitEvents[];
  /** The newest commit's; `undefined` without commits. */
  readonly newest: number | undefined;
  readonly hasUncommitted: boolean;
  /** Versions that a partial clone lacks: whether they were for readers is unknown. */
  readonly unread: number;
}

export interface PageHistoryRequest {
  readonly addressOf: (file: string) => PageAddress | undefined;
  readonly isExcluded: (url: string) => boolean;
  readonly now: number;
}

export async function readPageHistory(
  { reading, files }: GitHistory,
  request: PageHistoryRequest,
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
    unread: await markExcluded(repository, versions),
  };
}

/**
 * The page of today may differ. Missing versions of a partial clone count as for readers.
 * @returns how many versions are missing
 */
export async function markExcluded(
  repository: Repository,
  events: readonly OutputEvent[],
): Promise<number> {
  const pages = events.filter(({ kind, source }) => kind !== "removed" && isPage(source));
  if (pages.length === 0) return 0;
  const versions = groupBy(pages, ({ blob }) => blob);
  const { readPage } = await import("../inventory/page.ts");
  let unread = 0;
  for await (const { blob, bytes } of readVersions(repository, versions.keys())) {
    if (bytes === undefined) unread++;
    else if (mayBeExcluded(bytes) && readPage(bytes).excluded !== undefined) {
      for (const event of versions.get(blob) ?? []) event.isExcluded = true;
    }
  }
  return unread;
}

export interface UncommittedContext {
  readonly output: OutputFiles;
  readonly sources: SourceFiles;
  readonly isExcluded: (url: string) => boolean;
  readonly now: number;
}

/** One commit per page, newest first, dated by its files' times. */
export function uncommittedEvents(
  repository: Repository,
  edits: Edits,
  { output, sources, isExcluded, now }: UncommittedContext,
): CommitEvents[] {
  const changes = editsAsChanges(repository, edits, { output, sources });
  const moment = { time: now, message: undefined };
  const events = [...output.take(changes, moment), ...sources.take(changes, moment)];
  const pages = [...groupBy(events, ({ url }) => url)].map(([url, ofPage]) => {
    const files = ofPage.map(({ source }) => fileOfKey(repository, source));
    const time = newestTime(files) ?? now;
    const excluded = isExcluded(url);
    return { time, events: ofPage.map((event) => ({ ...event, time, isExcluded: excluded })) };
  });
  return pages.sort((one, other) => other.time - one.time).map(({ events }) => events);
}

/** A file that only moved has its committed contents, which need not be read. */
function editsAsChanges(
  repository: Repository,
  edits: Edits,
  { output, sources }: Pick<UncommittedContext, "output" | "sources">,
): FileChange[] {
  const all = [...edits];
  const mayMove =
    all.some(([, { kind }]) => kind === "removed") &&
    all.some(([key, { kind }]) => kind === "added" && sources.follows(key));
  return all.map(([path, { kind, previous }]) => {
    const matters =
      output.urlOf(path) !== undefined || sources.follows(path) || (mayMove && kind === "added");
    const isRead = matters && kind !== "removed";
    const blob = isRead ? fileBlobId(repository, fileOfKey(repository, path)) : "";
    return { path, kind, previous, blob };
  });
}
