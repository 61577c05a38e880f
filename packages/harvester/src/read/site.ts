import { documentFolder, relativeTo, siteFolder, siteHost } from "../address.ts";
import { OtherHostError } from "./errors.ts";
import { READING_LIMITS } from "./limits.ts";
import { targets } from "./outline.ts";
import type { ListedCollection, Outline } from "./reading.ts";

/**
 * What a source may speak for: its own host. If other hosts are allowed, it may name documents
 * anywhere, and a collection may be about the host it describes.
 */
export class Site {
  readonly #hosts: ReadonlySet<string>;
  readonly #folders: readonly string[];
  readonly #allowOtherHosts: boolean;

  /** @param urls of the Source Description, before and after redirects */
  constructor(urls: readonly string[], allowOtherHosts: boolean) {
    this.#hosts = new Set(urls.map(siteHost));
    this.#folders = urls.map(siteFolder);
    this.#allowOtherHosts = allowOtherHosts;
  }

  mayName(url: string): boolean {
    return this.#allowOtherHosts || this.#hosts.has(siteHost(url));
  }

  /** Throws {@link OtherHostError}. */
  require(url: string): void {
    if (!this.mayName(url)) throw new OtherHostError(url, [...this.#hosts].join(" or "));
  }

  /** Hosts whose resources a collection may list. */
  hostsOf(collectionUrl: string): ReadonlySet<string> {
    return this.mayName(collectionUrl)
      ? new Set([...this.#hosts, siteHost(collectionUrl)])
      : this.#hosts;
  }

  /** What the Capability List describes, else the Source Description. Not on other hosts. */
  collectionUrl(listed: ListedCollection, outline: Outline | undefined): string {
    const named = outline === undefined ? [] : targets(outline, "describes");
    const isUsable = (url: string) =>
      url.length <= READING_LIMITS.collectionUrl && this.mayName(url);
    return (
      [...named, ...listed.describes].find(isUsable) ?? documentFolder(listed.capabilityListUrl)
    );
  }

  /** A URL relative to the site's folder, if below it. */
  keyOf(url: string): string {
    for (const folder of this.#folders) {
      const relative = relativeTo(folder, url);
      if (relative !== undefined) return relative;
    }
    return url;
  }
}
