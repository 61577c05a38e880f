import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A package that a bundle contains. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** What a bundle contains, as it stands beside the bundle: bills of materials are made from it. */
export const PACKAGES_FILE = "packages.json";

/**
 * Writes which packages a bundle contains, and their licences: each asks to go with every copy.
 *
 * @param files the bundle's inputs, as absolute paths
 */
export function writeBundledPackages(bundle: string, files: readonly string[]): void {
  const folders = files.flatMap((file) => /.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const found = [...new Set(folders)]
    .map((folder) => ({ folder, ...packageIn(folder) }))
    .toSorted((one, other) => compare(nameOf(one), nameOf(other)));
  const packages = found.map(({ name, version, license }) => ({ name, version, license }));
  writeFileSync(join(bundle, PACKAGES_FILE), `${JSON.stringify(packages, null, 2)}\n`);
  const texts = found.map((one) => `${nameOf(one)}, ${one.license}\n\n${licenceIn(one.folder)}`);
  writeFileSync(join(bundle, "LICENSES.txt"), `${texts.join("\n\n")}\n`);
}

function packageIn(folder: string): BundledPackage {
  const manifest: BundledPackage = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, version, license } = manifest;
  return { name, version, license };
}

function nameOf({ name, version }: BundledPackage): string {
  return `${name} ${version}`;
}

function licenceIn(folder: string): string {
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
}

/** By code units: the same on each machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
