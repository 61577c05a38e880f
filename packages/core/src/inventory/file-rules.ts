import picomatch from "picomatch";

/** Which files of a folder may be resources, told from their paths alone. */
export interface FileRules {
  /** A glob, in any letter case, that holds every file the rules offer; every file without it. */
  readonly glob?: string;
  /** Whether the file is a page or included, before `exclude` is asked. */
  isOffered(file: string): boolean;
  /** Whether a pattern of `exclude` matches the path. */
  isExcluded(path: string): boolean;
  /** Offered and not excluded; also answers for files that no longer exist. */
  isCandidate(file: string): boolean;
}

/** What decides which files may be resources. */
export interface FileRulesOptions {
  /** Globs of other files that are resources too. A folder's name means everything in it. */
  readonly include: readonly string[];
  /** Globs of files that are not resources. A folder's name means everything in it. */
  readonly exclude: readonly string[];
  /** Whether a file is one of ResourceSync's own documents, which are never resources. */
  readonly isOwnDocument: (file: string) => boolean;
}

const PAGE = /\.(?:html?|xhtml)$/i;
const PAGES = "**/*.{html,htm,xhtml}";
const PRIVATE = /(?:^|\/)(?:\.|node_modules(?:\/|$))/;

/** Pages are `*.html`, `*.htm` and `*.xhtml`, in any case. */
export function isPage(file: string): boolean {
  return PAGE.test(file);
}

/** Whether a path leads through a dot file, a dot folder or `node_modules`: nobody publishes those. */
export function isPrivate(path: string): boolean {
  return PRIVATE.test(path);
}

/** The rules for files, from globs relative to the folder. */
export function fileRules({ include, exclude, isOwnDocument }: FileRulesOptions): FileRules {
  const isIncluded = anyOf(include);
  const isExcluded = anyOf(exclude);
  const isOffered = (file: string) =>
    (isPage(file) || isIncluded(file)) && !isPrivate(file) && !isOwnDocument(file);
  return {
    ...(include.length === 0 ? { glob: PAGES } : {}),
    isOffered,
    isExcluded,
    isCandidate: (file) => isOffered(file) && !isExcluded(file),
  };
}

/** The patterns that match none of these paths; a path may be a folder's. */
export function unmatched(patterns: readonly string[], paths: readonly string[]): string[] {
  return patterns.filter((pattern) => !paths.some(anyOf([pattern])));
}

/** Tells which paths a list of globs names. A folder's name means everything in it. */
export function anyOf(patterns: readonly string[]): (path: string) => boolean {
  const names = patterns.map(relativeName).filter((name) => name !== "");
  if (names.length === 0) return () => false;
  const matches = picomatch(
    names.flatMap((name) => [name, `${name}/**`]),
    // Without "s", a folder with a newline in its name would slip through `**`.
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
