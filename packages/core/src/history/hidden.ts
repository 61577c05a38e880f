import { readVersions } from "../git/blobs.ts";
import type { Repository } from "../git/repository.ts";
import { isPage } from "../inventory/candidates.ts";
import { mayBeHidden } from "../inventory/readers.ts";
import { groupBy } from "../model/group.ts";
import type { OutputEvent } from "./output-files.ts";

/**
 * Marks the versions of pages that were not for readers at their time: `noindex`, or a redirect.
 * Visibility belongs to each version, not to the page as it is today.
 *
 * In a partial clone some versions may be out of reach; they count as visible, and are counted.
 *
 * @returns how many versions could not be read
 */
export async function markHidden(
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
    else if (mayBeHidden(bytes) && readPage(bytes).hidden !== undefined) {
      for (const event of versions.get(blob) ?? []) event.hidden = true;
    }
  }
  return unread;
}
