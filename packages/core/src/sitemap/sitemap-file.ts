import {
  escapeText,
  formatDatetime,
  SITEMAP,
  WRITE_LIMITS,
  type WriteLimits,
} from "@rs-emit/documents";
import { SITEMAP_COMMENT, sitemapPartName } from "../model/layout.ts";
import type { ComposedDocument } from "../write/composed-document.ts";
import type { SitemapPage } from "./sitemap-pages.ts";

interface SitemapFacts {
  readonly site: string;
  readonly name: string;
  readonly limits: Partial<WriteLimits>;
}

/**
 * Without ResourceSync elements, which search engines report as errors. Beyond the limits it is an index of
 * parts (sitemaps.org 0.9, "Sitemap index files"). The schema requires a page.
 */
export function composeSitemap(
  pages: readonly SitemapPage[],
  { site, name, limits }: SitemapFacts,
): ComposedDocument[] {
  const { entries, bytes } = { ...WRITE_LIMITS, ...limits };
  const parts: string[][] = [];
  let length = 0;
  for (const { url, lastmod } of pages) {
    const entry = element("url", url, lastmod);
    length += Buffer.byteLength(entry);
    const part = parts.at(-1);
    if (part !== undefined && part.length < entries && length <= bytes - FRAME) part.push(entry);
    else {
      parts.push([entry]);
      length = Buffer.byteLength(entry);
    }
  }
  const [only] = parts;
  if (only === undefined) return [];
  if (parts.length === 1) return [{ path: name, bytes: sitemap("urlset", only) }];
  const paths = parts.map((_, at) => sitemapPartName(name, at + 1));
  const index = paths.map((path) => element("sitemap", site + path));
  return [
    ...parts.map((part, at) => ({ path: paths[at] ?? name, bytes: sitemap("urlset", part) })),
    { path: name, bytes: sitemap("sitemapindex", index) },
  ];
}

/** Bytes for the document around its entries. */
const FRAME = 512;

function element(of: "url" | "sitemap", loc: string, lastmod?: number): string {
  const date = lastmod === undefined ? "" : `\n    <lastmod>${formatDatetime(lastmod)}</lastmod>`;
  return `  <${of}>\n    <loc>${escapeText(loc)}</loc>${date}\n  </${of}>\n`;
}

function sitemap(root: "urlset" | "sitemapindex", elements: readonly string[]): Uint8Array {
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<!--${SITEMAP_COMMENT}-->\n` +
      `<${root} xmlns="${SITEMAP}">\n${elements.join("")}</${root}>\n`,
  );
}
