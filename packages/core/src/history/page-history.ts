import { groupBy } from "@rs-emit/documents";
import { emptyBlobId, fileBlobId, readVersions } from "../git/blobs.ts";
import type { FileChange } from "../git/log.ts";
import { fileOfKey, type Repository } from "../git/repository.ts";
import type { Edits, WorkingTree } from "../git/status.ts";
import { bytesIfThere } from "../model/file-system.ts";
import type { PageFacts, Resource } from "../model/resources.ts";
import { timesInOrder } from "./commit-clock.ts";
import type { GitHistory } from "./explanations.ts";
import { newestTime } from "./file-times.ts";
import { LinkedFiles } from "./linked-files.ts";
import { type OutputEvent, OutputFiles } from "./output-files.ts";
import { type Part, partOf } from "./repositories.ts";
import { SourceFiles, withoutOwnUpdates } from "./source-files.ts";
import {
  addUncommitted,
  readOutputVersions,
  type StatementsOfPages,
  type VersionReader,
  type VersionRules,
} from "./versions.ts";

interface PageHistory {
  /** Oldest first; uncommitted edits come last. */
  readonly commits: readonly CommitEvents[];
  /** Whether the first of them is what was there before the log. */
  readonly hasBaseline: boolean;
  readonly newest: number | undefined;
  readonly hasUncommitted: boolean;
  /** The number of versions that a partial clone lacks: only their bytes' ids are known. */
  readonly unread: number;
  readonly statements: StatementsOfPages;
}

interface PageHistoryRequest extends VersionRules {
  readonly addressOf: (file: string) => PageAddress | undefined;
  readonly presentOf: (url: string) => ReadVersion;
  readonly now: number;
  /** With which publication readers got a commit; `undefined` before the log. By default each commit is one. */
  readonly publicationOf?: ((commit: string) => PublishedCommit | undefined) | undefined;
}

export async function readPageHistory(
  { reading, files }: GitHistory,
  request: PageHistoryRequest,
): Promise<PageHistory> {
  const { repository, parts, tree } = reading;
  const output = new OutputFiles(files.output, request.addressOf);
  const urls = [...files.pageOf].flatMap(([key, page]) => {
    const url = request.addressOf(page)?.url;
    return url === undefined ? [] : [[tree.links.get(key) ?? key, url] as const];
  });
  const sources = new SourceFiles(urls, emptyBlobId(repository));
  const linked = new LinkedFiles(repository, tree);
  const unsaved = uncommittedEvents(repository, files.edits, { output, sources, ...request });
  const histories: CommitEvents[][] = [];
  const versions: OutputEvent[] = [];
  const ids = new Map<CommitEvents, string>();
  let newest: number | undefined;
  for (const { log } of parts) {
    const commits: CommitEvents[] = [];
    histories.push(commits);
    const times: number[] = [];
    const places: number[] = [];
    await log?.read({
      wants: (path, kind) => {
        return output.wants(path, kind) || sources.wants(path, kind) || linked.wants(path);
      },
      visit: ({ id, time, subject: message }, changes) => {
        times.push(time);
        if (changes.length === 0) return undefined;
        const moment = { time, message };
        const own = output.take(linked.take(changes), moment);
        for (const event of own) versions.push(event);
        const made = sources.take(changes, moment);
        for (const { kind, url } of made) if (kind === "added") output.endSource(url);
        const events = made.length === 0 ? own : [...own, ...made];
        if (events.length === 0) return undefined;
        commits.push(events);
        ids.set(events, id);
        places.push(times.length);
        return undefined;
      },
    });
    const inOrder = timesInOrder(times.reverse(), request.now);
    for (const [at, events] of commits.entries()) date(events, inOrder.at(-(places[at] ?? 1)));
    const last = inOrder.at(-1);
    if (last !== undefined) newest = Math.max(newest ?? last, last);
  }
  const uncommitted = datedAfter(newest, unsaved.flat(), request.now);
  const timeOf = ([event]: CommitEvents) => event?.time ?? 0;
  const committed = histories.flat().sort((one, other) => timeOf(other) - timeOf(one));
  const reader = versionReader(parts, tree);
  const fileOf = (source: string) => fileOfKey(repository, source);
  const commits = await withoutOwnUpdates(
    [...uncommitted, ...committed],
    new Set(uncommitted.flat()),
    (source) => bytesIfThere(fileOf(source)),
    reader,
  );
  const read = await readOutputVersions(reader, versions, request);
  await addUncommitted(
    unsaved.flat().filter(({ kind }) => kind !== "removed"),
    fileOf,
    { ...request, ...read },
  );
  const { publicationOf } = request;
  const inOrder = commits.toReversed();
  const facts = { newest, hasUncommitted: unsaved.length > 0, ...read };
  if (publicationOf === undefined) return { commits: inOrder, hasBaseline: false, ...facts };
  return { ...published(inOrder, (commit) => publicationOf(ids.get(commit) ?? "")), ...facts };
}

