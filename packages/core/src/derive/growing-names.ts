import { isDeepStrictEqual } from "node:util";
import { pageNamer } from "@rs-emit/feeds";
import type { ReadVersion } from "../history/page-history.ts";
import type { Collection } from "../model/collections.ts";
import { titledSite } from "../model/site-title.ts";
import { type NameablePage, type Namer, withoutCopies } from "./named-changes.ts";

/** A collection's names are computed anew when one page in this many is new, gone or renamed. */
const STEADY = 16;

type PageOf = Pick<NameablePage, "url" | "collection">;

type PageNames = Pick<ReadVersion, "title" | "headings" | "content" | "siteName">;

interface Named {
  readonly pages: Map<string, NameablePage>;
  /** The number of pages with each content. */
  readonly contents: Map<string, number>;
  namer: Namer | undefined;
  differing: number;
  stated: string | undefined;
}

/** The pages of each collection in git, commit by commit. */
export class GrowingNames {
  readonly #collections = new Map<string, Named>();

  show({ url, collection }: PageOf, { title, headings, content, siteName }: PageNames): void {
    const named = this.#namedOf(collection);
    const before = named.pages.get(url);
    const isCopy = replaceContent(named.contents, before?.content, content);
    const isSame = before?.title === title && isDeepStrictEqual(before?.headings, headings);
    if (before === undefined || isCopy || !isSame) named.differing += 1;
    named.pages.set(url, { url, collection, title, headings, content });
    if (url !== collection || named.stated === siteName) return;
    named.stated = siteName;
    named.namer = undefined;
  }

  hide({ url, collection }: PageOf): void {
    const named = this.#namedOf(collection);
    replaceContent(named.contents, named.pages.get(url)?.content, undefined);
    if (named.pages.delete(url)) named.differing += 1;
  }

  namerOf(collection: Collection): Namer {
    const named = this.#namedOf(collection.url);
    const isSteady = named.differing * STEADY <= named.pages.size;
    if (named.namer !== undefined && (named.differing === 0 || isSteady)) return named.namer;
    const resources = [...named.pages.values()];
    const stated = new Map([[collection.url, { name: named.stated }]]);
    named.namer = pageNamer(
      titledSite(collection, { resources, stated }),
      withoutCopies(resources),
    );
    named.differing = 0;
    return named.namer;
  }

  #namedOf(collection: string): Named {
    const named = this.#collections.get(collection) ?? {
      pages: new Map(),
      contents: new Map(),
      namer: undefined,
      differing: 0,
      stated: undefined,
    };
    this.#collections.set(collection, named);
    return named;
  }
}

/** @returns whether another page has the old or the new content */
function replaceContent(
  contents: Map<string, number>,
  old: string | undefined,
  now: string | undefined,
): boolean {
  if (old === now) return false;
  const others = (content = "") => contents.get(content) ?? 0;
  if (old !== undefined) contents.set(old, others(old) - 1);
  const isShared = others(old) > 0 || others(now) > 0;
  if (now !== undefined) contents.set(now, others(now) + 1);
  return isShared;
}
