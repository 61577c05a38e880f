/** Where a past is told from. The schema in `options.ts` parses it. */
export interface PastOptions {
  /** A branch that holds the published pages; what is checked out where absent. */
  branch?: string | undefined;
  /** The folder of the pages in each commit; the folder of the site, in a branch its root, where absent. */
  folder?: string | undefined;
  /** The command that builds a commit; without it the folder is told as it was committed. */
  build?: string | undefined;
  /** A command that installs what a build needs, in place of links to what is installed. */
  install?: string | undefined;
  /** Files that git ignores and a build needs. */
  carry?: string[] | undefined;
  /** How long a build may take, such as `10m`. */
  timeout?: string | undefined;
  /** Builds at a time. */
  jobs?: number | string | undefined;
  every?: "commit" | "day" | undefined;
  /** Only what came after this commit or date. */
  since?: string | undefined;
  /** Where working trees are made. */
  work?: string | undefined;
  /** A build that fails ends the run. */
  stopOnError?: boolean | undefined;
  /** The project's folder, in which builds run; the working directory where absent. */
  project?: string | undefined;
}
