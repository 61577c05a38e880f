/** What a site builder tells core; paths of source files are absolute, those of pages are below the output folder. */

/** What a site builder knows of the site it has just built. */
export interface Builder {
  /** The project's folder, an absolute path. The repository around it holds the history. */
  readonly project: string;
  /** What the builder says of a file of the output folder. */
  readonly annotate?: (file: string) => Annotation | undefined;
  /** The source files of a page, its own first: absolute paths. Empty where the builder knows none. */
  readonly sourceFiles: (file: string) => readonly string[];
  /** URLs of pages that a server makes on demand, so that no file stands for them. */
  readonly onDemand?: readonly string[];
}

/** What a builder says of a file of the output folder. */
export interface Annotation {
  /** The URL, where the builder knows better than the file's name. */
  readonly url?: string;
  /** The author opted this page out. */
  readonly withheld?: true;
  /** The builder neither wrote nor copied the file this time. */
  readonly stale?: true;
}
