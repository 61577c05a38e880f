import picomatch from "picomatch";
import { type NamingSettings, ownDocuments } from "../model/layout.ts";

/** Which files a walk takes. */
export interface FileRules {
  /** Whether the author names files that are no pages. */
  readonly hasPatterns?: boolean;
  isOffered(file: string): boolean;
  /** Whether `exclude` names it. It wins over `include`, which wins over all else that makes a file no page. */
  isExcluded(path: string): boolean;
}

/** Which files of a site may be resources. Also answers for files that no longer exist. */
export interface SiteFileRules extends FileRules {
  isIncluded(file: string): boolean;
  isNotFoundPage(file: string): boolean;
  /** Offered, not excluded, and not the page for missing addresses. */
  isCandidate(file: string): boolean;
}

export interface FileRulesOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly isOwnDocument: (file: string) => boolean;
}

const PAGE = /\.(?:s?html?|xhtml)$/i;
/** Hosts show these pages of the site's root for unknown addresses; Neocities uses `not_found.html`. */
const NOT_FOUND_PAGE = /^(?:404(?:\.html|\/index\.html)|not_found\.html)$/;
const PRIVATE = /(?:^|\/)(?:\.|node_modules(?:\/|$))/;

/** `*.html`, `*.htm`, `*.shtml`, `*.shtm` and `*.xhtml`, in any case. */
export function isPage(file: string): boolean {
  return PAGE.test(file);
}

/** Dot files, dot folders and `node_modules`, which sites do not publish. */
export function isPrivate(path: string): boolean {
  return PRIVATE.test(path);
}

/** The rules of a site, whose own documents are no resources. */
export function siteFileRules(
  settings: Omit<FileRulesOptions, "isOwnDocument"> & NamingSettings & SiteFolders,
): SiteFileRules {
  return fileRules({ ...settings, isOwnDocument: ownDocuments(settings.collections, settings) });
}

interface SiteFolders {
  readonly collections: readonly { readonly folder: string }[];
}

export function fileRules({ include, exclude, isOwnDocument }: FileRulesOptions): SiteFileRules {
  const isIncluded = anyOf(include);
  const isExcluded = anyOf(exclude);
  const isOffered = (file: string) =>
    (isPage(file) || isIncluded(file)) && !isPrivate(file) && !isOwnDocument(file);
  const isNotFoundPage = (file: string) => NOT_FOUND_PAGE.test(file) && !isIncluded(file);
  return {
    hasPatterns: include.length > 0,
    isOffered,
    isExcluded,
    isIncluded,
    isNotFoundPage,
    isCandidate: (file) => isOffered(file) && !isExcluded(file) && !isNotFoundPage(file),
  };
}

export function unmatched(patterns: readonly string[], paths: readonly string[]): string[] {
  return patterns.filter((pattern) => !paths.some(anyOf([pattern])));
}

/** A folder's name matches everything in it. */
export function anyOf(patterns: readonly string[]): (path: string) => boolean {
  const names = patterns.map(relativeName).filter((name) => name !== "");
  if (names.length === 0) return () => false;
  const matches = picomatch(
    names.flatMap((name) => [name, `${name}/**`]),
    // Without "s", `**` does not match a folder with a newline in its name.
    { dot: true, nonegate: true, flags: "s" },
  );
  return (path) => {
    const normal = path.normalize("NFC");
    return (
      names.some((name) => normal === name || normal.startsWith(`${name}/`)) || matches(normal)
    );
  };
}

function relativeName(pattern: string): string {
  return pattern
    .normalize("NFC")
    .replace(/^\.?\/+/, "")
    .replace(/\/+$/, "");
}
