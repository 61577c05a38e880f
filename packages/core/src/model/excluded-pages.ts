import { excludedDigest } from "./own-attributes.ts";

/** Pages that stood on the site and were no resources, as its Resource List names them: by digests. */
export class ExcludedPages {
  readonly digests: readonly string[];
  readonly #digests: ReadonlySet<string>;
  readonly #published: (url: string) => string;

  /** @param published the URL that the list knows a page by: the site may have moved since */
  constructor(digests: readonly string[] = [], published = (url: string) => url) {
    this.digests = digests;
    this.#digests = new Set(digests);
    this.#published = published;
  }

  has(url: string): boolean {
    return this.#digests.size > 0 && this.#digests.has(excludedDigest(this.#published(url)));
  }
}
