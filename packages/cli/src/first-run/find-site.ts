import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isTestAddress } from "@rs-emit/core";
import { isConfigOf, SITE_BUILDERS } from "@rs-emit/core/words";
import { decodeText } from "@rs-emit/documents";

interface FoundAddress {
  readonly url: string;
  /** Relative to the project. */
  readonly file: string;
}

/** The found text may be no address at all. */
type AddressReader = (text: string) => string | undefined;

/** Pages of these hosts show a site's code, not the site. */
const CODE_HOSTS =
  /(?:^|\.)(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org|sr\.ht|npmjs\.com)$/;

/**
 * In its builder's config, `CNAME`, the home page's canonical link, or package.json. Skips example and test
 * addresses.
 * @param project absolute
 * @param folder relative to the project
 */
export function findAddress(project: string, folder: string | undefined): FoundAddress | undefined {
  const sites = folder === undefined ? [] : [folder];
  const readers: readonly (readonly [file: string, read: AddressReader])[] = [
    ...configsIn(project),
    ...[".", ...sites, "public", "static", "src"].map(
      (place) => [join(place, "CNAME"), readCname] as const,
    ),
    ...sites.map((site) => [join(site, "index.html"), readCanonical] as const),
    ["package.json", readHomepage],
  ];
  for (const [file, read] of readers) {
    const url = addressIn(textOf(join(project, file)), read);
    if (url !== undefined) return { url, file };
  }
  return undefined;
}

/** Builders' configs are programs or have formats of their own, so the author confirms what is found. */
function configsIn(project: string): readonly (readonly [file: string, read: AddressReader])[] {
  const names = namesIn(project);
  return SITE_BUILDERS.flatMap((builder) => {
    const { address } = builder;
    if (address === undefined) return [];
    const configs = names.filter((name) => isConfigOf(builder, name));
    return configs.map((file) => [file, joined(...address)] as const);
  });
}

function addressIn(text: string | undefined, read: AddressReader): string | undefined {
  const found = text === undefined ? undefined : read(text);
  if (found === undefined || !URL.canParse(found)) return undefined;
  const { protocol, origin, pathname } = new URL(found);
  const url = origin + pathname.replace(/\/index\.html$/, "").replace(/\/*$/, "/");
  return /^https?:$/.test(protocol) && !isTestAddress(url) ? url : undefined;
}

function textOf(path: string): string | undefined {
  try {
    return decodeText(readFileSync(path));
  } catch {
    return undefined; // It is not there, or is a folder.
  }
}

function first(pattern: RegExp): AddressReader {
  return (text) => unquoted(pattern.exec(text)?.[1]);
}

function joined(origin: RegExp, base?: RegExp): AddressReader {
  return (text) => {
    const site = first(origin)(text);
    const path = base && first(base)(text);
    if (path === undefined || site === undefined || !URL.canParse(site)) return site;
    return new URL(`${path.replace(/^\/*/, "/")}/`, site).href;
  };
}

function unquoted(value: string | undefined): string | undefined {
  return value?.replace(/^["'`]/, "").replace(/["'`]?[,;]?$/, "") || undefined;
}

function readCname(text: string): string | undefined {
  const host = text.trim();
  return /^[\w.-]+\.[\w-]+$/.test(host) ? `https://${host}/` : undefined;
}

function readCanonical(text: string): string | undefined {
  const links = text.match(/<link\b[^>]*>/gi) ?? [];
  const canonical = links.find((link) => /\brel\s*=\s*["']?canonical\b/i.test(link));
  return canonical && /\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(canonical)?.[1];
}

function readHomepage(text: string): string | undefined {
  try {
    const { homepage }: { homepage?: unknown } = JSON.parse(text);
    if (typeof homepage !== "string" || !URL.canParse(homepage)) return undefined;
    return CODE_HOSTS.test(new URL(homepage).hostname) ? undefined : homepage;
  } catch {
    return undefined; // The tool that owns the file reports that it is broken.
  }
}

/** Builders write a site into these; the most specific is first. */
const OUTPUT_FOLDERS = ["dist", "_site", "public", "build"];

/** A folder with such a file, or a builder's config, is a project, not a site. */
const PROJECT_FILES = /^(?:package\.json|vite\.config\.\w+)$/;

const HIDDEN = /^(?:\.|node_modules$)/;

/** The built site, or the only folder with a home page; relative to the absolute `project`. */
export function findFolder(project: string): string | undefined {
  const built = OUTPUT_FOLDERS.find((folder) => hasHomePage(join(project, folder)));
  if (built !== undefined) return built;
  const isProject = namesIn(project).some(
    (name) => PROJECT_FILES.test(name) || SITE_BUILDERS.some((one) => isConfigOf(one, name)),
  );
  if (!isProject && hasHomePage(project)) return ".";
  const [only, ...others] = namesIn(project).filter(
    (name) => !HIDDEN.test(name) && hasHomePage(join(project, name)),
  );
  return others.length === 0 ? only : undefined;
}

function hasHomePage(folder: string): boolean {
  return namesIn(folder).includes("index.html");
}

/** @returns none for a folder that is not there, or may not be read */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
