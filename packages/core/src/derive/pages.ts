import { urlKey } from "@rs-emit/documents";
import type { PageAddress } from "../history/events.ts";
import { isNotFoundPage } from "../inventory/readers.ts";
import { byDepth } from "../inventory/sort-out.ts";
import type { Annotation } from "../model/builder.ts";
import type { Collection, Inventory } from "../model/types.ts";
import { urlOf } from "../model/url.ts";

/** What decides the URL of a page that is no longer in the output folder. */
export interface PageRules {
  readonly site: string;
  readonly cleanUrls: boolean;
  readonly collections: readonly Collection[];
  /** What the builder says of a file, whether it stands or not. */
  readonly annotate: ((file: string) => Annotation | undefined) | undefined;
  /** Whether a file of that path would be a resource; see `fileRules`. */
  readonly isCandidate: (file: string) => boolean;
}

/** What is known of pages by their files, whether they stand or have vanished. */
export interface PageAddresses {
  /** `undefined` for a file that is or would be no resource. */
  readonly addressOf: (file: string) => PageAddress | undefined;
  /** The collection of a URL that was asked for. */
  readonly collectionOf: (url: string) => string | undefined;
}

/** Tells the URL and the collection of pages by their files. */
export function pageAddresses(inventory: Inventory, rules: PageRules): PageAddresses {
  const standing = new Map(inventory.resources.map((resource) => [resource.file, resource]));
  const addresses = new Map<string, PageAddress>(
    inventory.resources.map((one) => [urlKey(one.url), one]),
  );
  const collectionOf = byDepth(rules.collections);
  return {
    addressOf: (file) => {
      const resource = standing.get(file);
      if (resource !== undefined) return resource;
      if (!rules.isCandidate(file) || isNotFoundPage(file)) return undefined;
      const collection = collectionOf(file)?.url;
      if (collection === undefined) return undefined;
      const url = rules.annotate?.(file)?.url ?? urlOf(rules.site, file, rules.cleanUrls);
      const key = urlKey(url);
      // All spellings of a page that has vanished are one resource too, in the form asked for first.
      const address = addresses.get(key) ?? { url, collection };
      addresses.set(key, address);
      return address;
    },
    collectionOf: (url) => addresses.get(urlKey(url))?.collection,
  };
}
