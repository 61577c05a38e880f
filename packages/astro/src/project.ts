import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { optionError, parseSiteUrl, urlOf, withoutSlash } from "@rs-emit/adapter";
import type { AstroConfig } from "astro";
import { missingSiteError } from "./errors.ts";
import type { AstroSettings } from "./options.ts";

/** The used parts of Astro's configuration. Folders are absolute paths. */
export interface Project {
  /** With the base path; ends with a slash. */
  readonly url: string;
  readonly root: string;
  readonly publicFolder: string;
  readonly cacheFolder: string;
  readonly outputs: readonly [besideServer: string, alone: string];
  readonly format: AstroConfig["build"]["format"];
  readonly trailingSlash: AstroConfig["trailingSlash"];
  readonly cleanUrls: boolean;
  readonly customPages: readonly string[];
  readonly hasChunkedStore: boolean;
  readonly keepsOutput: boolean;
}

export function projectOf(config: AstroConfig, settings: AstroSettings): Project {
  const { root, publicDir, cacheDir, outDir, build, trailingSlash, vite } = config;
  const url = siteUrl(config, settings);
  const { collectionStorage = "single-file" } = config.experimental;
  return {
    url,
    customPages: settings.customPages.map((page) => customPageUrl(url, page)),
    root: fileURLToPath(root),
    publicFolder: fileURLToPath(publicDir),
    cacheFolder: fileURLToPath(cacheDir),
    outputs: [fileURLToPath(build.client), fileURLToPath(outDir)],
    format: build.format,
    trailingSlash,
    cleanUrls: settings.cleanUrls ?? false,
    hasChunkedStore: collectionStorage !== "single-file",
    keepsOutput: vite.build?.emptyOutDir === false,
  };
}

export function pageUrl({ url: site, trailingSlash, cleanUrls }: Project, file: string): string {
  const url = urlOf(site, file, cleanUrls);
  return trailingSlash === "never" ? withoutSlash(site, url) : url;
}

function customPageUrl(site: string, page: string): string {
  const url = URL.canParse(page, site) ? new URL(page, site).href : "";
  if (!url.startsWith(site)) {
    throw optionError("customPages", page, `a list of addresses below ${site}`);
  }
  return url;
}

export function siteUrl({ site, base }: AstroConfig, { url }: AstroSettings): string {
  if (url !== undefined) return parseSiteUrl("url", url);
  if (site === undefined) throw missingSiteError();
  return parseSiteUrl("site", new URL("/", site).href + base.replace(/^\//, ""));
}

/** Documents stay here while Astro has emptied the output folder. */
export function backupFolder({ cacheFolder }: Project): string {
  return join(cacheFolder, "rs-emit");
}
