import { lstatSync } from "node:fs";
import { join } from "node:path";
import { urlKey, type WriteLimits } from "@rs-emit/documents";
import { foreignSitemapError } from "../model/errors.ts";
import { HEADERS, keyFileName } from "../model/layout.ts";
import type { Plan } from "../model/plan.ts";
import type { Inventory } from "../model/resources.ts";
import type { Settings } from "../options/settings.ts";
import type { SitemapState } from "../report/result.ts";
import type { ComposedDocument } from "../write/composed-document.ts";
import { isForeign } from "../write/existing-files.ts";
import { authorsText } from "../write/own-lines.ts";
import { hiddenByHeaders } from "./header-rules.ts";
import { type RobotsFile, readRobotsFile, robotsLine } from "./robots-file.ts";
import { composeSitemap } from "./sitemap-file.ts";
import { sitemapPages } from "./sitemap-pages.ts";

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
