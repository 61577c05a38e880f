import { isDeepStrictEqual } from "node:util";
import { pageNamer } from "@rs-emit/feeds";
import type { ReadVersion } from "../history/page-history.ts";
import type { Collection } from "../model/collections.ts";
import { titledSite } from "../model/site-title.ts";
import type { NameablePage, Namer } from "./named-changes.ts";

/** A collection's names are computed anew when one page in this many is new, gone or renamed. */
const STEADY = 16;

type PageOf = Pick<NameablePage, "url" | "collection">;

type PageNames = Pick<ReadVersion, "title" | "headings" | "siteName">;

interface Named {
  readonly pages: Map<string, NameablePage>;
  namer: Namer | undefined;
  differing: number;
  stated: string | undefined;
}

/** The pages of each collection in git, commit by commit. */
export class GrowingNames {
  readonly #collections = new Map<string, Named>();

  show({ url, collection }: PageOf, { title, headings, siteName }: PageNames): void {
    const named = this.#namedOf(collection);
    const page = { url, collection, title, headings };
    if (!isDeepStrictEqual(named.pages.get(url), page)) named.differing += 1;
    named.pages.set(url, page);
    if (url !== collection || named.stated === siteName) return;
    named.stated = siteName;
    named.namer = undefined;
  }

  hide({ url, collection }: PageOf): void {
    const named = this.#namedOf(collection);
    if (named.pages.delete(url)) named.differing += 1;
  }

  namerOf(collection: Collection): Namer {
    const named = this.#namedOf(collection.url);
    const isSteady = named.differing * STEADY <= named.pages.size;
    if (named.namer !== undefined && (named.differing === 0 || isSteady)) return named.namer;
    const resources = [...named.pages.values()];
    const stated = new Map([[collection.url, { name: named.stated }]]);
    named.namer = pageNamer(titledSite(collection, { resources, stated }), resources);
    named.differing = 0;
    return named.namer;
  }

  #namedOf(collection: string): Named {
    const named = this.#collections.get(collection) ?? {
      pages: new Map(),
      namer: undefined,
      differing: 0,
      stated: undefined,
    };
    this.#collections.set(collection, named);
    return named;
  }
}
