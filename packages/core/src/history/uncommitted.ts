import { fileBlobId } from "../git/blobs.ts";
import type { FileChange } from "../git/log.ts";
import { fileOfKey } from "../git/paths.ts";
import type { Repository } from "../git/repository.ts";
import type { Edit, WorkingTree } from "../git/status.ts";
import { groupBy } from "../model/group.ts";
import type { CommitEvents } from "./events.ts";
import { newestTime } from "./file-times.ts";
import type { OutputFiles } from "./output-files.ts";
import type { SourceFiles } from "./source-files.ts";

/** Edits that no commit holds yet, by key. */
export type Edits = ReadonlyMap<string, Edit>;

/**
 * The edits of an author that no commit holds yet.
 *
 * New files count only beside a committed one that is a page, or the source file of one. Where git
 * holds none, a builder wrote them, and they have the time of the build.
 *
 * @param isOfPage whether a file is a page or the source file of one, by its key
 */
export function authorsEdits(
  { committed, edits }: WorkingTree,
  isOfPage: (key: string) => boolean,
): Edits {
  if (![...edits.values()].some(({ kind }) => kind === "added")) return edits;
  for (const key of committed) if (isOfPage(key)) return edits;
  return new Map([...edits].filter(([, { kind }]) => kind !== "added"));
}

/** Who tells what edits did to pages. */
export interface Tellers {
  readonly output: OutputFiles;
  readonly sources: SourceFiles;
  /** Whether a page of the output folder is hidden from readers as it stands. */
  readonly isHidden: (url: string) => boolean;
  /** UTC seconds: the time of a file that is gone. */
  readonly now: number;
}

/**
 * What uncommitted edits did to pages, as a commit of their own for each page, newest first. Their
 * files' times tell when, since an author edits them.
 */
export function uncommittedEvents(
  repository: Repository,
  edits: Edits,
  { output, sources, isHidden, now }: Tellers,
): CommitEvents[] {
  const changes = editsAsChanges(repository, edits, { output, sources });
  const moment = { time: now, message: undefined };
  const events = [...output.take(changes, moment), ...sources.take(changes, moment)];
  const pages = [...groupBy(events, ({ url }) => url)].map(([url, ofPage]) => {
    const files = ofPage.map(({ source }) => fileOfKey(repository, source));
    const time = newestTime(files) ?? now;
    const hidden = isHidden(url);
    return { time, events: ofPage.map((event) => ({ ...event, time, hidden })) };
  });
  return pages.sort((one, other) => other.time - one.time).map(({ events }) => events);
}

/** Contents are read only where they matter: a file that only moved is what was committed. */
function editsAsChanges(
  repository: Repository,
  edits: Edits,
  { output, sources }: Pick<Tellers, "output" | "sources">,
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
