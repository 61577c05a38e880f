import { globSync, readFileSync } from "node:fs";

/** Where somebody meets what a test exercises. It follows from the test's folder. */
export type Surface = "library" | "core" | "command" | "plugin" | "harvester" | "copies";

/** One test file's claim that it proves a requirement. */
export interface Proof {
  readonly id: string;
  /** Path of the test file below the project. */
  readonly file: string;
  readonly surface: Surface;
}

const SURFACES: readonly (readonly [folder: RegExp, surface: Surface])[] = [
  [/^packages\/(documents|feeds)\//, "library"],
  [/^packages\/core\//, "core"],
  [/^packages\/cli\//, "command"],
  [/^packages\/(adapter|eleventy|astro)\//, "plugin"],
  [/^packages\/harvester\/test\/sync/, "copies"],
  [/^packages\/harvester\//, "harvester"],
  [/^test\/harvest/, "harvester"],
  [/^test\//, "core"],
];

/** Where the tests stand. */
export const TESTS = ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"];

/** Every `proves("…")` in the tests' sources, by file and then as written. */
export function readProofs(root: string): readonly Proof[] {
  const files = globSync(TESTS, { cwd: root }).sort();
  return files.flatMap((file) => proofsIn(file, readFileSync(`${root}/${file}`, "utf8")));
}

/**
 * The proofs that a test file's source claims.
 *
 * @throws where an argument of `proves` is no literal
 */
export function proofsIn(file: string, source: string): readonly Proof[] {
  const calls = [...source.matchAll(/(?<![\w.])proves\(([^)]*)\)/g)];
  return calls.flatMap(([call, list = ""]) => {
    const ids = [...list.matchAll(/"([^"]*)"/g)].map(([, id = ""]) => id);
    if (list.replaceAll(/"[^"]*"|[\s,]/g, "") !== "" || ids.length === 0)
      throw new Error(`${file}: ${call} does not name requirements with literals.`);
    return ids.map((id) => ({ id, file, surface: surfaceOf(file) }));
  });
}

function surfaceOf(file: string): Surface {
  const found = SURFACES.find(([folder]) => folder.test(file));
  if (found === undefined) throw new Error(`${file} stands on no known surface.`);
  return found[1];
}
