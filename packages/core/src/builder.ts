/** What a site builder tells core; paths of sources are absolute, those of pages are below the output folder. */

/** What a site builder knows of the site it has just built. */
export interface Builder {
  /** The project's folder, an absolute path: the repository around it is the evidence. */
  readonly project: string;
  /** What it says of a file of the output folder. */
  readonly annotate?: (file: string) => Annotation | undefined;
  /**
   * The files that a page was made from, the page's own first; none where that is not certain. Those
   * that are no source by the rules date the page as it is today.
   */
  readonly sourcesOf: (file: string) => readonly string[];
  /** The adapter's option by which authors name a page's sources. */
  readonly sourceOption?: string;
  /** How sources become pages; without it, the pages of vanished sources stay unknown. */
  readonly rules?: SourceRules;
  /** Pages that a server makes on demand, so that no file stands for them: their URLs. */
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

/**
 * How a builder makes pages from sources. It is asked of each version of each source that git knows,
 * so that a page's URL and visibility are those of its time (design: Git as evidence).
 */
export interface SourceRules {
  /** What part a file has in the build, whether it stands or is gone; `undefined`: it makes no page. */
  roleOf(file: string): SourceRole | undefined;
  /**
   * The data files that bear on a source, whether they are there or not. Asked when the part of every
   * file in history has been asked for.
   */
  dataOf(source: string): readonly string[];
  /** Reads from a version of a source, or of its data, what decides on the page. */
  read(file: string, bytes: Uint8Array): Facts;
  /**
   * What a version of a source makes.
   *
   * @param data facts of those of its data files that were there at the time, in the order of `dataOf`
   */
  made(source: string, facts: Facts, data: readonly Facts[]): Making;
}

/** A source makes pages; data decides what its neighbours make. */
export type SourceRole = "source" | "data";

/** What a file says that decides on pages, by name: front matter, say. */
export type Facts = Readonly<Record<string, unknown>>;

/** What a version of a source makes, as far as a builder's own rules tell. */
export type Making =
  /** No page. */
  | { readonly kind: "nothing" }
  /** Several pages, of which it dates none. */
  | { readonly kind: "several" }
  | MakingPage;

/** A version of a source that makes one page. */
export interface MakingPage {
  readonly kind: "page";
  /**
   * What decides how the page is named, from narrow to wide: sources with an equal text are named
   * alike. The pages that stand today and are named in the narrowest such way are held against the
   * builder's rule. Where they do not bear it out, what pages of the first way all agree on counts.
   */
  readonly ways: readonly string[];
  /** The page's file by the builder's own rule, where there is one. */
  readonly file?: string;
  /** What the page may be named after, in an order of the builder's: a slug, say. */
  readonly names: readonly string[];
  /** The author opted the page out. */
  readonly withheld?: true;
}
