import { deepestFirst } from "../model/collections.ts";
import type { Collection, Inventory, LeftOut, PageFile, Withheld } from "../model/types.ts";
import { urlOf } from "../model/url.ts";
import { OutsideSiteError } from "./errors.ts";
import { isNotFoundPage } from "./readers.ts";
import type { InventoryRequest } from "./request.ts";
import type { Found } from "./walk.ts";

/** A file that is a resource unless what stands in it says otherwise. */
export interface Candidate {
  readonly url: string;
  readonly file: string;
  /** The URL of its collection. */
  readonly collection: string;
}

/** What became of the files found, before any is read. */
export interface SortedOut extends Pick<Inventory, "withheld" | "outside" | "stale" | "leftOut"> {
  readonly candidates: readonly Candidate[];
}

/** The Sitemap protocol has no room for longer ones. */
const LONGEST_URL = 2047;

/** Tells by name, collection and the builder's word which files are to be read. */
export function sortOut(found: Found, request: InventoryRequest): SortedOut {
  const candidates: Candidate[] = [];
  const withheld: Withheld[] = [];
  const outside: PageFile[] = [];
  const stale: PageFile[] = [];
  const leftOut: LeftOut[] = [...found.leftOut];
  const collectionOf = byDepth(request.collections);
  for (const file of found.candidates) {
    const annotation = request.annotate?.(file);
    const url = annotation?.url ?? urlOf(request.site, file, request.cleanUrls);
    if (!url.startsWith(request.site)) throw new OutsideSiteError(file, url, request.site);
    const collection = collectionOf(file);
    if (isNotFoundPage(file)) withheld.push({ url, file, reason: "not-found-page" });
    else if (annotation?.withheld) withheld.push({ url, file, reason: "opted-out" });
    else if (collection === undefined) outside.push({ url, file });
    else if (url.length > LONGEST_URL) leftOut.push({ file, reason: "url-too-long" });
    else if (annotation?.stale) stale.push({ url, file });
    else candidates.push({ url, file, collection: collection.url });
  }
  for (const file of found.excluded) {
    const url = request.annotate?.(file)?.url ?? urlOf(request.site, file, request.cleanUrls);
    withheld.push({ url, file, reason: "excluded" });
  }
  return { candidates, withheld, outside, stale, leftOut };
}

/** Finds the collection whose folder holds a file: the deepest one. */
export function byDepth(
  collections: readonly Collection[],
): (file: string) => Collection | undefined {
  const sorted = deepestFirst(collections);
  return (file) => sorted.find(({ folder }) => file.startsWith(folder));
}
