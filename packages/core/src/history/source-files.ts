import type { FileChange } from "../git/log.ts";
import { groupBy } from "../model/group.ts";
import { findMoves } from "./moves.ts";
import type { EditInfo, PageEvent } from "./page-history.ts";

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
      return pages.map((page) => eventOf(page, { ...change, kind: "modified" }, moment));
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
  return { ...page, kind, hash, ...moment, isExcluded: false };
}
