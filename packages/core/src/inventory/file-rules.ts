import picomatch from "picomatch";

export interface FileRules {
  /** Whether the author names files that are no pages. */
  readonly hasPatterns?: boolean;
  isOffered(file: string): boolean;
  isExcluded(path: string): boolean;
  /** Offered and not excluded. Also answers for files that no longer exist. */
  isCandidate(file: string): boolean;
}

export interface FileRulesOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly isOwnDocument: (file: string) => boolean;
}

const PAGE = /\.(?:s?html?|xhtml)$/i;
const PRIVATE = /(?:^|\/)(?:\.|node_modules(?:\/|$))/;

/** `*.html`, `*.htm`, `*.shtml`, `*.shtm` and `*.xhtml`, in any case. */
export function isPage(file: string): boolean {
  return PAGE.test(file);
}

/** Dot files, dot folders and `node_modules`, which sites do not publish. */
export function isPrivate(path: string): boolean {
  return PRIVATE.test(path);
}

export function fileRules({ include, exclude, isOwnDocument }: FileRulesOptions): FileRules {
  const isIncluded = anyOf(include);
  const isExcluded = anyOf(exclude);
  const isOffered = (file: string) =>
    (isPage(file) || isIncluded(file)) && !isPrivate(file) && !isOwnDocument(file);
  return {
    hasPatterns: include.length > 0,
    isOffered,
    isExcluded,
    isCandidate: (file) => isOffered(file) && !isExcluded(file),
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
