import { join } from "node:path";
import type { WriteLimits } from "@rs-emit/documents";
import { describedIn, hasWords, moveAbout } from "../model/about.ts";
import type { Collection, DatedCollection, DescribedCollection } from "../model/collections.ts";
import { digestBytes, sha256In } from "../model/digest.ts";
import {
  ABOUT,
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  type DumpCapability,
  NOTIFICATION,
  type Period,
  RESOURCE_LIST,
} from "../model/layout.ts";
import type { ChangeInterval, ChangeListReference } from "../model/log.ts";
import type { CollectionWork } from "../model/plan.ts";
import { importedLog, newestChanges, newestFirst } from "../model/publication.ts";
import type { HasPage } from "../model/resources.ts";
import { firstSite } from "../model/site-address.ts";
import { languageOf, type SiteStatement, siteTitle } from "../model/site-title.ts";
import type { FeedSettings } from "../options/settings.ts";
import type { ValidQuotes } from "../page/texts/valid-quotes.ts";
import { type AppendedList, appendChanges } from "./append.ts";
import { composeCapabilityList } from "./capabilities.ts";
import { composeImported, composeIndex, type ImportedList, moveList } from "./change-lists.ts";
import type { ComposedDocument } from "./composed-document.ts";
import { composeFeed } from "./feed.ts";
import { composeTopic } from "./notification.ts";
import { composeSnapshot } from "./resource-list.ts";

export interface ComposeContext {
  readonly site: string;
  readonly listed: readonly DatedCollection[];
  readonly last: { readonly folder: string; readonly base: string } | undefined;
  readonly period: Period;
  readonly feed: FeedSettings | undefined;
  readonly hub: string | undefined;
  /** What hubs were told last of a collection. */
  told(collection: string): ChangeInterval | undefined;
  readonly present: number;
  readonly validQuotes: ValidQuotes;
  readonly hasPage: HasPage;
  /** By collection URL. */
  readonly stated: ReadonlyMap<string, SiteStatement>;
  readonly sitemap: string | undefined;
  readonly limits: Partial<WriteLimits>;
}

export async function* composeCollection(
  work: CollectionWork,
  context: ComposeContext,
  dumps: readonly DumpCapability[] = [],
): AsyncGenerator<ComposedDocument> {
  const { folder, url } = work.collection;
  yield* work.changed ? composeChanged(work, context) : copyLog(work, context);
  const capabilities = composeCapabilityList(
    context.site,
    describedOf(work, context),
    context.listed,
    {
      hub: context.hub,
      sitemap: context.sitemap,
      dumps,
      others: (work.published ?? work.imported)?.capabilities ?? [],
    },
  );
  yield { path: folder + CAPABILITY_LIST, bytes: Buffer.from(capabilities) };
  const about = aboutFor(work, context);
  if (authorsOf(work, context) === undefined) {
    yield {
      path: folder + ABOUT,
      bytes: Buffer.from(about.text ?? (await import("./about.ts")).composeAbout(about.described)),
    };
  }
  const newest = () =>
    newestChanges(work.published?.log ?? importedLog(work.imported), work.derived.changes);
  if (context.hub !== undefined) {
    const log = () => newestFirst(newest());
    const told = context.told(url);
    const { previous, time } = work;
    const { limits } = context;
    const bytes =
      told && (await composeTopic({ collection: url, told, previous, time, log, limits }));
    if (bytes !== undefined) yield { path: folder + NOTIFICATION, bytes };
  }
  if (context.feed === undefined) return;
  const { feed, hub } = context;
  const id = idOf(work);
  const collection = about.described;
  const { validQuotes, hasPage } = context;
  const { since } = work;
  const now = Math.max(context.present, work.time);
  const facts = { ...feed, collection, id, since, now, hub, log: newest(), validQuotes, hasPage };
  yield { path: folder + facts.file, bytes: Buffer.from(await composeFeed(facts)) };
}

export function describedOf(
  work: CollectionWork,
  moved: Pick<ComposeContext, "last" | "site">,
): DescribedCollection {
  const { url } = work.collection;
  return { url, since: work.since, describedby: authorsOf(work, moved) ?? url + ABOUT };
}

/** A collection that is no longer configured keeps its author's description. */
function authorsOf(
  { collection, configured, published }: CollectionWork,
  { last, site }: Pick<ComposeContext, "last" | "site">,
): string | undefined {
  if (configured) return collection.describedby;
  const { describedby } = published ?? {};
  if (describedby === undefined || last === undefined) return undefined;
  const isOfSite = describedby.startsWith(last.base);
  const moved = isOfSite ? site + describedby.slice(last.base.length) : describedby;
  return moved === collection.url + ABOUT ? undefined : moved;
}

interface About {
  /** As it was published; absent where it is written anew. */
  readonly text?: string;
  readonly described: Collection & { readonly title: string };
}

