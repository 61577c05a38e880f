/** ResourceSync documents as text, in a few words each. Addresses are relative to the document. */

const ROOT =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/" ' +
  'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:wiki="http://purl.org/rss/1.0/modules/wiki/" ' +
  'xmlns:emit="urn:uuid:1eefa801-22e0-4a6d-aa21-a51c9595db91"';

/** Attributes by name. */
export type Attributes = Readonly<Record<string, string>>;

/** Links of a document or an entry: relation, target, and what else they say. */
export type Links = readonly (readonly [rel: string, href: string, more?: Attributes])[];

/** An entry of any document. */
export interface TestEntry {
  readonly loc: string;
  readonly lastmod?: string;
  readonly md?: Attributes;
  readonly links?: Links;
}

/** Any document: the rest of this file says which. */
export function documentText(
  root: "urlset" | "sitemapindex",
  md: Attributes,
  links: Links,
  entries: readonly TestEntry[],
): string {
  const name = root === "urlset" ? "url" : "sitemap";
  const body = entries.map(
    ({ loc, lastmod, md: entry = {}, links: own = [] }) =>
      `<${name}><loc>${escaped(loc)}</loc>${lastmod === undefined ? "" : `<lastmod>${lastmod}</lastmod>`}` +
      `${metadataText(entry)}${linksText(own)}</${name}>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${ROOT}>\n${linksText(links)}${metadataText(md)}\n${body.join("")}</${root}>\n`;
}

/** A Source Description of Capability Lists: their addresses, or whole entries. */
export function sourceDescription(
  lists: readonly (string | TestEntry)[],
  links: Links = [],
): string {
  const entries = lists.map((list) => (typeof list === "string" ? { loc: list } : list));
  const named = entries.map((entry) => ({ md: { capability: "capabilitylist" }, ...entry }));
  return documentText("urlset", { capability: "description" }, links, named);
}

/** An index of Source Descriptions. */
export function sourceDescriptionIndex(parts: readonly string[]): string {
  const entries = parts.map((loc) => ({ loc }));
  return documentText("sitemapindex", { capability: "description" }, [], entries);
}

/** A Capability List whose entries are given by capability; `describes` and the like are links. */
export function capabilityList(
  capabilities: Readonly<Record<string, string>>,
  links: Links = [["describes", "./"]],
): string {
  const entries = Object.entries(capabilities).map(([capability, loc]) => ({
    loc,
    md: { capability },
  }));
  return documentText("urlset", { capability: "capabilitylist" }, links, entries);
}

/** A Change List: each change as `created a.html 2026-10-01T12:00:00Z`, or a whole entry. */
export function changeList(
  changes: readonly (string | TestEntry)[],
  md: Attributes = {},
  links: Links = [],
): string {
  const entries = changes.map((change) => (typeof change === "string" ? changed(change) : change));
  return documentText("urlset", { capability: "changelist", ...md }, links, entries);
}

/** An index of Change Lists: their addresses, or whole entries. */
export function changeListIndex(
  lists: readonly (string | TestEntry)[],
  md: Attributes = {},
): string {
  const entries = lists.map((list) => (typeof list === "string" ? { loc: list } : list));
  return documentText("sitemapindex", { capability: "changelist", ...md }, [], entries);
}

/** A Resource List, or with `sitemapindex` an index of them. */
export function resourceList(
  pages: readonly string[],
  links: Links,
  root: "urlset" | "sitemapindex" = "urlset",
): string {
  const entries = pages.map((loc) => ({ loc }));
  return documentText(
    root,
    { capability: "resourcelist", at: "2026-10-01T00:00:00Z" },
    links,
    entries,
  );
}

/** The entry of a change, in a few signs. */
export function changed(text: string, more: Attributes = {}): TestEntry {
  const [change = "", loc = "", datetime = ""] = text.split(" ");
  return { loc, md: { change, datetime, ...more } };
}

function metadataText(attributes: Attributes): string {
  const texts = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return texts.length === 0 ? "" : `<rs:md${texts.join("")}/>`;
}

function linksText(links: Links): string {
  return links
    .map(([rel, href, more = {}]) => {
      const attributes = Object.entries({ rel, href, ...more });
      return `<rs:ln ${attributes.map(([name, text]) => `${name}="${escaped(text)}"`).join(" ")}/>`;
    })
    .join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
