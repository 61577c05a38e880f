import { createHash } from "node:crypto";
import { urlKey } from "@rs-emit/documents";
import type { Inventory } from "./resources.ts";
import { isBelow } from "./url.ts";

/** Pages that were on the site and were no resources. */
export class ExcludedPages {
  readonly digests: readonly string[];
  readonly #digests: ReadonlySet<string>;
  readonly #published: (url: string) => string;

  /** @param published converts a URL to the one in the list, since the site may have moved */
  constructor(digests: readonly string[] = [], published = (url: string) => url) {
    this.digests = digests;
    this.#digests = new Set(digests);
    this.#published = published;
  }

  has(url: string): boolean {
    return this.#digests.size > 0 && this.#digests.has(excludedDigest(this.#published(url)));
  }
}

/** The limit of recorded pages. A page beyond it that becomes a resource is reported as `created`. */
const MOST = 10_000;

/** A digest, since the URL may not be public. */
export function excludedDigest(url: string): string {
  return createHash("sha256").update(urlKey(url)).digest("hex").slice(0, 12);
}

/** Pages in no collection are in this list, since no other document records them. */
export function excludedDigests(inventory: Inventory, collection: string): string | undefined {
  const excluded = inventory.excluded.filter(
    ({ url, reason }) => reason === "no-collection" || isBelow(url, collection),
  );
  return excludedToAttribute(excluded.map(({ url }) => url));
}

function excludedToAttribute(urls: readonly string[]): string | undefined {
  if (urls.length === 0 || urls.length > MOST) return undefined;
  return urls.map(excludedDigest).sort().join(" ");
}

export function attributeToExcluded(value: string | undefined): readonly string[] {
  return value?.split(" ") ?? [];
}
