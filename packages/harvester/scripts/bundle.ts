/**
 * Bundles what `tsc` has built into one file for each entry point: module files are half the memory and most
 * of the time of a start. The licences of what is in the bundle stand beside it.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist/bundle");

const { version }: { version: string } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ["dist/cli/main.js", "dist/serve/thread.js"],
  outbase: "dist",
  outdir: OUT,
  bundle: true,
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
writeFileSync(join(OUT, "LICENSES.txt"), licencesOf(Object.keys(metafile.inputs)));

/** The licences of the packages that files are from, each once. */
function licencesOf(files: readonly string[]): string {
  const folders = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = [...folders].map((folder) => licenceIn(join(ROOT, folder)));
  return `rs-harvest contains these packages.\n\n${texts.sort().join("\n")}`;
}

function licenceIn(folder: string): string {
  const manifest: { name: string; version: string; license?: string } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  const text =
    file !== undefined && existsSync(join(folder, file))
      ? readFileSync(join(folder, file), "utf8").trim()
      : `Licence: ${manifest.license ?? "unknown"}`;
  return `${"-".repeat(72)}\n${manifest.name} ${manifest.version}\n\n${text}\n`;
}
