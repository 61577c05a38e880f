/**
 * Builds a site several times in one process: Astro starts once. A program of its own, so that
 * nothing of the tests' surroundings reaches the builds.
 */

import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What is to be built. */
export interface Work {
  readonly root: string;
  readonly builds: readonly PlannedBuild[];
}

/** One build. */
export interface PlannedBuild {
  /** The commit to check out; what stands is built where there is none. */
  readonly commit?: string;
  /** Astro's configuration, besides what stands in the project's. */
  readonly config?: object;
  /** Options of the integration; without them Astro builds alone. */
  readonly options?: object;
  /** Where a copy of `dist` goes. */
  readonly copy: string;
}

const work: Work = JSON.parse(process.argv[2] ?? "");
const { resolve } = createRequire(join(work.root, "package.json"));
const load = (name: string) => import(pathToFileURL(resolve(name)).href);
const { build } = await load("astro");
const { default: rsEmit } = await load("@rs-emit/astro");

for (const { commit, config, options, copy } of work.builds) {
  if (commit !== undefined) {
    execFileSync("git", ["checkout", "--quiet", commit], { cwd: work.root });
  }
  const integrations = options === undefined ? [] : [rsEmit(options)];
  await build({ root: work.root, logLevel: "error", ...config, integrations });
  cpSync(join(work.root, "dist"), copy, { recursive: true });
}
