import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "..");
const IMPORT = /^(?:import|export) (?:type )?[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gms;

/**
 * A leaf is a feature that could be deleted without touching the others. These are all doors by which the rest of
 * the source enters one, and the files that do. Add none; a leaf has one door, its `index.ts`.
 */
const LEAVES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  // The bundle of core has a door for the command's backfill: @rs-emit/core/backfill.
  "core/src/backfill": {},
  "core/src/compare": {
    "index.ts": ["core/src/index.ts"],
  },
  "core/src/dump": {
    "index.ts": ["core/src/emit.ts", "core/src/publish.ts"],
  },
  "core/src/sitemap": {
    "index.ts": ["core/src/next-run.ts", "core/src/publish.ts"],
  },
  "cli/src/backfill": { "index.ts": ["cli/src/program.ts"] },
  "cli/src/check": { "index.ts": ["cli/src/program.ts"] },
  "cli/src/init": { "index.ts": ["cli/src/program.ts"] },
  "cli/src/log": { "index.ts": ["cli/src/program.ts"] },
  "cli/src/neocities": { "index.ts": ["cli/src/program.ts"] },
  "cli/src/notify": { "index.ts": ["cli/src/program.ts"] },
  "harvester/src/sync": { "index.ts": ["harvester/src/cli/sync.ts"] },
  "harvester/src/serve/web": { "index.ts": ["harvester/src/cli/serve.ts"] },
  "harvester/src/serve/websub": {
    "index.ts": [
      "harvester/src/cli/serve.ts",
      "harvester/src/serve/check-thread.ts",
      "harvester/src/serve/start-thread.ts",
    ],
  },
  "harvester/src/sitemap-polling": {
    "index.ts": [
      "harvester/src/check/check.ts",
      "harvester/src/check/decide-collections.ts",
      "harvester/src/check/decide-condition.ts",
      "harvester/src/check/decide.ts",
      "harvester/src/check/facts.ts",
      "harvester/src/check/read-facts.ts",
      "harvester/src/check/recall.ts",
      "harvester/src/check/schedule.ts",
      "harvester/src/check/store-decision.ts",
      "harvester/src/cli/check-all.ts",
      "harvester/src/serve/web/sources/routes.ts",
      "harvester/src/serve/web/sources/source.ts",
      "harvester/src/store/schema.ts",
    ],
  },
};

const IMPORTS = [...imports()];

test.each(Object.entries(LEAVES))("the doors of %s", (leaf, doors) => {
  const found: Record<string, string[]> = {};
  for (const [file, imported] of IMPORTS) {
    if (file.startsWith(`${leaf}/`) || !imported.startsWith(`${leaf}/`)) continue;
    const door = imported.slice(leaf.length + 1);
    const importers = found[door] ?? [];
    found[door] = importers;
    if (!importers.includes(file)) importers.push(file);
  }
  expect(found).toEqual(doors);
});

/** Each relative import of the source: the file that has it, and the file that it names; below `packages`. */
function* imports(): Generator<readonly [file: string, imported: string]> {
  const packages = join(ROOT, "packages");
  for (const file of readdirSync(packages, { recursive: true, encoding: "utf8" }).sort()) {
    if (!/^[a-z]+\/src\/.*\.ts$/.test(file)) continue;
    const text = readFileSync(join(packages, file), "utf8");
    for (const [, named, lazy] of text.matchAll(IMPORT)) {
      const target = resolve(packages, dirname(file), named ?? lazy ?? "");
      yield [file, relative(packages, target)];
    }
  }
}
