/**
 * Makes what a release publishes: `npm run tarballs -- <folder> [<tag>]`. It builds the commit that is checked out
 * twice, in two clones, and goes on only where all tarballs are equal by their bytes. Beside each it writes
 * a bill of materials, and the digests of all into SHA256SUMS.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { billOfMaterials } from "./release/bill.ts";
import { ReleaseError, runScript, UsageError } from "./release/errors.ts";
import { packWorkspace, readTarballs, type Tarball } from "./release/tarball.ts";

const ROOT = resolve(import.meta.dirname, "..");

/** The same commit became different tarballs. */
class DifferentTarballsError extends ReleaseError {
  readonly code = "DIFFERENT_TARBALLS";

  constructor(names: readonly string[], folders: readonly string[]) {
    super(
      `Two builds of one commit gave different bytes: ${names.join(", ")}.`,
      `Compare what is in them: ${folders.join(" and ")}. A build must not depend on its folder, the time or the machine.`,
    );
  }
}

/** The tag is not the version that the packages have. */
class TagError extends ReleaseError {
  readonly code = "TAG";

  constructor(tag: string, { name, version }: Tarball["manifest"]) {
    super(
      `The tag ${tag} is not the version of ${name}, which is ${version}.`,
      "Raise the versions in packages/*/package.json together, commit, and tag that commit.",
    );
  }
}

/** The folder is not empty, so what is in it might be taken for a part of this release. */
class FolderInUseError extends ReleaseError {
  readonly code = "FOLDER_IN_USE";

  constructor(folder: string) {
    super(`${folder} is not empty.`, "Name a folder that is empty or does not exist.");
  }
}

/** Names of files that one of two folders lacks, or has with other bytes. */
export function differences(one: string, other: string): string[] {
  const names = new Set([...readdirSync(one), ...readdirSync(other)]);
  const digests = [digestsIn(one), digestsIn(other)] as const;
  return [...names].filter((name) => digests[0].get(name) !== digests[1].get(name)).toSorted();
}

function digestsIn(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder)
      .toSorted()
      .map((name) => {
        const bytes = readFileSync(join(folder, name));
        return [name, createHash("sha256").update(bytes).digest("hex")];
      }),
  );
}

/** @throws {TagError} where a package has another version than the tag says */
export function checkTag(tag: string, tarballs: readonly Tarball[]): void {
  const other = tarballs.find(({ manifest }) => tag !== `v${manifest.version}`);
  if (other !== undefined) throw new TagError(tag, other.manifest);
}

/** Builds and packs a commit in a clone. */
async function buildTarballs(work: string, commit: string, zone: string): Promise<string> {
  const clone = join(work, "clone");
  const tarballs = join(work, "tarballs");
  mkdirSync(tarballs);
  execFileSync("git", ["clone", "--quiet", "--no-checkout", ROOT, clone]);
  execFileSync("git", ["checkout", "--quiet", "--detach", commit], { cwd: clone });
  const options = { cwd: clone, env: { ...process.env, TZ: zone } };
  execFileSync("npm", ["run", "setup"], { ...options, stdio: ["ignore", "ignore", "inherit"] });
  await packWorkspace(clone, tarballs);
  return tarballs;
}

async function main(given: string, tag: string | undefined): Promise<void> {
  const folder = resolve(given);
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) throw new FolderInUseError(folder);
  const [commit = "", seconds = ""] = execFileSync("git", ["show", "-s", "--format=%H %ct"], {
    cwd: ROOT,
    encoding: "utf8",
  }).split(" ");
  // Not the same path, and not the same day.
  const first = await buildTarballs(workFolder("a"), commit, "Pacific/Kiritimati");
  const second = await buildTarballs(workFolder("another"), commit, "Pacific/Pago_Pago");
  const different = differences(first, second);
  if (different.length > 0) throw new DifferentTarballsError(different, [first, second]);
  cpSync(first, folder, { recursive: true });
  for (const tarballs of [first, second]) {
    rmSync(resolve(tarballs, ".."), { recursive: true, force: true, maxRetries: 3 });
  }
  const tarballs = await readTarballs(folder);
  if (tag !== undefined) checkTag(tag, tarballs);
  for (const one of tarballs) {
    const bill = await billOfMaterials(one, tarballs, new Date(Number(seconds) * 1000));
    writeFileSync(one.file.replace(/\.tgz$/, ".cdx.json"), bill);
  }
  const sums = [...digestsIn(folder)].map(([name, digest]) => `${digest}  ${name}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
  process.stdout.write(`${sums.join("")}Commit ${commit}, built twice with equal bytes.\n`);
}

function workFolder(name: string): string {
  return mkdtempSync(join(tmpdir(), `rs-emit-tarballs-${name}-`));
}

if (import.meta.main) {
  await runScript(async () => {
    const [folder, tag, ...rest] = process.argv.slice(2);
    if (folder === undefined || rest.length > 0) {
      throw new UsageError("npm run tarballs -- <folder> [<tag>]");
    }
    await main(folder, tag);
  });
}
