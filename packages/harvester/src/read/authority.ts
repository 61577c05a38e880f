import { OtherHostError } from "./errors.ts";
import { siteHost } from "./place.ts";

/**
 * A source speaks for its own host. If other hosts are allowed, it may name documents anywhere, and
 * a collection may be about the host it describes.
 */
export class Authority {
  readonly #hosts: ReadonlySet<string>;
  readonly #allowOtherHosts: boolean;

  /** @param urls of the Source Description, before and after redirects */
  constructor(urls: readonly string[], allowOtherHosts: boolean) {
    this.#hosts = new Set(urls.map(siteHost));
    this.#allowOtherHosts = allowOtherHosts;
  }

  mayName(url: string): boolean {
    return this.#allowOtherHosts || this.#hosts.has(siteHost(url));
  }

  require(url: string): void {
    if (!this.mayName(url)) throw new OtherHostError(url, [...this.#hosts].join(" or "));
  }

  hostsOf(collectionUrl: string): ReadonlySet<string> {
    return this.mayName(collectionUrl)
      ? new Set([...this.#hosts, siteHost(collectionUrl)])
      : this.#hosts;
  }
}