/** Commits that readers got together are one, in which the last event of each file counts. */
function published(
  commits: readonly CommitEvents[],
  publicationOf: (commit: CommitEvents) => PublishedCommit | undefined,
): Pick<PageHistory, "commits" | "hasBaseline"> {
  const together = groupBy(commits, publicationOf);
  const merged = [...together].map(([publication, ofOne]) => {
    const last = new Map(ofOne.flat().map((event) => [event.source, event]));
    return [...last.values()].map((event) => {
      const message = event.message && publication?.subject;
      return publication === undefined ? event : { ...event, time: publication.time, message };
    });
  });
  return { commits: merged, hasBaseline: together.has(undefined) };
}

function date(events: CommitEvents, time: number | undefined): void {
  for (const event of events) Object.assign(event, { time });
}

/** Newest first. A file may have an older time than the last commit; files with one time changed together. */
function datedAfter(
  newest: number | undefined,
  events: readonly PageEvent[],
  now: number,
): readonly CommitEvents[] {
  for (const event of events) {
    date([event], Math.min(Math.max(event.time, newest ?? event.time), now));
  }
  return [...groupBy(events, ({ time }) => time).values()];
}

function versionReader(parts: readonly Part[], { links }: WorkingTree): VersionReader {
  return async function* (events) {
    const byPart = groupBy(events, ({ source }) => partOf(parts, links.get(source) ?? source));
    for (const [part, ofPart] of byPart) {
      if (part === undefined) continue;
      yield* readVersions(part.repository, new Set(ofPart.map(({ hash }) => hash)));
    }
  };
}

interface UncommittedContext extends Pick<PageHistoryRequest, "presentOf" | "now"> {
  readonly output: OutputFiles;
  readonly sources: SourceFiles;
}

/** One commit for each page, newest first, dated by its files' times. */
function uncommittedEvents(
  repository: Repository,
  edits: Edits,
  { output, sources, presentOf, now }: UncommittedContext,
): CommitEvents[] {
  const changes = editsAsChanges(repository, edits, { output, sources });
  const moment = { time: now, message: undefined };
  const own = output.take(changes, moment).map((one) => ({ ...one, ...presentOf(one.url) }));
  const made = sources.take(changes, moment).map((one) => {
    return { ...one, isExcluded: presentOf(one.url).isExcluded };
  });
  const events = [...own, ...made];
  const pages = [...groupBy(events, ({ url }) => url).values()].map((ofPage) => {
    const files = ofPage.map(({ source }) => fileOfKey(repository, source));
    const time = newestTime(files) ?? now;
    return { time, events: ofPage.map((event) => ({ ...event, time })) };
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

export interface PageAddress {
  readonly url: string;
  readonly collection: string;
}

export interface EditInfo {
  /** UTC seconds, in the order of the commits; uncommitted edits have their file's time. */
  readonly time: number;
  readonly message: string | undefined;
}

/** A commit whose files readers got. */
export interface PublishedCommit {
  /** UTC seconds, in the order of the line. */
  readonly time: number;
  readonly subject: string;
}

/** What is known of a page's version; unknown for a source file. */
export interface ReadVersion
  extends PageFacts,
    Pick<Resource, "undecoded" | "blocks" | "description"> {
  readonly isExcluded: boolean;
  /** It is excluded as a part of pages, unless it was published before. */
  readonly isFragment?: boolean | undefined;
  readonly leadsTo?: string | undefined;
  readonly headings?: readonly string[] | undefined;
  readonly siteName?: string | undefined;
}

export interface PageEvent extends EditInfo, ReadVersion {
  readonly url: string;
  /** The file's key, which distinguishes files with the same URL. */
  readonly source: string;
  readonly kind: "added" | "modified" | "removed";
  readonly hash: string;
  /** The version before, of a source file that was edited. */
  readonly previous?: string | undefined;
}

/** Events of one commit are kept together: a file that moved within one URL is no deletion. */
export type CommitEvents = readonly PageEvent[];
