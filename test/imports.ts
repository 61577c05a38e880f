import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

export const ROOT = resolve(import.meta.dirname, "..");
const PACKAGES = join(ROOT, "packages");
const IMPORT = /^(?:import|export) (?:type )?[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/** Paths are below `packages`. */
export interface Import {
  readonly by: string;
  readonly file: string;
}

/** Each relative import of the source. */
export const IMPORTS: readonly Import[] = readdirSync(PACKAGES, {
  recursive: true,
  encoding: "utf8",
})
  .sort()
  .filter((by) => /^[a-z]+\/src\/.*\.ts$/.test(by))
  .flatMap((by) => {
    const found = readFileSync(join(PACKAGES, by), "utf8").matchAll(IMPORT);
    return [...found].map(([, named, lazy]) => {
      const target = resolve(PACKAGES, dirname(by), named ?? lazy ?? "");
      return { by, file: relative(PACKAGES, target) };
    });
  });
