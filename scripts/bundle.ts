/**
 * Bundles documents, check and core, each with all it imports: Node takes longer to load 500 files than a
 * short run takes for all else.
 */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { writeBundledPackages } from "./release/bundled-packages.ts";

const PACKAGES = resolve(import.meta.dirname, "../packages");

await Promise.all([
  bundle("documents", ["index", "compiled-code"]),
  // Its errors are those that documents' other users catch.
  bundle("check", ["index"], { external: ["@rs-emit/documents"] }),
  bundle("core", ["index", "adapter", "backfill/index", "report/words"], {
    alias: {
      "@rs-emit/documents": join(PACKAGES, "documents/src/index.ts"),
      "@rs-emit/feeds": join(PACKAGES, "feeds/src/index.ts"),
    },
  }),
]);

async function bundle(
  name: string,
  entryPoints: readonly string[],
  options: Pick<BuildOptions, "alias" | "external"> = {},
): Promise<void> {
  const folder = join(PACKAGES, name);
  const output = join(folder, "bundle");
  rmSync(output, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: folder,
    outbase: join(folder, "src"),
    entryPoints: entryPoints.map((one) => ({ in: `src/${one}.ts`, out: one })),
    outdir: output,
    ...options,
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
  writeBundledPackages(output, files);
}
