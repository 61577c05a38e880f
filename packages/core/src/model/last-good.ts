import { urlKey } from "@rs-emit/documents";
import type { PageMemory } from "./page-memory.ts";
import type { CollectionPublication } from "./publication.ts";
import type { Inventory, Undecoded } from "./resources.ts";

interface GoodVersion {
  readonly title?: string | undefined;
  readonly headings?: readonly string[] | undefined;
  readonly blocks?: PageMemory | undefined;
  readonly undecoded?: Undecoded | undefined;
}

/** Text that becomes readable again is no news: an unreadable page keeps its title and memory. */
export function withLastGood<One extends GoodVersion>(
  page: One,
  last: GoodVersion | undefined,
): One {
  if (page.undecoded === undefined || last === undefined) return page;
  const title = page.title ?? last.title;
  const headings = page.headings?.length ? page.headings : last.headings;
  return page.undecoded.isUnreadable
    ? { ...page, title, headings, blocks: last.blocks ?? page.blocks }
    : { ...page, title, headings };
}

export function pagesWithLastGood(
  inventory: Inventory,
  published: readonly CollectionPublication[],
): Inventory {
  const { resources } = inventory;
  if (resources.every(({ undecoded }) => undecoded === undefined)) return inventory;
  const snapshots = new Map(published.map(({ url, snapshot }) => [url, snapshot]));
  const lastOf = (collection: string, url: string) => snapshots.get(collection)?.get(urlKey(url));
  return {
    ...inventory,
    resources: resources.map((page) => withLastGood(page, lastOf(page.collection, page.url))),
  };
}
