import { OtherHostError } from "./errors.ts";
import { siteHost } from "./place.ts";

/**
 * What a source may speak for: URLs on its own host. Where other hosts are allowed it may name its
 * documents anywhere, and a collection may be about the host that it describes.
 */
export class Authority {
  readonly #hosts: ReadonlySet<string>;
  readonly #allowOtherHosts: boolean;

  /** @param urls of the Source Description: as it was asked for, and where it came from */
  constructor(urls: readonly string[], allowOtherHosts: boolean) {
    this.#hosts = new Set(urls.map(siteHost));
    this.#allowOtherHosts = allowOtherHosts;
  }

  /** Whether a collection may be known by a URL, and a document be read. */
  mayName(url: string): boolean {
    return this.#allowOtherHosts || this.#hosts.has(siteHost(url));
  }

  /** @throws {OtherHostError} for a document that may not be read */
  require(url: string): void {
    if (!this.mayName(url)) throw new OtherHostError(url, [...this.#hosts].join(" or "));
  }

  /** The hosts whose resources a collection may tell of. */
  hostsOf(collectionUrl: string): ReadonlySet<string> {
    return this.mayName(collectionUrl)
      ? new Set([...this.#hosts, siteHost(collectionUrl)])
      : this.#hosts;
  }
}
