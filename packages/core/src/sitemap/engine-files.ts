import { lstatSync } from "node:fs";
import { join } from "node:path";
import {
  escapeText,
  formatDatetime,
  SITEMAP,
  urlKey,
  WRITE_LIMITS,
  type WriteLimits,
} from "@rs-emit/documents";
import { foreignSitemapError } from "../model/errors.ts";
import { HEADERS, keyFileName, SITEMAP_COMMENT, sitemapPartName } from "../model/layout.ts";
import type { Plan } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import { forbidsListing } from "../page/head/reader-exclusion.ts";
import type { SitemapState } from "../report/report.ts";
import type { ComposedDocument } from "../write/composed-document.ts";
import { isForeign } from "../write/existing-files.ts";
import { authorsText } from "../write/own-lines.ts";
import { type RobotsFile, readRobotsFile, robotsLine } from "./robots-file.ts";
import { type SitemapPage, sitemapPages } from "./sitemap-pages.ts";

export interface EngineFiles {
  readonly documents: readonly ComposedDocument[];
  readonly sitemap?: SitemapState;
}

/** The file of `@astrojs/sitemap`. */
const SITEMAP_INDEX = "sitemap-index.xml";

/** @throws {EmitError} `FOREIGN_SITEMAP` `OWN_LINES` */
export async function engineFiles(
  settings: Settings,
  plan: Plan,
  inventory: Inventory,
  limits: Partial<WriteLimits>,
): Promise<EngineFiles> {
  const { folder, site, sitemap: name, indexNow } = settings;
  const documents: ComposedDocument[] = [];
  if (indexNow !== undefined) documents.push(keyFile(folder, indexNow));
  if (name === undefined) return { documents: [...documents, ...robotsLine(settings, undefined)] };
  if (isForeign(join(folder, name))) throw foreignSitemapError(name);
  const isNew = plan.collections.every(({ published }) => published?.sitemap !== name);
  const robots = readRobotsFile(settings);
  const isHidden = hiddenByHeaders(authorsText(folder, HEADERS) ?? "");
  const mayList = (url: string) => robots.isAllowed(url) && !isHidden(url);
  const pages = await sitemapPages(plan, inventory, folder, mayList);
  const url = site + name;
  documents.push(...composeSitemap(pages, { site, name, limits }));
  documents.push(...robotsLine(settings, pages.length === 0 ? undefined : url));
  return {
    documents,
    sitemap: { url, pages: pages.length, isNew, ...named(settings, url, robots) },
  };
}

/** An author's file with the key may end with a line break. */
function keyFile(folder: string, key: string): ComposedDocument {
  const path = keyFileName(key);
  const before = authorsText(folder, path);
  return { path, bytes: Buffer.from(before?.trim() === key ? before : key) };
}

function named(
  { folder, site, robots: isWritten }: Settings,
  url: string,
  { sitemaps }: RobotsFile,
): Pick<SitemapState, "isNamed" | "others"> {
  const index = join(folder, SITEMAP_INDEX);
  const isIndexed =
    lstatSync(index, { throwIfNoEntry: false })?.isFile() === true && isForeign(index);
  const all = new Set([...sitemaps, ...(isIndexed ? [site + SITEMAP_INDEX] : [])]);
  const isOurs = (one: string) => urlKey(one) === urlKey(url);
  return {
    isNamed: isWritten || sitemaps.some(isOurs),
    others: [...all].filter((one) => !isOurs(one)),
  };
}

interface HeaderRule {
  readonly isFor: (url: URL) => boolean;
  /** Whether the rule forbids listing or allows it again; `undefined` if it does neither. */
  isHidden: boolean | undefined;
}

const WILDCARDS = /\*|:[A-Za-z]\w*|[.+?^${}()|[\]\\]/g;

const NOT_IN_URLS = /[^!-~]+/g;

/** The words apply to all robots, or to the robot whose console reports pages that it may not list. */
const AGENT = /^\s*(?:(?!max-|unavailable_after)([\w-]+)\s*:)?\s*(.*)$/is;

/**
 * By `X-Robots-Tag`. Netlify and Cloudflare Pages read `_headers` so: a path or a whole URL, with `*` and
 * `:placeholders`, then its headers.
 */
function hiddenByHeaders(text: string): (url: string) => boolean {
  const rules = rulesIn(text).filter(({ isHidden }) => isHidden !== undefined);
  if (rules.length === 0) return () => false;
  return (url) => {
    const parsed = new URL(url);
    return rules.findLast(({ isFor }) => isFor(parsed))?.isHidden === true;
  };
}

function rulesIn(text: string): readonly HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (/^(?:\/|https?:)/.test(line)) rules.push({ isFor: matching(line), isHidden: undefined });
    const header = /^(!?)\s*x-robots-tag\s*(?::(.*))?$/i.exec(line);
    const rule = rules.at(-1);
    if (header === null || rule === undefined) continue;
    if (header[1] === "!") rule.isHidden ??= false;
    else if (hides(header[2] ?? "")) rule.isHidden = true;
  }
  return rules;
}

function matching(pattern: string): HeaderRule["isFor"] {
  const encoded = pattern.replace(NOT_IN_URLS, encodeURIComponent);
  const source = encoded.replace(WILDCARDS, (found) =>
    found === "*" ? ".*" : found.startsWith(":") ? "[^/]+" : `\\${found}`,
  );
  const test = new RegExp(`^${source}$`, "s");
  if (pattern.startsWith("/")) return ({ pathname }) => test.test(pathname);
  return ({ protocol, host, pathname }) => test.test(`${protocol}//${host}${pathname}`);
}

function hides(value: string): boolean {
  const [, agent = "googlebot", words = ""] = AGENT.exec(value) ?? [];
  return agent.toLowerCase() === "googlebot" && forbidsListing(words);
}

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
