import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type BundledPackage, PACKAGES_FILE } from "./bundled-packages.ts";
import type { Tarball } from "./tarball.ts";

const run = promisify(execFile);

/** Where packages of this workspace have a bundle, if they have one. */
const BUNDLES = ["bundle", "dist/bundle"];

/** A part of a bill of materials (CycloneDX 1.5), as far as it is read or written here. */
interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly externalReferences?: readonly { readonly type: string }[];
  readonly components?: readonly object[];
}

/** A bill of materials, as `npm sbom` prints it. */
interface Bill {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string }[];
}

/**
 * What is installed with a package, and what is bundled in it: the tarball is installed into an empty
 * folder, with the versions that the registry had at that time. So the same tarball and the same time
 * give the same bill.
 *
 * @param siblings all tarballs of the release: the registry does not have them yet
 */
export async function billOfMaterials(
  tarball: Tarball,
  siblings: readonly Tarball[],
  time: Date,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "rs-emit-bill-"));
  try {
    await install(folder, tarball, siblings, time);
    const options = ["--sbom-format=cyclonedx", "--sbom-type=library", "--legacy-peer-deps"];
    const { stdout } = await npm(folder, "sbom", ...options);
    const names = new Set(siblings.map(({ manifest }) => manifest.name));
    const bill: Bill = JSON.parse(stdout);
    const components = bill.components.map((one) =>
      withBundled(withoutPlaces(one), names.has(one.name) ? bundledIn(folder, one.name) : []),
    );
    return `${JSON.stringify(fixed(bill, components, tarball, time), null, 2)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function install(
  folder: string,
  { file, manifest }: Tarball,
  siblings: readonly Tarball[],
  time: Date,
): Promise<void> {
  const others = siblings.filter((one) => one.manifest.name !== manifest.name);
  const project = {
    name: "bill",
    version: "0.0.0",
    private: true,
    dependencies: { [manifest.name]: `file:${file}` },
    overrides: Object.fromEntries(others.map((one) => [one.manifest.name, `file:${one.file}`])),
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(project));
  // A builder that a plugin is for is its users' choice: it is no part of the plugin.
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--legacy-peer-deps"];
  await npm(folder, "install", ...options, `--before=${time.toISOString()}`);
}

function npm(folder: string, ...args: readonly string[]) {
  const options = { cwd: folder, maxBuffer: 64_000_000 };
  return run("npm", [...args, `--prefix=${folder}`], options);
}

/** Where a package was fetched from differs by machine; its name, version and digest say what it is. */
function withoutPlaces(component: Component): Component {
  const kept = component.externalReferences?.filter(({ type }) => type !== "distribution") ?? [];
  return { ...component, externalReferences: kept };
}

function bundledIn(folder: string, name: string): BundledPackage[] {
  const files = BUNDLES.map((bundle) => join(folder, "node_modules", name, bundle, PACKAGES_FILE));
  return files.filter(existsSync).flatMap((file) => JSON.parse(readFileSync(file, "utf8")));
}

/** A component with the packages that are copied into it. */
function withBundled(component: Component, bundled: readonly BundledPackage[]): Component {
  if (bundled.length === 0) return component;
  const components = bundled.map(({ name, version, license }) => ({
    "bom-ref": `${component["bom-ref"]}|${name}@${version}`,
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }],
  }));
  return { ...component, components };
}

/** The bill of the tarball in place of that of the folder, without what differs by run. */
function fixed(
  bill: Bill,
  components: readonly Component[],
  { file, manifest }: Tarball,
  time: Date,
): object {
  const isTarball = ({ name }: Component) => name === manifest.name;
  const folder = bill.metadata.component["bom-ref"];
  return {
    ...bill,
    serialNumber: serialNumberOf(readFileSync(file)),
    metadata: {
      ...bill.metadata,
      timestamp: time.toISOString(),
      component: components.find(isTarball),
    },
    components: components.filter((one) => !isTarball(one)),
    dependencies: bill.dependencies.filter(({ ref }) => ref !== folder),
  };
}

/** A UUID of version 8 (RFC 9562), from a digest of the tarball: other bytes, another bill. */
export function serialNumberOf(bytes: Buffer): string {
  const digest = createHash("sha256").update(bytes).digest("hex");
  const variant = "89ab"[Number.parseInt(digest.slice(16, 17), 16) % 4];
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return `urn:uuid:${parts.join("-")}`;
}
