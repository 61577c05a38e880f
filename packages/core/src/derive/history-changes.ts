import { type ChangeKind, urlKey } from "@rs-emit/documents";
import type { CommitEvents, PageAddress, PageEvent } from "../history/events.ts";
import { isNotFoundPage } from "../inventory/for-readers.ts";
import { byDepth, type Collection } from "../model/collections.ts";
import type { Annotation } from "../model/environment.ts";
import { groupBy } from "../model/group.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { type Inventory, wordsOf } from "../model/resources.ts";
import { urlOf } from "../model/url.ts";
import { compareVersions, type Verdict } from "../model/versions.ts";
import { movesOf } from "./moves.ts";
import { BlockCounter, blockDifference } from "./shell.ts";

interface PageState {
  /** The last event of each existing file; more than one while a URL has two spellings. */
  readonly existing: Map<string, PageEvent>;
  last: number;
}

/**
 * @param commits oldest first
 * @param now times from the future count as now
 */
export function changesOfCommits(
  commits: Iterable<CommitEvents>,
  now: number,
  collectionOf: PageAddresses["collectionOf"] = () => undefined,
): Change[] {
  const pages = new Map<string, PageState>();
  const counters = new Map<string | undefined, BlockCounter>();
  const changes: Change[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const events of commits) {
    const applied = [...groupByUrl(events)].map(([url, ofPage]) => {
      const page = pages.get(url) ?? { existing: new Map(), last: Number.NEGATIVE_INFINITY };
      pages.set(url, page);
      const collection = collectionOf(url);
      const counter = counters.get(collection) ?? new BlockCounter();
      counters.set(collection, counter);
      return { url, ofPage, page, counter, ...applyEvents(page, ofPage) };
    });
    const shell = shellChanges(applied);
    const moves = movesOf(applied.map(movablePage));
    for (const one of applied) {
      const { url, ofPage, page, outcome } = one;
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
        ...(minor || shell.has(one) ? { minor: true } : {}),
        moved: moves.get(urlKey(url)),
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

interface Applied {
  readonly before: Files | undefined;
  readonly after: Files | undefined;
  readonly outcome: Outcome | undefined;
}

function applyEvents({ existing }: PageState, events: readonly PageEvent[]): Applied {
  const before = visible(existing);
  const existed = existing.size > 0;
  for (const event of events) {
    if (event.kind === "removed") existing.delete(event.source);
    else existing.set(event.source, event);
  }
  const after = visible(existing);
  const exists = existing.size > 0;
  return { before, after, outcome: outcomeOf(before, after, { existed, exists }) };
}

function outcomeOf(
  before: Files | undefined,
  after: Files | undefined,
  { existed, exists }: { readonly existed: boolean; readonly exists: boolean },
): Outcome | undefined {
  // The file existed before or still exists, so the page was only shown or hidden.
  if (before === undefined) {
    return after && { kind: "created", minor: existed, version: after[0] };
  }
  if (after === undefined) {
    return { kind: "deleted", minor: exists, version: before[0] };
  }
  const verdict = compareFiles(before, after);
  if (verdict === "same") return undefined;
  return { kind: "updated", minor: verdict === "minor", version: after[0] };
}

/**
 * Updates of the shell, as a continuation finds them: by the pages before the commit, and after it. Counts
 * the commit's pages.
 */
function shellChanges<One extends Applied & { readonly counter: BlockCounter }>(
  applied: readonly One[],
): ReadonlySet<One> {
  const found = applied.flatMap((one) => {
    const [before, after] = [onlyOne(one.before), onlyOne(one.after)];
    const isFull = one.outcome?.kind === "updated" && !one.outcome.minor;
    const blocks = isFull && before && after ? blockDifference(before, after) : undefined;
    return blocks !== undefined && one.counter.areOnMost(blocks.gone) ? [{ one, blocks }] : [];
  });
  for (const { before, after, counter } of applied) {
    const blocks = after?.[0].blocks;
    if (blocks !== undefined && blocks === before?.[0].blocks) continue;
    if (before !== undefined) counter.remove(before[0]);
    if (after !== undefined) counter.add(after[0]);
  }
  const shell = found.filter(({ one, blocks }) => one.counter.areOnMost(blocks.added));
  return new Set(shell.map(({ one }) => one));
}

function movablePage({ url, outcome, before, after }: Applied & { readonly url: string }) {
  const { kind = "updated", minor } = outcome ?? {};
  return { url, kind, minor, content: onlyOne(kind === "deleted" ? before : after)?.content };
}

function onlyOne(pages: Files | undefined): PageEvent | undefined {
  return pages?.length === 1 ? pages[0] : undefined;
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
