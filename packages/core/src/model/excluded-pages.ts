import { excludedDigest } from "./own-attributes.ts";

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
