import { type ChangeKind, urlKey } from "@rs-emit/documents";
import type { CommitEvents, PageAddress, PageEvent } from "../history/events.ts";
import { isNotFoundPage } from "../inventory/for-readers.ts";
import { byDepth, type Collection } from "../model/collections.ts";
import type { Annotation } from "../model/environment.ts";
import { groupBy } from "../model/group.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { type Inventory, wordsOf } from "../model/resources.ts";
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
      const { kind, minor, version } = outcome;
      changes.push({
        url,
        kind,
        datetime: page.last,
        lastmod: Math.min(first.time, now),
        ...wordsOf(version),
        ...(minor ? { minor: true } : {}),
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

interface Outcome {
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** What readers found; of a deleted page, the last. */
  readonly version: PageEvent;
}

function applyEvents({ existing }: PageState, events: readonly PageEvent[]): Outcome | undefined {
  const before = visible(existing);
  const existed = existing.size > 0;
  for (const event of events) {
    if (event.kind === "removed") existing.delete(event.source);
    else existing.set(event.source, event);
  }
  const after = visible(existing);
  // The file existed before or still exists, so the page was only shown or hidden.
  if (before === undefined) {
    return after && { kind: "created", minor: existed, version: after[0] };
  }
  if (after === undefined) {
    return { kind: "deleted", minor: existing.size > 0, version: before[0] };
  }
  const verdict = compareFiles(before, after);
  if (verdict === "same") return undefined;
  return { kind: "updated", minor: verdict === "minor", version: after[0] };
}

/** Of several files with one URL, readers may find any. */
type Files = readonly [PageEvent, ...PageEvent[]];

function visible(existing: PageState["existing"]): Files | undefined {
  const [first, ...others] = existing.values();
  if (first === undefined) return undefined;
  return [first, ...others].some(({ isExcluded }) => isExcluded) ? undefined : [first, ...others];
}

function compareFiles(before: Files, after: Files): Verdict {
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
