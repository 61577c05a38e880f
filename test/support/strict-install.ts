import { execFile } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Manifest, Packed } from "./packed.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/**
 * Unpacks packages into a project each, in which a package finds what its manifest names and nothing
 * else, as pnpm installs it.
 * @returns the projects by the packages' names
 */
export async function installStrictly(
  packages: ReadonlyMap<string, Packed>,
  folder: string,
): Promise<ReadonlyMap<string, string>> {
  const projectOf = (name: string) => join(folder, name);
  const placeOf = (name: string, project = projectOf(name)) => join(project, "node_modules", name);
  for (const [name, { tarball }] of packages) {
    mkdirSync(placeOf(name), { recursive: true });
    const archive = join(projectOf(name), "package.tgz");
    writeFileSync(archive, tarball);
    await run("tar", ["-xzf", archive, "--strip-components=1", "-C", placeOf(name)]);
  }
  for (const [name, { manifest }] of packages) {
    for (const dependency of requiredBy(manifest)) {
      const link = placeOf(dependency, projectOf(name));
      mkdirSync(dirname(link), { recursive: true });
      const isOurs = packages.has(dependency);
      symlinkSync(isOurs ? placeOf(dependency) : inWorkspace(name, dependency), link);
    }
  }
  return new Map([...packages.keys()].map((name) => [name, projectOf(name)]));
}

/** Optional peers too: those who import what needs them install them. */
function requiredBy({ dependencies, peerDependencies }: Manifest): string[] {
  return Object.keys({ ...dependencies, ...peerDependencies });
}

/** Where the workspace has a package that another of its packages needs. */
function inWorkspace(name: string, dependency: string): string {
  const packages = join(ROOT, "packages");
  const folder = readdirSync(packages).find((one) => {
    const manifest: Manifest = JSON.parse(
      readFileSync(join(packages, one, "package.json"), "utf8"),
    );
    return manifest.name === name;
  });
  return realpathSync(join(packages, folder ?? "", "node_modules", dependency));
}

/** What TypeScript finds in our packages' declarations when a project imports these entries. */
export async function typeErrors(project: string, entries: readonly string[]): Promise<string[]> {
  const imports = entries.map((entry, at) => `export * as entry${at} from "${entry}";\n`);
  writeFileSync(join(project, "index.ts"), imports.join(""));
  writeFileSync(join(project, "package.json"), '{"type":"module"}');
  const compilerOptions = {
    ...{ module: "NodeNext", target: "ES2023", lib: ["ES2023"], strict: true, noEmit: true },
    ...{ skipLibCheck: false, typeRoots: [join(ROOT, "node_modules/@types")], types: ["node"] },
  };
  const config = join(project, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const failed = await run(process.execPath, [compiler, "-p", config], { cwd: project }).then(
    () => undefined,
    (error: { readonly stdout: string }) => error.stdout,
  );
  const lines = failed?.split("\n").filter((line) => /error TS\d+/.test(line)) ?? [];
  // Others' packages are not ours to mend.
  return lines.filter((line) => !line.includes("/.pnpm/"));
}
