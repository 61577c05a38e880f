/** The options of a backfill; the schema in `options.ts` parses them. */
export interface PastOptions {
  /** A branch that holds the published pages; by default HEAD. */
  branch?: string | undefined;
  /** Below the root of each commit; by default the site's folder, or the root of `branch`. */
  folder?: string | undefined;
  /** Builds a commit; by default the committed folder is read. */
  build?: string | undefined;
  /** Installs the packages of a build; by default installed packages are linked. */
  install?: string | undefined;
  /** Files that git ignores and a build needs. */
  carry?: string[] | undefined;
  /** For each command, such as `90s` or `10m`. */
  timeout?: string | undefined;
  jobs?: number | string | undefined;
  every?: "commit" | "day" | undefined;
  /** Only commits after this commit or date. */
  since?: string | undefined;
  /** The parent folder of working trees; by default the system's temporary folder. */
  work?: string | undefined;
  stopOnError?: boolean | undefined;
  /** Publish although more than a third of the commits could not be read. */
  allowSkipped?: boolean | undefined;
  /** The folder that builds run in; by default the working directory. */
  project?: string | undefined;
}
