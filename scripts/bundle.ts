/**
 * Bundles documents and core, each with all it imports: Node takes longer to load 500 files than a
 * short run takes for all else.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const PACKAGES = resolve(import.meta.dirname, "../packages");

await Promise.all([
  bundle("documents", ["index", "rules/index", "check/index"]),
  bundle("core", ["index", "adapter", "backfill/index", "report/words"]),
]);

async function bundle(name: string, entryPoints: readonly string[]): Promise<void> {
  const folder = join(PACKAGES, name);
  const output = join(folder, "bundle");
  rmSync(output, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: folder,
    outbase: join(folder, "src"),
    entryPoints: entryPoints.map((one) => `src/${one}.ts`),
    outdir: output,
    alias: {
      "@rs-emit/documents": join(PACKAGES, "documents/src/index.ts"),
      "@rs-emit/feeds": join(PACKAGES, "feeds/src/index.ts"),
    },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    minifySyntax: true,
    minifyWhitespace: true,
    // Node shows the line of an uncaught error.
    lineLimit: 100,
    metafile: true,
    // What is CommonJS requires Node's own modules.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  const files = Object.keys(metafile.inputs).map((file) => resolve(folder, file));
  writeFileSync(join(output, "LICENSES.txt"), licensesOf(files));
}

/** The licences of the packages that are copied into the bundle: each asks to go with every copy. */
function licensesOf(files: readonly string[]): string {
  const packages = files.flatMap((file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  return [...new Set(packages)].map((folder) => licenseIn(folder)).join("\n\n");
}

function licenseIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version}, ${license}\n\n${text}`;
}
