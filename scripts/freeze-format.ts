/**
 * Keeps what a version writes, for the tests of every later one: `npm run freeze [-- <commit>]`, by default of the newest
 * commit. `docs/format.md` says what is promised, `docs/releasing.md` when to run it. It needs the PostgreSQL server of
 * the tests (`RS_HARVEST_TEST_DATABASE`), and `pg_dump`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { hasCommit, softwareOf } from "../test/format/commit.ts";
import { fillDatabases, keepDatabases } from "../test/format/databases.ts";
import { FROZEN, type FrozenFacts, type FrozenSite } from "../test/format/frozen.ts";
import { Garden } from "../test/format/garden.ts";
import { SITES } from "../test/format/sites.ts";

const ROOT = resolve(import.meta.dirname, "..");

const [name = "HEAD"] = process.argv.slice(2);
if (!hasCommit(name)) throw new Error(`There is no commit ${name} here.`);
const commit = git("rev-parse", `${name}^{commit}`);
const work = mkdtempSync(join(tmpdir(), "rs-emit-freeze-"));
try {
  await freeze();
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function freeze(): Promise<void> {
  const manifest: { version: string } = JSON.parse(
    git("show", `${commit}:packages/core/package.json`),
  );
  const { version } = manifest;
  const tag = `v${version}`;
  if (hasCommit(tag) && git("rev-parse", `${tag}^{commit}`) !== commit) {
    throw new Error(
      `Version ${version} was released from another commit. Raise the version, or freeze ${tag}.`,
    );
  }
  const into = join(FROZEN, version);
  const software = await softwareOf(commit, version);
  const databases = await fillDatabases(commit, software, work);
  rmSync(into, { recursive: true, force: true });
  const sites: Record<string, FrozenSite> = {};
  for (const { name, make, ...site } of SITES) {
    const folder = join(work, name);
    mkdirSync(folder);
    await make(new Garden(folder, site), software);
    cpSync(folder, join(into, "sites", name), { recursive: true });
    sites[name] = site;
  }
  keepDatabases(databases, into);
  const { told } = databases;
  const facts: FrozenFacts = { format: formatIn(into), commit, sites, told };
  writeFileSync(join(into, "frozen.json"), `${JSON.stringify(facts, undefined, 2)}\n`);
  process.stdout.write(`${into} has what version ${version} wrote, by ${commit}.\n`);
}

function formatIn(folder: string): number {
  const index = readFileSync(join(folder, "sites/whole/changelist.xml"), "utf8");
  return Number(/ emit:format="(\d+)"/.exec(index)?.[1] ?? 1);
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
}
