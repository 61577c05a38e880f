import { urlKey } from "../urls.ts";
import { list } from "../words.ts";
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

/** Collects what pages say about where their change log is. */
export class PageLinks {
  /** What pages may link to: Source Descriptions and Capability Lists. */
  readonly #targets: ReadonlySet<string>;
  readonly #findings: CheckFindings;
  readonly #unlinked: Listed[] = [];
  readonly #misled = new Map<string, Listed[]>();
  #count = 0;

  constructor(publication: Publication, description: string, findings: CheckFindings) {
    const tops = [...publication.values()].filter(
      ({ kind }) => kind === "capability-list" || kind?.startsWith("source-description"),
    );
    this.#targets = new Set([description, ...tops.map(({ url }) => url)].map(urlKey));
    this.#findings = findings;
  }

  readonly add = ({ listed, bytes, linkHeader }: FetchedPage): void => {
    this.#count += 1;
    const links = resourceSyncLinks(bytes, listed.url, linkHeader);
    if (links.length === 0) this.#unlinked.push(listed);
    for (const { href } of links) {
      if (this.#targets.has(urlKey(href))) continue;
      const misled = this.#misled.get(href);
      if (misled === undefined) this.#misled.set(href, [listed]);
      else misled.push(listed);
    }
  };

  /** Says once what is wrong with the links of several pages. */
  report(): void {
    for (const [href, pages] of this.#misled) {
      const what = `These link to ${href}, which is no document of this publication: ${namesOf(pages)}.`;
      this.#add("page-link-target", pages, what, (list) => `Let them link to ${list}.`);
    }
    const what =
      `${this.#unlinked.length} of ${this.#count} pages that were looked at have no link to their change ` +
      `log: ${namesOf(this.#unlinked)}.`;
    this.#add("page-link", this.#unlinked, what, (list) => {
      const tag = `<link rel="resourcesync" href="${new URL(list).pathname}">`;
      return `Add to the head of the pages: ${tag}`;
    });
  }

  #add(
    rule: "page-link" | "page-link-target",
    [first]: readonly Listed[],
    what: string,
    cure: (capabilityList: string) => string,
  ): void {
    if (first === undefined) return;
    this.#findings.add(rule, { document: first.url }, what, cure(capabilityListOf(first)));
  }
}

function namesOf(pages: readonly Listed[]): string {
  return list(
    pages.map(({ url }) => url),
    SHOWN,
  );
}

function capabilityListOf({ list }: Listed): string {
  const up = list.document.links.find(({ rel }) => rel === "up")?.href;
  return up !== undefined && URL.canParse(up, list.url) ? new URL(up, list.url).href : list.url;
}

/** The targets of a page's links with the relation `resourcesync` (ResourceSync 1.1, section 6.3.3). */
export function resourceSyncLinks(
  page: Uint8Array,
  url: string,
  linkHeader = "",
): readonly PageLink[] {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const found = linkHeader.includes(MARK) ? headerLinks(linkHeader, url) : [];
  for (const at of placesOfMark(bytes)) {
    const start = bytes.lastIndexOf("<", at);
    const end = bytes.indexOf(">", at);
    if (start < 0 || end < 0 || end - start > LONGEST_ELEMENT) continue;
    const link = elementLink(bytes.toString("utf8", start, end + 1), baseOf(bytes, url));
    if (link?.rel.includes(MARK) && !found.some(({ href }) => href === link.href)) found.push(link);
  }
  return found;
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
  return [...header.matchAll(/<([^>]*)>((?:\s*;\s*[^;,"]+(?:"[^"]*")?)*)/g)].flatMap((match) => {
    const [, href = "", parameters = ""] = match;
    const [, rel = ""] = /;\s*rel\s*=\s*"?([^";]*)/i.exec(parameters) ?? [];
    const rels = rel.toLowerCase().split(/\s+/);
    if (!rels.includes(MARK) || !URL.canParse(href, base)) return [];
    return [{ rel: rels, href: new URL(href, base).href }];
  });
}
