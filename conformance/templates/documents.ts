import { createHash } from "node:crypto";
import { ORIGIN } from "../server.ts";

/** ResourceSync documents as somebody writes them by hand, for the cases. */

export type Attributes = Readonly<Record<string, string>>;
export type Link = readonly [rel: string, href: string, more?: Attributes];

/** An entry of a document. */
export interface Entry {
  readonly loc: string;
  readonly lastmod?: string;
  readonly md?: Attributes;
  readonly links?: readonly Link[];
  /** XML after all else. */
  readonly more?: string;
}

export const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';

/** The absolute URL of a path. */
export function at(path: string): string {
  return path.startsWith("/") ? ORIGIN + path : path;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function attributes(given: Attributes): string {
  return Object.entries(given)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("");
}

function linksOf(links: readonly Link[], indent: string): string {
  return links
    .map(([rel, href, more = {}]) => {
      const all = attributes({ rel, href: at(href), ...more });
      return `${indent}<rs:ln${all}/>\n`;
    })
    .join("");
}

/** A document of either root. */
export function document(
  root: "urlset" | "sitemapindex",
  links: readonly Link[],
  md: Attributes | undefined,
  entries: readonly Entry[],
): string {
  const child = root === "urlset" ? "url" : "sitemap";
  const written = entries.map(({ loc, lastmod, md, links = [], more = "" }) => {
    const lines = [
      `    <loc>${escaped(at(loc))}</loc>\n`,
      lastmod === undefined ? "" : `    <lastmod>${lastmod}</lastmod>\n`,
      md === undefined ? "" : `    <rs:md${attributes(md)}/>\n`,
      linksOf(links, "    "),
      more === "" ? "" : `    ${more}\n`,
    ];
    return `  <${child}>\n${lines.join("")}  </${child}>\n`;
  });
  const own = md === undefined ? "" : `  <rs:md${attributes(md)}/>\n`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACES}>\n` +
    `${linksOf(links, "  ")}${own}${written.join("")}</${root}>\n`
  );
}

export const DESCRIPTION = "/.well-known/resourcesync";

/** A Source Description of collections: the folder of each. */
export function description(...folders: readonly string[]): string {
  const entries = folders.map((folder) => ({
    loc: `${folder}capabilitylist.xml`,
    md: { capability: "capabilitylist" },
    links: [["describes", folder] as const],
  }));
  return document("urlset", [], { capability: "description" }, entries);
}

/** A Capability List of the collection in a folder. */
export function capabilityList(
  folder = "/",
  lists: Attributes = { changelist: `${folder}changelist.xml` },
): string {
  const links: readonly Link[] = [
    ["up", DESCRIPTION],
    ["describes", folder],
  ];
  const entries = Object.entries(lists).map(([capability, loc]) => ({ loc, md: { capability } }));
  return document("urlset", links, { capability: "capabilitylist" }, entries);
}

/** `created /a.html 2026-10-12T08:00:00Z` as an entry. */
export function change(words: string, md: Attributes = {}): Entry {
  const [kind = "", loc = "", datetime = ""] = words.split(" ");
  return { loc, md: { change: kind, datetime, ...md } };
}

/** A Change List of such words, or of entries. */
export function changeList(
  changes: readonly (string | Entry)[],
  { folder = "/", ...md }: Attributes = {},
  links: readonly Link[] = [],
): string {
  const entries = changes.map((each) => (typeof each === "string" ? change(each) : each));
  const head = { capability: "changelist", from: "2026-10-01T00:00:00Z", ...md };
  return document("urlset", [["up", `${folder}capabilitylist.xml`], ...links], head, entries);
}

/** A Change List Index: the path of each list with its interval. */
export function changeListIndex(lists: Readonly<Record<string, Attributes>>, folder = "/"): string {
  const md = { capability: "changelist", from: "2026-09-01T00:00:00Z" };
  const entries = Object.entries(lists).map(([loc, interval]) => ({ loc, md: interval }));
  return document("sitemapindex", [["up", `${folder}capabilitylist.xml`]], md, entries);
}

/** A Resource List of pages. */
export function resourceList(
  pages: Readonly<Record<string, string>>,
  { folder = "/", ...md }: Attributes = {},
): string {
  const entries = Object.entries(pages).map(([loc, text]) => ({ loc, md: stated(text) }));
  const head = { capability: "resourcelist", at: "2026-10-15T00:00:00Z", ...md };
  return document("urlset", [["up", `${folder}capabilitylist.xml`]], head, entries);
}

/** Hash, length and type of a page. */
export function stated(content: string | Uint8Array, type = "text/html"): Attributes {
  const bytes = Buffer.from(content);
  const hash = `sha-256:${createHash("sha256").update(bytes).digest("hex")}`;
  return { hash, length: String(bytes.length), type };
}

/** A page. */
export function page(title: string, head = ""): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head>\n<body><main><p>${title}</p></main></body></html>\n`;
}
