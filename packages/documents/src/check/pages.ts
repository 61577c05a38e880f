import { urlKey } from "../urls.ts";
import type { Publication } from "./documents.ts";
import type { CheckFindings } from "./findings.ts";
import type { FetchedPage } from "./resources.ts";

/** A `link` element of a page, or a link of the header `Link`. */
interface PageLink {
  readonly rel: readonly string[];
  /** In full. */
  readonly href: string;
}

const MARK = "resourcesync";

/** Longer elements around the mark are no link. */
const LONGEST_ELEMENT = 2000;

/** Names in one finding. */
const SHOWN = 3;

/** Collects what pages say about where their change log is. */
export class PageLinks {
  /** What pages may link to: Source Descriptions and Capability Lists. */
  readonly #targets: ReadonlySet<string>;
  readonly #findings: CheckFindings;
  readonly #unlinked: FetchedPage[] = [];
  #count = 0;

  constructor(publication: Publication, description: string, findings: CheckFindings) {
    const tops = [...publication.values()].filter(
      ({ kind }) => kind === "capability-list" || kind?.startsWith("source-description"),
    );
    this.#targets = new Set([description, ...tops.map(({ url }) => url)].map(urlKey));
    this.#findings = findings;
  }

  readonly add = (page: FetchedPage): void => {
    this.#count += 1;
    const { url } = page.listed;
    const links = resourceSyncLinks(page.bytes, url, page.linkHeader);
    if (links.length === 0) this.#unlinked.push(page);
    for (const { href } of links) {
      if (this.#targets.has(urlKey(href))) continue;
      const what = `The page links to ${href}, which is no document of this publication.`;
      const cure = `Let it link to ${capabilityListOf(page)}.`;
      this.#findings.add("page-link-target", { document: url }, what, cure);
    }
  };

  /** Says once how many pages have no link. */
  report(): void {
    const [first] = this.#unlinked;
    if (first === undefined) return;
    const names = this.#unlinked.slice(0, SHOWN).map(({ listed }) => listed.url);
    const more = this.#unlinked.length - names.length;
    const examples = names.join(", ") + (more > 0 ? ` and ${more} more` : "");
    const what =
      `${this.#unlinked.length} of ${this.#count} pages that were looked at have no link to their ` +
      `change log: ${examples}.`;
    const path = new URL(capabilityListOf(first)).pathname;
    const cure = `Add to the head of the pages: <link rel="resourcesync" href="${path}">`;
    this.#findings.add("page-link", { document: first.listed.url }, what, cure);
  }
}

function capabilityListOf({ listed: { list } }: FetchedPage): string {
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
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) {
    const start = bytes.lastIndexOf("<", at);
    const end = bytes.indexOf(">", at);
    if (start < 0 || end < 0 || end - start > LONGEST_ELEMENT) continue;
    const link = elementLink(bytes.toString("utf8", start, end + 1), baseOf(bytes, url));
    if (link?.rel.includes(MARK) && !found.some(({ href }) => href === link.href)) found.push(link);
  }
  return found;
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