/** A collection that is no longer configured keeps its published description. */
function aboutFor(
  { collection, derived, configured, published }: CollectionWork,
  { last, site, stated }: ComposeContext,
): About {
  const { title } = siteTitle(collection, derived.snapshot, stated.get(collection.url)?.name);
  const described = { ...collection, title, language: languageOf(collection, site, stated) };
  if (published?.about !== undefined && last !== undefined) {
    const text = moveAbout(published.about, last.base, site);
    const words = describedIn(text);
    if (words !== undefined && !configured) return { text, described: { ...described, ...words } };
    if (words !== undefined && hasWords(words, described)) return { text, described };
  }
  return { described };
}

function idOf({ collection, published }: CollectionWork): string {
  return published?.id ?? collection.url;
}

async function* composeChanged(
  work: CollectionWork,
  context: ComposeContext,
): AsyncGenerator<ComposedDocument> {
  const { collection, derived, time, previous, excluded } = work;
  const { folder, url } = collection;
  const { limits } = context;
  let snapshot = "";
  for (const list of composeSnapshot({
    collection: url,
    at: time,
    entries: derived.snapshot,
    excluded,
    limits,
  })) {
    if (list.name === RESOURCE_LIST) snapshot = sha256In(list.hash) ?? "";
    yield { path: folder + list.name, chunks: list.chunks };
  }
  const lists: ChangeListReference[] = [];
  const imported = importedLists(work, context);
  for (const { reference, bytes } of imported) {
    lists.push(reference);
    yield { path: folder + reference.name, bytes };
  }
  for (const list of unchangedLists(work) ?? (await appendedLists(work, context, imported))) {
    if (imported.some(({ reference }) => reference === list.reference)) continue;
    const { reference, document } =
      list.chunks === undefined
        ? keptList(work, list.reference, context)
        : {
            reference: list.reference,
            document: { path: folder + list.reference.name, chunks: list.chunks },
          };
    lists.push(reference);
    yield document;
  }
  const index = composeIndex(lists, {
    collection: url,
    publication: time,
    previous,
    id: idOf(work),
    snapshot,
  });
  yield { path: folder + CHANGE_LIST_INDEX, bytes: Buffer.from(index) };
}

/** Without a new entry, lists are kept if the log is complete. */
function unchangedLists({
  derived,
  published,
}: CollectionWork): Iterable<AppendedList> | undefined {
  if (derived.changes.length > 0 || published === undefined) return;
  const { closed, open, pending } = published.log;
  if (open === undefined || pending.length > 0) return;
  return [...closed, open].map(({ readEntries: _, ...reference }) => ({ reference }));
}

/** An imported log ends where the log of rs-emit begins. */
function importedLists(
  { imported, derived, time }: CollectionWork,
  { limits }: ComposeContext,
): readonly ImportedList[] {
  if (imported === undefined) return [];
  return composeImported(imported, derived.changes[0]?.datetime ?? time, limits);
}

async function appendedLists(
  { collection, derived, published, time }: CollectionWork,
  { limits, period }: ComposeContext,
  imported: readonly ImportedList[],
): Promise<Iterable<AppendedList>> {
  const closed = imported.map(({ reference }) => reference);
  const { open, ...log } = published?.log ?? { closed, pending: [] };
  const continued = open && { ...open, entries: await open.readEntries() };
  return appendChanges(
    continued === undefined ? log : { ...log, open: continued },
    derived.changes,
    {
      collection: collection.url,
      period,
      // Recall treats a list that is newer than its index as a list with new entries.
      time: derived.changes.length > 0 ? time : (published?.time ?? time),
      limits,
    },
  );
}

/** Copied byte for byte unless the site has moved. */
function keptList(
  { collection, published }: CollectionWork,
  reference: ChangeListReference,
  { last, site }: ComposeContext,
): { reference: ChangeListReference; document: ComposedDocument } {
  const path = collection.folder + reference.name;
  const copyOf = join(last?.folder ?? "", path);
  const isMoved = last?.base !== site || published?.log.hasFormerUrls;
  if (last === undefined || published === undefined || !isMoved) {
    return { reference, document: { path, copyOf } };
  }
  const { base } = last;
  const first = firstSite(published.id, collection.url, site);
  const bytes = moveList(copyOf, collection.url, { base, site, first });
  return { reference: { ...reference, ...digestBytes(bytes) }, document: { path, bytes } };
}

function* copyLog(
  { collection, published }: CollectionWork,
  { last }: ComposeContext,
): Generator<ComposedDocument> {
  if (published === undefined || last === undefined) return;
  const { closed, open } = published.log;
  for (const name of [
    ...closed.map((list) => list.name),
    ...(open === undefined ? [] : [open.name]),
    CHANGE_LIST_INDEX,
    ...published.resourceListParts,
    RESOURCE_LIST,
  ]) {
    const path = collection.folder + name;
    yield { path, copyOf: join(last.folder, path) };
  }
}
