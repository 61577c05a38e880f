import { groupBy } from "@rs-emit/documents";
import type { FileChange } from "../git/log.ts";
import { elementKind } from "../page/elements.ts";
import { MARK } from "../page/placeholders/find-placeholders.ts";
import { mayBeMarked } from "../page/placeholders/placeholder-search.ts";
import { findMoves } from "./moves.ts";
import type { CommitEvents, EditInfo, PageEvent } from "./page-history.ts";
import type { VersionReader } from "./versions.ts";

/** Commits are read newest first. A file that continues a removed file is followed to its earlier path. */
export class SourceFiles {
  readonly #pages: Map<string, readonly FollowedPage[]>;
  readonly #emptyBlob: string;

  /** @param urls several pages may have one file, through links */
  constructor(urls: readonly (readonly [source: string, url: string])[], emptyBlob: string) {
    const pages = urls.map(([source, url]) => ({ source, url }));
    this.#pages = groupBy(pages, ({ source }) => source);
    this.#emptyBlob = emptyBlob;
  }

  follows(key: string): boolean {
    return this.#pages.has(key);
  }

  wants(path: string, kind: FileChange["kind"]): boolean {
    return this.#pages.size > 0 && (kind !== "modified" || this.#pages.has(path));
  }

  take(changes: readonly FileChange[], moment: EditInfo): PageEvent[] {
    const events: PageEvent[] = [];
    const arrived: FileChange[] = [];
    for (const change of changes) {
      const pages = change.kind === "removed" ? undefined : this.#pages.get(change.path);
      if (pages === undefined) continue;
      if (change.kind === "added") arrived.push(change);
      else events.push(...pages.map((page) => eventOf(page, change, moment)));
    }
    if (arrived.length > 0) events.push(...this.#takeArrived(arrived, changes, moment));
    return events;
  }

  #takeArrived(
    arrived: readonly FileChange[],
    changes: readonly FileChange[],
    moment: EditInfo,
  ): PageEvent[] {
    const left = changes.filter(({ kind }) => kind === "removed");
    const added = changes.filter(({ kind }) => kind === "added");
    const moves = findMoves(
      left.map(({ path, previous }) => ({ path, blob: previous })),
      added,
      this.#emptyBlob,
    );
    return arrived.flatMap((change) => {
      const pages = this.#pages.get(change.path);
      if (pages === undefined) return [];
      const from = moves.get(change.path);
      this.#pages.delete(change.path);
      if (from === undefined) return pages.map((page) => eventOf(page, change, moment));
      this.#pages.set(from.path, pages);
      if (from.blob === change.blob) return [];
      return pages.map((page) =>
        eventOf(page, { ...change, kind: "modified", previous: from.blob }, moment),
      );
    });
  }
}

/** A page and today's key of its source file, which identifies the file under earlier paths. */
interface FollowedPage {
  readonly url: string;
  readonly source: string;
}

function eventOf(page: FollowedPage, change: FileChange, moment: EditInfo): PageEvent {
  const { kind, blob: hash } = change;
  const previous = kind === "modified" ? change.previous : undefined;
  return { ...page, kind, hash, previous, ...moment, isExcluded: false };
}

/**
 * Drops updates that brought a list or a date of ours into a page's source file, or changed it there: it is no content.
 * @param uncommitted of a file as it is now: git does not have that version
 * @param presentOf the bytes of a file as it is now, where it is in the working tree: not in a sparse one
 */
export async function withoutOwnUpdates(
  commits: readonly CommitEvents[],
  uncommitted: ReadonlySet<PageEvent>,
  presentOf: (source: string) => Uint8Array | undefined,
  read: VersionReader,
): Promise<readonly CommitEvents[]> {
  const updates = commits.flat().filter(({ previous }) => previous !== undefined);
  const present = new Map<string, string>();
  for (const [source] of groupBy(updates, (update) => update.source)) {
    const bytes = presentOf(source);
    if (bytes !== undefined && mayBeMarked(bytes)) present.set(source, withoutOurLines(bytes));
  }
  if (present.size === 0) return commits;
  const marked = updates.filter(({ source }) => present.has(source));
  const texts = new Map<string, string>();
  const committed = marked.filter((update) => !uncommitted.has(update));
  const before = marked.map((update) => ({ ...update, hash: update.previous ?? "" }));
  for await (const { blob, bytes } of read([...committed, ...before])) {
    if (bytes !== undefined) texts.set(blob, withoutOurLines(bytes));
  }
  const isOwn = (event: PageEvent) => {
    const { source, hash, previous = "" } = event;
    const text = uncommitted.has(event) ? present.get(source) : texts.get(hash);
    return text !== undefined && text === texts.get(previous);
  };
  return commits
    .map((events) => events.filter((event) => !isOwn(event)))
    .filter(({ length }) => length > 0);
}

/** Code in Markdown, which shows elements; or an element of ours in HTML, Markdown or JSX. */
const CODE_OR_OWN_ELEMENT = new RegExp(
  `(\`+)[^\`]+\\1|<(ul|ol|time)\\b[^<>]*\\b${MARK}\\b[^<>]*(?:/>|>(?:(?!<\\2\\b).)*?</\\2\\s*>)`,
  "gis",
);

const TAG = /\s*<\/?([a-z][\w-]*)[^<>]*>\s*/gi;

/** White space that shows is kept, as one space. */
function withoutOurLines(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replaceAll(CODE_OR_OWN_ELEMENT, (found) => (found.startsWith("`") ? found : " "))
    .replaceAll(TAG, (tag, name) => (elementKind(name.toLowerCase()).breaksLine ? tag.trim() : tag))
    .replaceAll(/\s+/g, " ")
    .replaceAll("> <", "><")
    .trim();
}
