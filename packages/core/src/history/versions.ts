import { readVersions } from "../git/blobs.ts";
import type { Repository } from "../git/repository.ts";
import type { ContentRule } from "../inventory/content-rule.ts";
import { LONGEST_READ } from "../inventory/file-digest.ts";
import { isPage } from "../inventory/file-rules.ts";
import { mayBeExcluded } from "../inventory/for-readers.ts";
import type { Page } from "../inventory/page.ts";
import { groupBy } from "../model/group.ts";
import { isXhtml } from "../pages/marks.ts";
import type { CommitEvents, ReadVersion } from "./events.ts";
import type { OutputEvent } from "./output-files.ts";

/**
 * Reads each version of a page once. A version that a partial clone lacks counts as for readers,
 * and has no identities.
 * @param commits all that is told of the pages
 * @returns how many versions are missing
 */
export async function readOutputVersions(
  repository: Repository,
  events: readonly OutputEvent[],
  commits: readonly CommitEvents[],
  rule: ContentRule,
  remembers: boolean,
): Promise<number> {
  const pages = events.filter(({ kind, source }) => kind !== "removed" && isPage(source));
  if (pages.length === 0) return 0;
  // A page that never changed tells, too, what stands on most pages.
  const isCompared = remembers ? () => true : severalTimes(commits);
  const versions = groupBy(pages, ({ hash }) => hash);
  const { readPage } = await import("../inventory/page.ts");
  const shells = remembers ? new Map<string, string>() : undefined;
  let unread = 0;
  for await (const { blob, bytes } of readVersions(repository, versions.keys())) {
    if (bytes === undefined) unread++;
    else {
      const bySyntax = groupBy(versions.get(blob) ?? [], ({ source }) => isXhtml(source));
      for (const [xhtml, same] of bySyntax) {
        const needsIdentities = same.some(({ url }) => isCompared(url));
        if (!needsIdentities && !mayBeExcluded(bytes)) continue;
        const version = readVersion(bytes, (head) => readPage(head, { rule, xhtml, shells }));
        for (const event of same) Object.assign(event, version);
      }
    }
  }
  return unread;
}

/** As of a file in the output folder, an identity of the first megabytes would miss changes after them. */
function readVersion(bytes: Uint8Array, readPage: (head: Uint8Array) => Page): ReadVersion {
  const { excluded, ...read } = readPage(bytes.subarray(0, LONGEST_READ));
  const isExcluded = excluded !== undefined;
  const { content, markup, title, heading, blocks } = read;
  if (bytes.length > LONGEST_READ) return { isExcluded, title, heading };
  return { isExcluded, content, markup, title, heading, blocks };
}

/** A page with one version is compared with nothing. */
function severalTimes(commits: readonly CommitEvents[]): (url: string) => boolean {
  const once = new Set<string>();
  const several = new Set<string>();
  for (const { url } of commits.flat()) (once.has(url) ? several : once).add(url);
  return (url) => several.has(url);
}
