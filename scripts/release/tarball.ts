import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageManager } from "./package-manager.ts";

const run = promisify(execFile);

/** What a package's manifest says, as far as a release asks. */
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly repository?: { readonly url: string };
}

/** A package as it will be published. */
export interface Tarball {
  readonly file: string;
  readonly manifest: Manifest;
}

/** What `pnpm pack` says of a tarball that it wrote. */
export interface PackedFile {
  readonly name: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs the packages of a workspace that is built, but for the one that is only bundled; pnpm fills in the versions of those among each other. Another
 * version of pnpm may write other bytes, so it is the one that the workspace names.
 */
export async function packWorkspace(root: string, folder: string): Promise<PackedFile[]> {
  const filter = ["--filter", "./packages/*", "--filter", "!@rs-emit/reader"];
  const pack = ["-r", ...filter, "pack", "--json", "--pack-destination", folder];
  const options = { cwd: root, maxBuffer: 64_000_000 };
  const { stdout } = await run("npx", ["--yes", packageManager(root), ...pack], options);
  return JSON.parse(stdout);
}

/** The tarballs in a folder: each after those of them that it depends on. */
export async function readTarballs(folder: string): Promise<Tarball[]> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const read = names.map(async (name): Promise<Tarball> => {
    const file = join(folder, name);
    const { stdout } = await run("tar", ["-xzOf", file, "package/package.json"]);
    return { file, manifest: JSON.parse(stdout) };
  });
  const byName = (one: Tarball, other: Tarball) =>
    one.manifest.name < other.manifest.name ? -1 : 1;
  return inOrder((await Promise.all(read)).sort(byName));
}

function inOrder(tarballs: readonly Tarball[]): Tarball[] {
  const byName = new Map(tarballs.map((one) => [one.manifest.name, one]));
  const ordered = new Set<Tarball>();
  const add = (one: Tarball) => {
    for (const name of Object.keys(one.manifest.dependencies ?? {})) {
      const dependency = byName.get(name);
      if (dependency !== undefined && !ordered.has(dependency)) add(dependency);
    }
    ordered.add(one);
  };
  for (const one of tarballs) add(one);
  return [...ordered];
}
