import { documentFolder, relativeTo, siteFolder, siteHost } from "../address.ts";
import type { UrlError } from "../errors.ts";
import { otherHostError } from "./errors.ts";
import { targets } from "./open-document.ts";
import { READING_LIMITS } from "./reading-limits.ts";
import type { DocumentSummary, ListedCollection } from "./reading-result.ts";

/**
 * What a source may speak for: its own host. If other hosts are allowed, it may name documents
 * anywhere, and a collection may be about the host it describes.
 */
export class Authority {
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

  /** Throws {@link HarvestError}. */
  require(url: string): void {
    const problem = this.problemOf(url);
    if (problem !== undefined) throw problem;
  }

  problemOf(url: string): UrlError | undefined {
    return this.mayName(url) ? undefined : otherHostError(url, [...this.#hosts].join(" or "));
  }

  /** Hosts whose resources a collection may list. */
  hostsOf(collectionUrl: string): ReadonlySet<string> {
    return this.mayName(collectionUrl)
      ? new Set([...this.#hosts, siteHost(collectionUrl)])
      : this.#hosts;
  }

  /**
   * What the Capability List describes, else the Source Description. Not on other hosts. Where neither says it, the only
   * collection is the site: many programs keep their documents in a folder without pages.
   */
  collectionUrl(listed: ListedCollection, summary: DocumentSummary | undefined): string {
    const named = summary === undefined ? [] : targets(summary, "describes");
    const isUsable = (url: string) =>
      url.length <= READING_LIMITS.collectionUrl && this.mayName(url);
    const folder = documentFolder(listed.capabilityListUrl);
    const isHere = (site: string) => listed.isOnly && siteHost(site) === siteHost(folder);
    return [...named, ...listed.describes].find(isUsable) ?? this.#folders.find(isHere) ?? folder;
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
