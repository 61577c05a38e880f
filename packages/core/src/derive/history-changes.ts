import { type ChangeKind, urlKey } from "@rs-emit/documents";
import type { CommitEvents, PageAddress, PageEvent } from "../history/events.ts";
import type { StatementsOfPages } from "../history/versions.ts";
import { isNotFoundPage } from "../inventory/excluded-page.ts";
import { destination, placeKey } from "../inventory/redirects.ts";
import { byDepth, type Collection } from "../model/collections.ts";
import type { Annotation } from "../model/environment.ts";
import { groupBy } from "../model/group.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { type Inventory, pageFactsOf, wordsOf } from "../model/resources.ts";
import { composedKey, urlOf } from "../model/url.ts";
import { compareVersions, type Sameness } from "../model/versions.ts";
import { GrowingSite } from "../news/growing-site.ts";
import { judgeUpdates, type NewsVerdict } from "../news/judge.ts";
import { keysIn } from "../news/memory.ts";
import { mergedPages } from "../news/merged-pages.ts";
import { likenesses } from "../news/moved-likeness.ts";
import { asksOf, type JudgedChange } from "../news/page-change.ts";
import type { Statement } from "../news/statement.ts";
import { withNames } from "./entry-names.ts";
import { GrowingNames } from "./growing-names.ts";
import { editedMoves, type MovablePage, movablePage, movesOf } from "./moves.ts";
import type { NewsRules } from "./verdicts.ts";

interface PageAtCommit {
  /** The last event of each existing file; more than one while a URL has two spellings. */
  readonly existing: Map<string, PageEvent>;
  last: number;
  /** Files that the newest deletion removed; minor where the files stayed. */
  left?: { readonly files: Files; readonly minor: boolean } | undefined;
}

interface CommitRules {
  /** Times in the future count as this time. */
  readonly now: number;
  readonly collectionOf?: PageAddresses["collectionOf"];
  /** Collections whose pages are named by their own titles. */
  readonly collections?: readonly Collection[];
  readonly statements?: StatementsOfPages;
  readonly news?: NewsRules["news"];
}

/** @param commits oldest first */
export function changesOfCommits(
  commits: Iterable<CommitEvents>,
  { now, collectionOf = () => undefined, collections = [], statements, news = "new" }: CommitRules,
): Change[] {
  const pages = new Map<string, PageAtCommit>();
  const redirects = new Map<string, string>();
  const site = new GrowingSite();
  const names = new GrowingNames();
  const changes: Change[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const events of commits) {
    const applied = [...groupByUrl(events)].map(([url, ofPage]) => {
      const page: PageAtCommit = pages.get(url) ?? {
        existing: new Map(),
        last: Number.NEGATIVE_INFINITY,
      };
      pages.set(url, page);
      const one = { url, ofPage, page, ...applyEvents(page, ofPage) };
      if (one.leadsTo === undefined) redirects.delete(placeKey(url));
      else redirects.set(placeKey(url), one.leadsTo);
      return { ...one, changed: changedPage(one, collectionOf(url) ?? "", statements?.of(url)) };
    });
    const changed = applied.map((one) => one.changed);
    const before = site.before(changed);
    const verdicts = judgeUpdates(changed, before);
    const like = likenesses(changed, before);
    const movable = applied.map((one) => movableVersion(one, like.get(one.changed), redirects));
    const moves = movesOf(movable);
    const edited = editedMoves(movable, moves);
    const merges = mergedPages(changed, moves, before);
    const told: Change[] = [];
    for (const one of applied) {
      const shown = onlyOne(one.after);
      const collection = collectionOf(one.url);
      if (shown === undefined || collection === undefined) names.hide(one.url);
      else names.show({ url: one.url, collection }, shown);
      const { url, ofPage, page, outcome } = one;
      const [first] = ofPage;
      if (outcome === undefined || first === undefined) continue;
      latest = Math.max(latest, Math.min(first.time, now));
      page.last = Math.max(latest, page.last + 1);
      const moved = moves.get(urlKey(url));
      const { kind, version } = outcome;
      const minor = outcome.minor && moved === undefined;
      const time = Math.min(first.time, now);
      if (kind === "deleted" && one.before !== undefined) page.left = { files: one.before, minor };
      told.push({
        url,
        kind,
        datetime: page.last,
        lastmod: time,
        ...(kind === "deleted" ? pageFactsOf(version) : wordsOf(version)),
        ...worth(verdicts.get(one.changed), { minor, news, time }),
        ...(outcome.isContent || edited.has(urlKey(url)) ? { changed: time } : {}),
        moved: moved ?? merges.get(urlKey(url)),
        message: first.message,
      });
    }
    const byCollection = groupBy(told, ({ url }) => collectionOf(url));
    const known = collections.map((collection) => {
      return { collection, changes: byCollection.get(collection.url) ?? [] };
    });
    changes.push(
      ...(known.length === 0 ? told : withNames(known, names).flatMap((one) => one.changes)),
    );
    site.publish(
      changed,
      told.flatMap((one) => one.quotes?.shown ?? []).map(({ digest }) => digest),
    );
  }
  return changes.sort(inLogOrder);
}

