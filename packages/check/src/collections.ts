import { urlKey } from "@rs-emit/documents";
import type { ServedDocument, ServedPublication } from "./documents.ts";
import type { Listed } from "./resources.ts";

/** Finds the Capability List of a resource. */
export class Collections {
  /** The Resource Lists of each Capability List, by the latter's URL. */
  readonly #lists = new Map<string, readonly ServedDocument[]>();
  /** The URL of the Capability List that referred to the Resource List. */
  readonly #owners = new Map<ServedDocument, string>();
  readonly #covered = new Map<string, ReadonlySet<string>>();

  constructor(publication: ServedPublication) {
    const byUrl = new Map([...publication.values()].map((served) => [urlKey(served.url), served]));
    const lists = (url: string): readonly ServedDocument[] => {
      const found = byUrl.get(urlKey(url));
      if (found?.kind === "resource-list") return [found];
      if (found?.kind !== "resource-list-index") return [];
      return found.document.entries.flatMap(({ loc }) => byUrl.get(urlKey(loc)) ?? []);
    };
    for (const { kind, url, document } of publication.values()) {
      if (kind !== "capability-list") continue;
      const named = document.entries.filter((one) => one.metadata?.capability === "resourcelist");
      const own = named.flatMap(({ loc }) => lists(loc));
      this.#lists.set(urlKey(url), own);
      for (const list of own) if (!this.#owners.has(list)) this.#owners.set(list, url);
    }
  }

  /** The URL of the Capability List through which the resource was found. */
  of({ list }: Listed): string | undefined {
    return this.#owners.get(list);
  }

  /** Whether a Capability List covers a resource, according to its Resource Lists. */
  covers(capabilityList: string, { list, url }: Listed): boolean {
    const key = urlKey(capabilityList);
    const lists = this.#lists.get(key);
    if (lists === undefined) return false;
    if (lists.length === 0 || lists.includes(list)) return true;
    const covered =
      this.#covered.get(key) ??
      new Set(lists.flatMap(({ document }) => document.entries.map(({ loc }) => urlKey(loc))));
    this.#covered.set(key, covered);
    return covered.has(urlKey(url));
  }
}
