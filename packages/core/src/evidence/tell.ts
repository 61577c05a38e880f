import type { CommitEvents, PageAddress } from "./events.ts";
import type { GitEvidence } from "./evidence.ts";
import { tellByPath } from "./tell-by-path.ts";

/** The whole history of the pages' sources. */
export interface SourceHistory {
  /** What happened to pages, commit by commit, oldest first; uncommitted edits come last. */
  readonly commits: readonly CommitEvents[];
  /** Time of the newest commit; `undefined` where there is none. */
  readonly newest: number | undefined;
  /** Some page's source differs from what was committed. */
  readonly hasUncommitted: boolean;
  /** Files that make no page today, and of which nothing tells which page they once made. */
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
export function tellHistory(evidence: GitEvidence, request: TellRequest): Promise<SourceHistory> {
  return tellByPath(evidence, request);
}
