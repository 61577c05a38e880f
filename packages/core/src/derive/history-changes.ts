import { type ChangeKind, urlKey } from "@rs-emit/documents";
import type { CommitEvents, PageAddress, PageEvent } from "../history/events.ts";
import { isNotFoundPage } from "../inventory/for-readers.ts";
import { byDepth, type Collection } from "../model/collections.ts";
import type { Annotation } from "../model/environment.ts";
import { groupBy } from "../model/group.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import type { Inventory } from "../model/resources.ts";
import { urlOf } from "../model/url.ts";
import { compareVersions, type Verdict } from "./versions.ts";

interface PageState {
  /** The last event of each existing file; more than one while a URL has two spellings. */
  readonly existing: Map<string, PageEvent>;
  last: number;
}

/**
 * @param commits oldest first
 * @param now times from the future count as now
 */
export function changesOfCommits(commits: Iterable<CommitEvents>, now: number): Change[] {
  const pages = new Map<string, PageState>();
  const changes: Change[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const events of commits) {
    for (const [url, ofPage] of groupByUrl(events)) {
      const page = pages.get(url) ?? { existing: new Map(), last: Number.NEGATIVE_INFINITY };
      pages.set(url, page);
      const outcome = applyEvents(page, ofPage);
      const [first] = ofPage;
      if (outcome === undefined || first === undefined) continue;
      latest = Math.max(latest, Math.min(first.time, now));
      page.last = Math.max(latest, page.last + 1);
      changes.push({
        url,
        kind: outcome.kind,
        datetime: page.last,
        lastmod: Math.min(first.time, now),
        ...(outcome.minor ? { minor: true } : {}),
        message: first.message,
      });
    }
  }
  return changes.sort(inLogOrder);
}

function groupByUrl(events: CommitEvents): Iterable<[string, PageEvent[]]> {
  const [only] = events;
  if (events.length === 1 && only !== undefined) return [[only.url, [only]]];
  return groupBy(events, ({ url }) => url);
}

function applyEvents(
  { existing }: PageState,
  events: readonly PageEvent[],
): { readonly kind: ChangeKind; readonly minor: boolean } | undefined {
  const before = visible(existing);
  const existed = existing.size > 0;
  for (const event of events) {
    if (event.kind === "removed") existing.delete(event.source);
    else existing.set(event.source, event);
  }
  const after = visible(existing);
  // The file existed before or still exists, so the page was only shown or hidden.
  if (before === undefined) return after && { kind: "created", minor: existed };
  if (after === undefined) return { kind: "deleted", minor: existing.size > 0 };
  const verdict = compareFiles(before, after);
  return verdict === "same" ? undefined : { kind: "updated", minor: verdict === "minor" };
}

function visible(existing: PageState["existing"]): readonly PageEvent[] | undefined {
  const files = [...existing.values()];
  return files.length === 0 || files.some(({ isExcluded }) => isExcluded) ? undefined : files;
}

/** Of several files with one URL, readers may find any. */
function compareFiles(before: readonly PageEvent[], after: readonly PageEvent[]): Verdict {
  if (before.length !== after.length) return "full";
  const verdicts = after.map((file, at) => compareVersions(before[at] ?? {}, file));
  if (verdicts.includes("full")) return "full";
  return verdicts.includes("minor") ? "minor" : "same";
}

export interface PageRules {
  readonly site: string;
  readonly cleanUrls: boolean;
  readonly collections: readonly Collection[];
  readonly annotate: ((file: string) => Annotation | undefined) | undefined;
  readonly isCandidate: (file: string) => boolean;
}

interface PageAddresses {
  /** `undefined` for a file that is or would be no resource. */
  readonly addressOf: (file: string) => PageAddress | undefined;
  readonly collectionOf: (url: string) => string | undefined;
}

export function pageAddresses(inventory: Inventory, rules: PageRules): PageAddresses {
  const existing = new Map(inventory.resources.map((resource) => [resource.file, resource]));
  const addresses = new Map<string, PageAddress>(
    inventory.resources.map((one) => [urlKey(one.url), one]),
  );
  const collectionOf = byDepth(rules.collections);
  return {
    addressOf: (file) => {
      const resource = existing.get(file);
      if (resource !== undefined) return resource;
      if (!rules.isCandidate(file) || isNotFoundPage(file)) return undefined;
      const collection = collectionOf(file)?.url;
      if (collection === undefined) return undefined;
      const url = rules.annotate?.(file)?.url ?? urlOf(rules.site, file, rules.cleanUrls);
      const key = urlKey(url);
      // All spellings of a deleted page are one resource, in the form of the first request.
      const address = addresses.get(key) ?? { url, collection };
      addresses.set(key, address);
      return address;
    },
    collectionOf: (url) => addresses.get(urlKey(url))?.collection,
  };
}