function groupByUrl(events: CommitEvents): Iterable<[string, PageEvent[]]> {
  const [only] = events;
  if (events.length === 1 && only !== undefined) return [[only.url, [only]]];
  return groupBy(events, ({ url }) => url);
}

interface PageOutcome {
  readonly kind: ChangeKind;
  readonly minor: boolean;
  /** For a page that is shown again: whether its content changed meanwhile. */
  readonly isContent?: boolean | undefined;
  /** The visible version; for a deleted page, the last one. */
  readonly version: PageEvent;
}

interface Applied {
  readonly leadsTo: string | undefined;
  readonly before: Files | undefined;
  readonly after: Files | undefined;
  readonly outcome: PageOutcome | undefined;
}

function applyEvents({ existing, left }: PageAtCommit, events: readonly PageEvent[]): Applied {
  const before = visible(existing);
  const existed = existing.size > 0;
  for (const event of events) {
    if (event.kind === "removed") existing.delete(event.source);
    else existing.set(event.source, event);
  }
  const after = visible(existing);
  const exists = existing.size > 0;
  const leadsTo = [...existing.values()].find((one) => one.leadsTo !== undefined)?.leadsTo;
  return { before, after, leadsTo, outcome: outcomeOf(before, after, { existed, exists, left }) };
}

function outcomeOf(
  before: Files | undefined,
  after: Files | undefined,
  { existed, exists, left }: Pick<PageAtCommit, "left"> & Record<"existed" | "exists", boolean>,
): PageOutcome | undefined {
  // The file existed before or still exists, so the page was only shown or hidden.
  if (before === undefined) {
    if (after === undefined) return undefined;
    const minor = existed && left?.minor !== false;
    const isContent = minor && left !== undefined && compareFiles(left.files, after) === "full";
    return { kind: "created", minor, isContent, version: after[0] };
  }
  if (after === undefined) {
    return { kind: "deleted", minor: exists, version: before[0] };
  }
  const verdict = compareFiles(before, after);
  if (verdict === "same") return undefined;
  return { kind: "updated", minor: verdict === "minor", version: after[0] };
}

function worth(
  verdict: NewsVerdict | undefined,
  { minor, news, time }: { readonly minor: boolean; readonly news: string; readonly time: number },
): Pick<Change, "minor" | "changed" | "quotes"> {
  if (minor || verdict === undefined) return minor ? { minor: true } : {};
  if (verdict.kind === "chrome") return { minor: true };
  if (verdict.kind === "news") return { quotes: verdict.quotes };
  return news === "content" ? {} : { minor: true, changed: time };
}

function changedPage(
  { url, before, after, outcome }: Applied & { readonly url: string },
  collection: string,
  said: ReadonlyMap<number, Statement> = new Map(),
): JudgedChange {
  const [old, now] = [onlyOne(before), onlyOne(after)];
  return {
    url,
    collection,
    before: before && { title: old?.title, blocks: old?.blocks },
    now: after && { title: now?.title, blocks: now?.blocks },
    asks: asksOf(outcome?.kind === "updated" && !outcome.minor, now),
    statements: () => keysIn(now?.blocks).flatMap((key) => said.get(key) ?? []),
    introduction: now?.introduction,
  };
}

function movableVersion(
  { url, outcome, before, after, leadsTo }: Applied & { readonly url: string },
  like: string | undefined,
  redirects: ReadonlyMap<string, string>,
): MovablePage {
  const { kind = "updated", minor } = outcome ?? {};
  const page = onlyOne(kind === "deleted" ? before : after);
  const place = leadsTo && destination(leadsTo, redirects);
  return movablePage({ url, kind, minor }, place, [like, page?.content]);
}

function onlyOne(pages: Files | undefined): PageEvent | undefined {
  return pages?.length === 1 ? pages[0] : undefined;
}

/** Where files share a URL, readers may get any of them. */
type Files = readonly [PageEvent, ...PageEvent[]];

function visible(existing: PageAtCommit["existing"]): Files | undefined {
  const [first, ...others] = existing.values();
  if (first === undefined) return undefined;
  return [first, ...others].some(({ isExcluded }) => isExcluded) ? undefined : [first, ...others];
}

function compareFiles(before: Files, after: Files): Sameness {
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
    inventory.resources.map((one) => [composedKey(one.url), one]),
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
      const key = composedKey(url);
      // All spellings of a page are one resource, with the present URL or the first one that was asked for.
      const address = addresses.get(key) ?? { url, collection };
      addresses.set(key, address);
      return address;
    },
    collectionOf: (url) => addresses.get(composedKey(url))?.collection,
  };
}
