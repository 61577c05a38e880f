import { groupBy } from "../group.ts";
import type { CommitEvents, PageAddress, SourceEvent } from "./events.ts";
import type { GitEvidence } from "./evidence.ts";
import { newestTime, sourceFile } from "./file-times.ts";
import { blobId } from "./git/blob-id.ts";
import { pathName } from "./git/path-key.ts";
import { hiddenVersions } from "./hidden.ts";
import type { Sources } from "./sources/sources.ts";

/** The whole history of the pages' sources. */
export interface SourceHistory {
  /** What happened to pages, commit by commit, oldest first; uncommitted edits come last. */
  readonly commits: readonly CommitEvents[];
  /** Time of the newest commit; `undefined` where there is none. */
  readonly newest: number | undefined;
  /** Some page's source differs from what was committed. */
  readonly hasUncommitted: boolean;
  /** Vanished files of which nothing tells which page they made. */
  readonly unknown: readonly string[];
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

/** Tells the history of every page, from that of its sources. */
export async function tellHistory(
  evidence: GitEvidence,
  request: TellRequest,
): Promise<SourceHistory> {
  const { sources } = evidence;
  const addresses = new Addresses(sources, request.addressOf);
  const commits: SourceEvent[][] = [];
  let newest: number | undefined;
  for (const [{ time, subject: message }, changes] of evidence.history) {
    newest = Math.max(newest ?? time, time);
    const events: SourceEvent[] = [];
    for (const { path, kind, blob } of changes) {
      const url = addresses.of(path)?.url;
      if (url === undefined) continue;
      const makesPage = sources.makesPage(path);
      events.push({ url, source: path, makesPage, kind, blob, time, message, hidden: false });
    }
    if (events.length > 0) commits.push(events);
  }
  const unsaved = uncommittedEvents(evidence, addresses, request);
  const { hidden, unread } = await hiddenVersions(evidence.repository, commits);
  return {
    commits: [...commits.map((events) => markHidden(events, hidden)), ...unsaved],
    newest,
    hasUncommitted: unsaved.length > 0,
    unknown: [...addresses.unknown].map(pathName).sort(),
    unread,
  };
}

/** The page of each source, found once. */
class Addresses {
  readonly unknown = new Set<string>();
  readonly #sources: Sources;
  readonly #addressOf: TellRequest["addressOf"];
  readonly #known = new Map<string, PageAddress | undefined>();

  constructor(sources: Sources, addressOf: TellRequest["addressOf"]) {
    this.#sources = sources;
    this.#addressOf = addressOf;
  }

  of(key: string): PageAddress | undefined {
    if (this.#known.has(key)) return this.#known.get(key);
    const made = this.#sources.madeBy(key);
    if (made.kind === "unknown") this.unknown.add(key);
    const address = made.kind === "page" ? this.#addressOf(made.file) : undefined;
    this.#known.set(key, address);
    return address;
  }
}

function markHidden(events: readonly SourceEvent[], hidden: ReadonlySet<string>): CommitEvents {
  if (!events.some(({ blob }) => hidden.has(blob))) return events;
  return events.map((event) => (hidden.has(event.blob) ? { ...event, hidden: true } : event));
}

/**
 * Edits that no commit holds yet, those of one page together; their files' times are evidence, since
 * an author edits them.
 */
function uncommittedEvents(
  { repository, sources, edits }: GitEvidence,
  addresses: Addresses,
  { now, isHidden }: TellRequest,
): CommitEvents[] {
  const addressed = [...edits].flatMap(([source, kind]) => {
    const url = addresses.of(source)?.url;
    return url === undefined ? [] : [{ url, source, kind }];
  });
  const pages = [...groupBy(addressed, ({ url }) => url)].map(([url, ofPage]) => {
    const time = newestTime(ofPage.map(({ source }) => sourceFile(repository, source))) ?? now;
    const hidden = isHidden(url);
    const events = ofPage.map(({ source, kind }): SourceEvent => {
      // A file that only moved, or is spelled anew, is what was committed.
      const blob = kind === "removed" ? "" : blobId(repository, sourceFile(repository, source));
      const makesPage = sources.makesPage(source);
      return { url, source, makesPage, kind, blob, time, message: undefined, hidden };
    });
    return { time, events };
  });
  return pages.sort((one, other) => one.time - other.time).map(({ events }) => events);
}
