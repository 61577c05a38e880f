/** A `link` element of a page, or a link of the header `Link`. */
export interface PageLink {
  readonly rel: readonly string[];
  /** An absolute URL. */
  readonly href: string;
}

const MARK = "resourcesync";

const ATOM = "application/atom+xml";

/** In all usual spellings of a mark, these characters have the same case: `esource`. */
const COMMON = 8;

/** Longer elements around the mark are no link. */
const LONGEST_ELEMENT = 2000;

/** The targets of a page's links with the relation `resourcesync` (ResourceSync 1.1, section 6.3.3). */
export function resourceSyncLinks(
  page: Uint8Array,
  url: string,
  linkHeader = "",
): readonly PageLink[] {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  const inHeader = linkHeader.includes(MARK) ? headerLinks(linkHeader, url) : [];
  const inPage = linksAround(bytes, MARK, url).filter(({ rel }) => rel.includes(MARK));
  const links: readonly PageLink[] = [...inHeader, ...inPage];
  // The first of equal ones counts.
  return [...new Map(links.toReversed().map((link) => [link.href, link])).values()].toReversed();
}

/** Absolute URLs. */
export function feedLinks(page: Uint8Array, url: string): readonly string[] {
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return linksAround(bytes, ATOM, url)
    .filter(({ rel, type }) => rel.includes("alternate") && type === ATOM)
    .map(({ href }) => href);
}

/** The links of a page whose tags contain a mark. */
function linksAround(bytes: Buffer, mark: string, url: string): LinkElement[] {
  const base = baseOf(bytes, url);
  return placesOf(mark, bytes).flatMap((at) => elementLink(elementAround(bytes, at), base) ?? []);
}

interface LinkElement extends PageLink {
  readonly type: string | undefined;
}

/** The tag around a place; empty if that is no link. */
function elementAround(bytes: Buffer, at: number): string {
  const from = Math.max(0, at - LONGEST_ELEMENT);
  const around = bytes.subarray(from, at + LONGEST_ELEMENT);
  const start = around.lastIndexOf("<", at - from);
  const end = around.indexOf(">", at - from);
  const isWhole = start >= 0 && end >= 0 && end - start <= LONGEST_ELEMENT;
  return isWhole ? around.toString("utf8", start, end + 1) : "";
}

/** Searching bytes in any case is slow, so this searches the part that all usual spellings share. */
function placesOf(mark: string, bytes: Buffer): number[] {
  const common = mark.slice(1, COMMON);
  const places: number[] = [];
  for (let at = bytes.indexOf(common); at >= 0; at = bytes.indexOf(common, at + 1)) {
    const start = at - 1;
    const word = bytes.toString("latin1", Math.max(0, start), start + mark.length);
    if (word.toLowerCase() === mark) places.push(start);
  }
  return places;
}

function elementLink(element: string, base: string): LinkElement | undefined {
  if (!/^<link\s/i.test(element)) return undefined;
  const rel = attributeOf(element, "rel")?.toLowerCase().split(/\s+/) ?? [];
  const href = attributeOf(element, "href");
  if (href === undefined || !URL.canParse(href, base)) return undefined;
  const type = attributeOf(element, "type")?.toLowerCase();
  return { rel, href: new URL(href, base).href, type };
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
