/**
 * Bundles what `tsc` has built into few files: module files are half the memory and most of the time of a start. A command
 * loads the files that it needs. The licences of what is in the bundle stand beside it.
 */
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { writeBundledPackages } from "../../../scripts/release/bundled-packages.ts";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist/bundle");

const { version }: { version: string } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
rmSync(OUT, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: [
    "dist/cli/main.js",
    "dist/serve/check-thread.js",
    // A file of its own: what is loaded before it has no compiled code.
    { in: "@rs-emit/documents/compiled-code", out: "compiled-code" },
  ],
  outbase: "dist",
  outdir: OUT,
  bundle: true,
  splitting: true,
  // As deep as the modules that name files beside them.
  chunkNames: "cli/[name]-[hash]",
  platform: "node",
  target: "node22.19",
  format: "esm",
  metafile: true,
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  external: ["pg-native", "pg-cloudflare"],
  define: { "process.env.RS_HARVEST_VERSION": JSON.stringify(version) },
  // Some packages inside are CommonJS.
  banner: {
    js: 'import{createRequire as bundleRequire}from"node:module";const require=bundleRequire(import.meta.url);',
  },
});
const files = Object.keys(metafile.inputs).map((file) => resolve(ROOT, file));
writeBundledPackages(OUT, files);
