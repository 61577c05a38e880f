import { urlKey } from "../urls.ts";
import { list } from "../words.ts";
import { Collections } from "./collections.ts";
import type { Publication } from "./documents.ts";
import type { CheckFindings } from "./findings.ts";
import type { FetchedPage, Listed } from "./resources.ts";

/** A `link` element of a page, or a link of the header `Link`. */
export interface PageLink {
  readonly rel: readonly string[];
  /** In full. */
  readonly href: string;
}

const MARK = "resourcesync";

/** What all its spellings have in common: searching bytes without regard to case is slow. */
const COMMON = "esource";

/** Longer elements around the mark are no link. */
const LONGEST_ELEMENT = 2000;

/** Names in one finding. */
const SHOWN = 3;

/** Pages of one collection with the same mistake. */
interface Mistaken {
  readonly pages: Listed[];
  readonly capabilityList: string;
  /** Where the pages link to, if they link to a change log. */
  readonly href?: string;
}

/** Collects what pages say about where their change log is (ResourceSync 1.1, section 6.3.3). */
export class PageLinks {
  readonly #collections: Collections;
  readonly #capabilityLists: ReadonlySet<string>;
  /** Source Descriptions lead to the Capability List of any page. */
  readonly #descriptions: ReadonlySet<string>;
  readonly #description: string;
  readonly #findings: CheckFindings;
  readonly #unlinked = new Map<string, Mistaken>();
  readonly #misled = new Map<string, Mistaken>();
  #count = 0;

  constructor(publication: Publication, description: string, findings: CheckFindings) {
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
    if (links.length === 0) remember(this.#unlinked, capabilityList, listed, { capabilityList });
    for (const { href } of links) {
      if (this.#descriptions.has(urlKey(href)) || this.#collections.covers(href, listed)) continue;
      remember(this.#misled, `${href} ${capabilityList}`, listed, { capabilityList, href });
    }
  };

  /** Says once for each collection what is wrong with the links of its pages. */
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

/** The targets of a page's links with the relation `resourcesync` (ResourceSync 1.1, section 6.3.3). */
export function resourceSyncLinks(
  page: Uint8Array,
  url: string,
  linkHeader = "",
): readonly PageLink[] {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const links = linkHeader.includes(MARK) ? headerLinks(linkHeader, url) : [];
  const base = baseOf(bytes, url);
  for (const at of placesOfMark(bytes)) {
    const link = elementLink(elementAround(bytes, at), base);
    if (link?.rel.includes(MARK)) links.push(link);
  }
  // The first of equal ones counts.
  return [...new Map(links.toReversed().map((link) => [link.href, link])).values()].toReversed();
}

/** The tag around a place; empty where there is none that may be a link. */
function elementAround(bytes: Buffer, at: number): string {
  const from = Math.max(0, at - LONGEST_ELEMENT);
  const around = bytes.subarray(from, at + LONGEST_ELEMENT);
  const start = around.lastIndexOf("<", at - from);
  const end = around.indexOf(">", at - from);
  const isWhole = start >= 0 && end >= 0 && end - start <= LONGEST_ELEMENT;
  return isWhole ? around.toString("utf8", start, end + 1) : "";
}

function placesOfMark(bytes: Buffer): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(COMMON); at >= 0; at = bytes.indexOf(COMMON, at + 1)) {
    const start = at - 1;
    const word = bytes.toString("latin1", Math.max(0, start), start + MARK.length);
    if (word.toLowerCase() === MARK) places.push(start);
  }
  return places;
}

function elementLink(element: string, base: string): PageLink | undefined {
  if (!/^<link\s/i.test(element)) return undefined;
  const rel = attributeOf(element, "rel")?.toLowerCase().split(/\s+/) ?? [];
  const href = attributeOf(element, "href");
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  return { rel, href: new URL(href, base).href };
}

function attributeOf(element: string, name: string): string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i");
  const [, double, single, bare] = pattern.exec(element) ?? [];
  return (double ?? single ?? bare)?.replaceAll("&amp;", "&").trim();
}

function baseOf(page: Buffer, url: string): string {
  const start = page.indexOf("<base ");
  const end = start < 0 ? -1 : page.indexOf(">", start);
  const href = end < 0 ? undefined : attributeOf(page.toString("utf8", start, end + 1), "href");
  return href !== undefined && URL.canParse(href, url) ? new URL(href, url).href : url;
}

function headerLinks(header: string, base: string): PageLink[] {
  return [...header.matchAll(/<([^<>]*)>((?:\s*;\s*[^;,"]+(?:"[^"]*")?)*)/g)].flatMap((match) => {
    const [, href = "", parameters = ""] = match;
    const [, rel = ""] = /;\s*rel\s*=\s*"?([^";]*)/i.exec(parameters) ?? [];
    const rels = rel.toLowerCase().split(/\s+/);
    if (!rels.includes(MARK) || !URL.canParse(href, base)) return [];
    return [{ rel: rels, href: new URL(href, base).href }];
  });
}
