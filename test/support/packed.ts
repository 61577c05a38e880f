import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { packWorkspace } from "../../scripts/release/tarball.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** The manifest of a package as it would be published. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly keywords?: readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** A package as it would be published. */
export interface Packed {
  readonly tarball: Buffer;
  readonly files: readonly string[];
  readonly manifest: Manifest;
}

let all: Promise<ReadonlyMap<string, Packed>> | undefined;

/** Packs all packages, by name, once a process: `pnpm publish` fills in the workspace's versions. */
export function packAll(): Promise<ReadonlyMap<string, Packed>> {
  all ??= pack(mkdtempSync(join(tmpdir(), "rs-emit-packed-")));
  return all;
}

async function pack(folder: string): Promise<ReadonlyMap<string, Packed>> {
  const run = promisify(execFile);
  const written = await packWorkspace(ROOT, folder);
  const packed = written.map(async ({ name, filename, files }): Promise<[string, Packed]> => {
    const { stdout: text } = await run("tar", ["-xzOf", filename, "package/package.json"]);
    const tarball = readFileSync(filename);
    return [name, { tarball, files: files.map(({ path }) => path), manifest: JSON.parse(text) }];
  });
  return new Map(await Promise.all(packed));
}
