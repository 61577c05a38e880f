/**
 * Publishes the tarballs of a folder, each after those that it depends on: `node scripts/publish.ts <folder>`.
 * What the registry has already is left out, so that a release that broke off is continued by running it again.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { ReleaseError, runScript, UsageError } from "./release/errors.ts";
import { isKnown } from "./release/repository.ts";
import { readTarballs, type Tarball } from "./release/tarball.ts";

/** The tarballs do not say which repository they are from. */
class UnknownRepositoryError extends ReleaseError {
  readonly code = "UNKNOWN_REPOSITORY";

  constructor(name: string) {
    super(
      `${name} does not say in which repository it is made, so npm would refuse its provenance.`,
      "Run scripts/owner.ts, commit what it wrote, and tag that commit.",
    );
  }
}

/** The registry has this version, with other bytes. */
class PublishedOtherwiseError extends ReleaseError {
  readonly code = "PUBLISHED_OTHERWISE";

  constructor(version: string) {
    super(
      `The registry has ${version} with other bytes.`,
      "A version cannot be replaced: raise the versions, and release again.",
    );
  }
}

/** The registry did not say whether it has a version. */
class RegistryError extends ReleaseError {
  readonly code = "REGISTRY";

  constructor(version: string, said: string) {
    super(
      `The registry did not say whether it has ${version}: ${said.trim()}`,
      "Run it again later.",
    );
  }
}

/** @throws {UnknownRepositoryError} where the placeholder is still there */
function checkRepository({ manifest }: Tarball): void {
  const named = /github\.com\/(.+?)(?:\.git)?$/.exec(manifest.repository?.url ?? "")?.[1];
  if (named === undefined || !isKnown(named)) throw new UnknownRepositoryError(manifest.name);
}

/** The digest under which the registry has a version; nothing if it does not have it. */
function publishedDigest(version: string): string | undefined {
  const args = ["view", version, "dist.integrity", "--json"];
  const { status, stdout, stderr, error } = spawnSync("npm", args, { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status !== 0 && /\bE404\b/.test(stdout + stderr)) return undefined;
  if (status !== 0) throw new RegistryError(version, stderr);
  // npm prints nothing where it has the package, and not the version.
  return stdout.trim() === "" ? undefined : JSON.parse(stdout);
}

/** @returns whether it was published now */
function publish({ file, manifest }: Tarball): boolean {
  const version = `${manifest.name}@${manifest.version}`;
  const digest = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const published = publishedDigest(version);
  if (published === digest) return false;
  if (published !== undefined) throw new PublishedOtherwiseError(version);
  const args = ["publish", file, "--access", "public", "--provenance"];
  execFileSync("npm", args, { stdio: "inherit" });
  return true;
}

await runScript(async () => {
  const [folder, ...rest] = process.argv.slice(2);
  if (folder === undefined || rest.length > 0) {
    throw new UsageError("node scripts/publish.ts <folder>");
  }
  const tarballs = await readTarballs(resolve(folder));
  for (const one of tarballs) checkRepository(one);
  for (const one of tarballs) {
    const { name, version } = one.manifest;
    const said = publish(one) ? "published" : "was there already";
    process.stdout.write(`${name} ${version} ${said}\n`);
  }
});
