// Written by scripts/option-types.ts from the schema.

/** The options of a backfill, besides those of a run. */
export interface PastOptions {
  /** A branch that holds the published pages, such as `gh-pages`. */
  branch?: string | undefined;
  /** The folder of the pages in the commits, from the repository's root; `<dir>` unless given. */
  folder?: string | undefined;
  /** Each commit, or the last one of each day. */
  every?: "commit" | "day" | undefined;
  /** Only what came after this commit or date. */
  since?: string | undefined;
  /** Publish although git could not check out a commit, or more than a third failed. */
  allowSkipped?: boolean | undefined;
  /** Builds a commit; runs in a checkout outside the project. */
  build?: string | undefined;
  /** Installs what a build needs, such as `npm install`. */
  install?: string | undefined;
  /** A file that git ignores and a build needs. */
  carry?: string[] | undefined;
  /** End a build after this time. */
  timeout?: string | undefined;
  /** Builds at a time. */
  jobs?: number | string | undefined;
  /** Stop at a build that fails. */
  stopOnError?: boolean | undefined;
  /** Where checkouts are made, in place of the temporary folder. */
  work?: string | undefined;
  /** The folder that builds run in; the working directory unless given. */
  project?: string | undefined;
}
