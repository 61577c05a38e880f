import { isPage } from "../inventory/candidates.ts";
import type { CommitEvents } from "./events.ts";
import { pathName } from "./git/path-key.ts";
import type { Repository } from "./git/repository.ts";
import { readVersions } from "./git/versions.ts";

const latin1 = new TextDecoder("latin1");

/** Only pages that hold one of these words can be hidden; the others need not be parsed. */
const HINTS = /robots|refresh/i;

/** Which versions were hidden. */
export interface HiddenVersions {
  /** Ids of their contents. */
  readonly hidden: ReadonlySet<string>;
  /** Versions whose contents could not be had. */
  readonly unread: number;
}

/**
 * The versions of pages that were not for readers at their time: `noindex`, or a redirect. Visibility
 * belongs to each version, not to the page as it is today.
 *
 * In a partial clone some versions may be out of reach; they count as visible, and are counted.
 */
export async function hiddenVersions(
  repository: Repository,
  commits: readonly CommitEvents[],
): Promise<HiddenVersions> {
  const blobs = new Set<string>();
  for (const events of commits) {
    for (const { blob, source } of events) {
      if (blob !== "" && isPage(pathName(source))) blobs.add(blob);
    }
  }
  const hidden = new Set<string>();
  let unread = 0;
  if (blobs.size === 0) return { hidden, unread };
  const isHidden = await hiddenPages();
  for await (const { blob, bytes } of readVersions(repository, blobs)) {
    if (bytes === undefined) unread++;
    else if (isHidden(bytes)) hidden.add(blob);
  }
  return { hidden, unread };
}

/** Tells from a page's bytes whether it is not for readers. */
export async function hiddenPages(): Promise<(bytes: Uint8Array) => boolean> {
  const { readPage } = await import("../inventory/page.ts");
  return (bytes) => mayBeHidden(bytes) && readPage(bytes).hidden !== undefined;
}

/** In UTF-16 every other byte of these words is zero. */
function mayBeHidden(bytes: Uint8Array): boolean {
  const text = latin1.decode(bytes);
  return HINTS.test(text.includes("\0") ? text.replaceAll("\0", "") : text);
}
