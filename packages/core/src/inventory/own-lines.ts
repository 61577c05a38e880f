import { digestBytes } from "../model/digest.ts";
import type { SnapshotEntry, UnfinishedPage } from "../model/resources.ts";
import {
  findMarks,
  isWritable,
  isXhtml,
  withoutMarks,
} from "../page/placeholders/find-placeholders.ts";
import { mayBeMarked, onlyLinksIn } from "../page/placeholders/placeholder-search.ts";
import type { FileDigest } from "./file-digest.ts";
import { isPage } from "./file-rules.ts";

/** The lines of rs-emit in a page. Without them, the page is compared with its published version. */
export interface OwnLines {
  /** The hash of the page without them. */
  readonly original: string;
  /** Whether it may have any: a quick test. */
  readonly isMarked: boolean;
  /** Absent where the page needs no other lines. */
  readonly own?: UnfinishedPage["own"] | undefined;
  /** Some of them cannot be written. */
  readonly isUnfit: boolean;
}

/**
 * The page is in memory only here.
 * @param published the page with the same bytes, if there is one
 * @param link whether each page gets links, or loses those of rs-emit; `undefined` leaves them
 */
export function ownLinesIn(
  file: string,
  { head, hash, isWhole }: FileDigest,
  published: Pick<SnapshotEntry, "hash" | "original"> | undefined,
  link: boolean | undefined,
): OwnLines {
  const original = (published?.hash === hash && published.original) || hash;
  const isMarked = isPage(file) && mayBeMarked(head);
  if (!isPage(file) || !(link || isMarked)) return { original, isMarked, isUnfit: false };
  if (!isWhole || !isWritable(head)) return { original, isMarked, isUnfit: true };
  // Parsing takes longer than reading, and a published page was parsed before.
  const html = original === hash || link === false ? undefined : onlyLinksIn(head);
  if (html !== undefined)
    return { original, isMarked, own: link === undefined ? undefined : { html }, isUnfit: false };
  const marks = findMarks(head, isXhtml(file));
  const { regions, dates, unfit, ownLinks } = marks;
  const isLosing = link === false && ownLinks.length > 0;
  const without = withoutMarks(head, marks);
  return {
    original: without === head ? hash : digestBytes(without).hash,
    own: link || isLosing || regions.length + dates.length > 0 ? marks : undefined,
    isMarked,
    isUnfit: unfit > 0,
  };
}
