import { decodeText, list, urlKey } from "@rs-emit/documents";
import { BEGINNING, linksInHead, linksOf } from "@rs-emit/reader/page-links";
import type { CheckFindings } from "./findings.ts";
import type { FetchedPage, Listed } from "./resources.ts";
import type { ServedDocument, ServedPublication } from "./served-documents.ts";

/** The number of names in one finding. */
const SHOWN = 3;

/** Pages of one collection with the same mistake. */
interface Mistaken {
  readonly pages: Listed[];
  readonly capabilityList: string;
  /** The target of the pages' links to a change log, if they have one. */
  readonly href?: string;
}

/** Collects the links of pages to their change logs (ResourceSync 1.1, section 6.3.3). */
export class DiscoveryLinks {
  readonly #collections: Collections;
  readonly #capabilityLists: ReadonlySet<string>;
  /** Source Descriptions lead to the Capability List of any page. */
  readonly #descriptions: ReadonlySet<string>;
  readonly #description: string;
  readonly #findings: CheckFindings;
  readonly #unlinked = new Map<string, Mistaken>();
  readonly #misled = new Map<string, Mistaken>();
  readonly #feeds = new Map<string, Listed>();
  #count = 0;

  constructor(publication: ServedPublication, description: string, findings: CheckFindings) {
    const urlsOf = (isKind: (kind: string) => boolean) =>
      [...publication.values()].flatMap(({ kind, url }) => (kind && isKind(kind) ? url : []));
    this.#collections = new Collections(publication);
    this.#capabilityLists = new Set(urlsOf((kind) => kind === "capability-list").map(urlKey));
    const descriptions = urlsOf((kind) => kind.startsWith("source-description"));
    this.#descriptions = new Set([description, ...descriptions].map(urlKey));
    this.#description = description;
    this.#findings = findings;
  }

  readonly add = ({ listed, bytes, linkHeader }: FetchedPage): void => {
    this.#count += 1;
    const capabilityList = this.#collections.of(listed) ?? this.#description;
    const links = resourceSyncLinks(bytes, listed.url, linkHeader);
    for (const feed of feedLinks(bytes, listed.url)) {
      if (!this.#feeds.has(feed)) this.#feeds.set(feed, listed);
    }
    if (links.length === 0) remember(this.#unlinked, capabilityList, listed, { capabilityList });
    for (const href of links) {
      if (this.#descriptions.has(urlKey(href)) || this.#collections.covers(href, listed)) continue;
      remember(this.#misled, `${href} ${capabilityList}`, listed, { capabilityList, href });
    }
  };

  /** The Atom feeds that pages link to, each with the first page that does. */
  get feeds(): ReadonlyMap<string, Listed> {
    return this.#feeds;
  }

  /** Reports once for each collection what is wrong with the links of its pages. */
  report(): void {
    for (const { pages, capabilityList, href = "" } of this.#misled.values()) {
      const which = this.#capabilityLists.has(urlKey(href))
        ? "the log of another collection"
        : "no document of this publication";
      const what = `These link to ${href}, which is ${which}: ${namesOf(pages)}.`;
      this.#add("page-link-target", pages, what, `Let them link to ${capabilityList}.`);
    }
    for (const { pages, capabilityList } of this.#unlinked.values()) {
      const what =
        `${pages.length} of ${this.#count} pages that were looked at have no link to their change ` +
        `log: ${namesOf(pages)}.`;
      const tag = `<link rel="resourcesync" href="${new URL(capabilityList).pathname}">`;
      this.#add("page-link", pages, what, `Add to the head of the pages: ${tag}`);
    }
  }

  #add(
    rule: "page-link" | "page-link-target",
    [first]: readonly Listed[],
    what: string,
    cure: string,
  ): void {
    if (first !== undefined) this.#findings.add(rule, { document: first.url }, what, cure);
  }
}

function remember(
  mistakes: Map<string, Mistaken>,
  key: string,
  page: Listed,
  mistake: Omit<Mistaken, "pages">,
): void {
  const known = mistakes.get(key);
  if (known === undefined) mistakes.set(key, { ...mistake, pages: [page] });
  else known.pages.push(page);
}

function namesOf(pages: readonly Listed[]): string {
  return list(
    pages.map(({ url }) => url),
    SHOWN,
  );
}

/** Finds the Capability List of a resource. */
class Collections {
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

const ATOM = "application/atom+xml";

/** The targets of a page's links with the relation `resourcesync` (ResourceSync 1.1, section 6.3.3), absolute. */
export function resourceSyncLinks(page: Uint8Array, url: string, link = ""): readonly string[] {
  const text = beginningOf(page, /resourcesync/i);
  return linksOf({ text, base: url, link }, "resourcesync");
}

/** Absolute URLs. */
function feedLinks(page: Uint8Array, url: string): readonly string[] {
  const isAtom = (type: string) => type.toLowerCase() === ATOM;
  const links = linksInHead(beginningOf(page, /atom\+xml/i), url, "alternate", isAtom);
  return links.filter((href) => href !== undefined);
}

/** What the harvester reads of a page; nothing where the word is not in it, since parsing takes much longer. */
function beginningOf(page: Uint8Array, word: RegExp): string {
  const text = decodeText(page.subarray(0, BEGINNING));
  // A character reference may stand for any letter.
  return word.test(text) || text.includes("&#") ? text : "";
}
