import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { removeFolder, temporaryFolder } from "../../../core/test/support/repository.ts";
import type { PlannedBuild, Work } from "./build-many.ts";
import { type AstroSite, ENVIRONMENT } from "./site.ts";

/**
 * Builds a site several times, one after the other.
 *
 * @param look tells what is wanted of the `dist` of each
 */
export function buildMany<Seen>(
  { root }: AstroSite,
  builds: readonly Omit<PlannedBuild, "copy">[],
  look: (dist: string) => Seen,
): Seen[] {
  const copies = temporaryFolder();
  const copyOf = (position: number) => join(copies, String(position));
  const work: Work = {
    root,
    builds: builds.map((build, position) => ({ ...build, copy: copyOf(position) })),
  };
  const program = join(import.meta.dirname, "build-many.ts");
  try {
    execFileSync(process.execPath, [program, JSON.stringify(work)], {
      // Elsewhere Astro 5 would leave its own folders where it was started.
      cwd: root,
      env: ENVIRONMENT,
      stdio: ["ignore", "ignore", "pipe"],
    });
    return builds.map((_, position) => look(copyOf(position)));
  } finally {
    removeFolder(copies);
  }
}
