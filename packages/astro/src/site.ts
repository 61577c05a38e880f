import type { Project } from "./project.ts";
import type { Route } from "./routes/written.ts";

/** A site that Astro has just built. */
export interface BuiltSite {
  readonly project: Project;
  /** The output folder, an absolute path. */
  readonly folder: string;
  /** The route that wrote each file; see `writtenFiles`. */
  readonly written: ReadonlyMap<string, Route>;
  /** When the build began, in milliseconds since 1970. */
  readonly begun: number;
}
