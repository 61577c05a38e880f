import { groupBy } from "@rs-emit/documents";
import { digestsIn } from "@rs-emit/feeds";
import { notLater } from "../history/commit-clock.ts";
import type { CommitEvents, PageAddress, PageEvent } from "../history/page-history.ts";
import type { StatementsOfPages } from "../history/versions.ts";
import { byDepth, type Collection } from "../model/collections.ts";
import type { Builder } from "../model/environment.ts";
import { type Change, inLogOrder } from "../model/log.ts";
import { keysIn } from "../model/page-memory.ts";
import { destination, placeKey } from "../model/redirects.ts";
import { compareVersions, type Inventory, type Sameness } from "../model/resources.ts";
import type { Statement } from "../model/statement.ts";
import { composedKey, urlOf } from "../model/url.ts";
import type { PageStates } from "../news/page-change.ts";
import { GrowingSite } from "../news/texts-so-far.ts";
import type { Settings } from "../options/settings.ts";
import type { Difference } from "./difference.ts";
import { GrowingNames } from "./growing-names.ts";
import { type NamerOf, told } from "./named-changes.ts";
import { toPastChange } from "./new-change.ts";
import { type NewsRules, newsOf } from "./publication-news.ts";

interface PageAtCommit {
  /** The last event of each existing file; more than one while a URL has two spellings. */
  readonly existing: Map<string, PageEvent>;
  /** Files that the newest deletion removed; minor where the files stayed. */
  left?: { readonly files: Files; minor: boolean } | undefined;
}

interface CommitRules {
  /** No change is told at a later time. */
  readonly now: number;
  readonly collectionOf: PageAddresses["collectionOf"];
  readonly collections: readonly Collection[];
  readonly statements?: StatementsOfPages;
  readonly news?: NewsRules["news"];
  /** Whether the first commit is what was there before the log: nothing of it is told. */
  readonly hasBaseline?: boolean;
}

/** @param commits oldest first */
export function changesOfCommits(
  commits: Iterable<CommitEvents>,
  { now, collectionOf, collections, statements, news = "new", hasBaseline = false }: CommitRules,
): Change[] {
  const rules = { news, minor: false, note: undefined };
  const known = collections.map((collection) => ({ collection }));
  const pages = new Map<string, PageAtCommit>();
  const pageAt = (url: string): PageAtCommit => {
    const page = pages.get(url) ?? { existing: new Map() };
    pages.set(url, page);
    return page;
  };
  const redirects = new Map<string, string>();
  const site = new GrowingSite();
  const names = new GrowingNames();
  const namerOf: NamerOf = (collection) => names.namerOf(collection);
  const changes: Change[] = [];
  let last = Number.NEGATIVE_INFINITY;
  let isBaseline = hasBaseline;
  for (const events of commits) {
    const [first] = events;
    if (first === undefined) continue;
    const applied = [...groupBy(events, ({ url }) => url)].map(([url, ofPage]): Applied => {
      const collection = collectionOf(url) ?? "";
      const one = { url, collection, ...applyEvents(pageAt(url), ofPage) };
      if (one.leadsTo === undefined) redirects.delete(placeKey(url));
      else redirects.set(placeKey(url), one.leadsTo);
      if (one.now === undefined) names.hide(one);
      else names.show(one, one.now);
      return one;
    });
    const differences = isBaseline
      ? []
      : applied.flatMap((one) => differenceOf(one, last, redirects, statements?.of(one.url)));
    isBaseline = false;
    const found = newsOf(differences, site.before(applied, first.time), rules);
    const lastmod = Math.min(first.time, now);
    const datetime = Math.max(lastmod, last + 1);
    if (differences.length > 0) last = datetime;
    const entries = told(found, known, namerOf, (one) => {
      const { left } = pageAt(one.url);
      if (one.kind === "deleted" && left !== undefined) left.minor = one.minor;
      return toPastChange(one, { datetime, lastmod, message: first.message });
    }).flatMap((one) => one.changes);
    changes.push(...entries);
    site.publish(
      applied,
      entries.map(({ quotes }) => (quotes === undefined ? [] : digestsIn(quotes))),
    );
  }
  return changes.map(notLater(changes, last, now)).sort(inLogOrder);
}

type PageOutcome = Pick<Difference, "kind" | "minor" | "isContent">;

interface Applied extends PageStates {
  readonly before: PageEvent | undefined;
  readonly now: PageEvent | undefined;
  readonly leadsTo: string | undefined;
  readonly outcome: PageOutcome | undefined;
}

function applyEvents(
  page: PageAtCommit,
  events: readonly PageEvent[],
): Pick<Applied, "before" | "now" | "leadsTo" | "outcome"> {
  const { existing, left } = page;
  const before = visible(existing);
  const existed = existing.size > 0;
  for (const event of events) {
    // A published page stays one when its file loses its tags or its text.
    const isKept = before !== undefined && event.isFragment === true;
    if (event.kind === "removed") existing.delete(event.source);
    else existing.set(event.source, isKept ? { ...event, isExcluded: false } : event);
  }
  const after = visible(existing);
  const exists = existing.size > 0;
  const leadsTo = [...existing.values()].find((one) => one.leadsTo !== undefined)?.leadsTo;
  const outcome = pageOutcome(before, after, { existed, exists, left });
  if (before !== undefined && after === undefined) page.left = { files: before, minor: exists };
  return { before: versionOf(before), now: versionOf(after), leadsTo, outcome };
}

/** Of several files with one URL, readers may get any: only the title of one is known. */
function versionOf(files: Files | undefined): PageEvent | undefined {
  if (files === undefined || files.length === 1) return files?.[0];
  const unknown = { content: undefined, markup: undefined, blocks: undefined };
  return { ...files[0], ...unknown, description: undefined };
}

function differenceOf(
  { url, collection, before, now, leadsTo, outcome }: Applied,
  publishedAt: number,
  redirects: ReadonlyMap<string, string>,
  said: ReadonlyMap<number, Statement> = new Map(),
): Difference[] {
  if (outcome === undefined) return [];
  const statements = [...keysIn(now?.blocks)].flatMap((key) => said.get(key) ?? []);
  return [
    {
      url,
      collection,
      ...outcome,
      before,
      resource: now && { ...now, collection, file: undefined, statements },
      leadsTo: leadsTo && destination(leadsTo, redirects),
      publishedAt,
    },
  ];
}

function pageOutcome(
  before: Files | undefined,
  after: Files | undefined,
  { existed, exists, left }: Pick<PageAtCommit, "left"> & Record<"existed" | "exists", boolean>,
): PageOutcome | undefined {
  // The file existed before or still exists, so the page was only shown or hidden.
  if (before === undefined) {
    if (after === undefined) return undefined;
    const isBack = existed && left?.minor === true;
    const isContent = isBack && compareFiles(left.files, after) === "full";
    return { kind: "created", minor: isBack && !isContent, isContent };
  }
  if (after === undefined) return { kind: "deleted", minor: exists };
  const verdict = compareFiles(before, after);
  if (verdict === "same") return undefined;
  return { kind: "updated", minor: verdict === "minor" };
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

interface PageRules extends Pick<Settings, "site" | "cleanUrls" | "collections"> {
  readonly annotate: Builder["annotate"];
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
      if (!rules.isCandidate(file)) return undefined;
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
