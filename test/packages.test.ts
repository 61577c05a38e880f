import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, describe, expect, test } from "vitest";
import { type Manifest, type Packed, packAll } from "./support/packed.ts";
import { readAction } from "./support/steps.ts";
import { installStrictly, typeErrors } from "./support/strict-install.ts";
import { isThorough, RELEASE_ALONE } from "./thorough.ts";

const PACKAGES = resolve(import.meta.dirname, "../packages");
const LISTINGS = resolve(import.meta.dirname, "../docs/listings");
const OUT = mkdtempSync(join(tmpdir(), "rs-emit-packages-"));
afterAll(() => rmSync(OUT, { recursive: true, force: true, maxRetries: 3 }));

/** Those that are published; the reader is bundled by the harvester. */
const FOLDERS = readdirSync(PACKAGES)
  .filter((folder) => folder !== "reader")
  .sort();

/** What people type into a search at npm. */
const SEARCHED = ["rss", "changelog", "whats-new", "sitemap", "lastmod"];

/** What the packages' listings look for; Astro's puts `seo` under Performance + SEO. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  astro: ["astro-integration", "withastro", "seo"],
  eleventy: ["eleventy", "eleventy-plugin"],
};

/** Each of them would put the integration into one more category of Astro's listing. */
const OTHER_CATEGORIES =
  `a11y accessibility astro-adapter analytics css ui icon icons renderer astro-loader
  devtools dev-overlay dev-toolbar tooling utils utility`.split(/\s+/);

const all = packAll();
let projects: Promise<ReadonlyMap<string, string>> | undefined;

async function pack(folder: string): Promise<Packed> {
  const { name }: Manifest = JSON.parse(
    readFileSync(join(PACKAGES, folder, "package.json"), "utf8"),
  );
  const packed = (await all).get(name);
  if (packed === undefined) throw new Error(`${name} was not packed`);
  return packed;
}

describe.each(FOLDERS)("packages/%s is ready to be published", (folder) => {
  const packed = pack(folder);

  test("it holds what it needs, and nothing of its sources and tests", async () => {
    const { files, manifest } = await packed;
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "package.json"]));
    expect(files.filter((file) => /^(?:src|test)\/|\.map$|tsbuildinfo/.test(file))).toEqual([]);
    for (const [name, version] of Object.entries(manifest.dependencies ?? {})) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\^\d/)]);
    }
    expect(manifest.description).toMatch(/^[A-Z].*[^.]$/);
    expect(manifest.license).toBe("MIT");
    expect(manifest.keywords).toEqual(
      expect.arrayContaining(["resourcesync", ...SEARCHED, ...(KEYWORDS[folder] ?? [])]),
    );
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords?.length);
    expect(manifest.engines?.node).toMatch(/^>=2[02]\.\d+$/);
  });

  test("publint finds nothing", async () => {
    const { tarball } = await packed;
    const { buffer } = new Uint8Array(tarball);
    const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("its types are right for those who import it", async () => {
    const { tarball, manifest } = await packed;
    if (manifest.exports === undefined) return;
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)), {
      // Astro compiles its components itself.
      excludeEntrypoints: [/\.astro$/],
    });
    if (result.types === false) throw new Error("there are no types");
    // All packages are ES modules: CommonJS gets them by import().
    const problems = result.problems.filter(
      (problem) =>
        problem.kind !== "CJSResolvesToESM" &&
        !("resolutionKind" in problem && problem.resolutionKind === "node10"),
    );
    expect(problems).toEqual([]);
  });

  // Astro's own types take longer than all else here.
  test.skipIf(!isThorough)(
    `its types need nothing that it does not install${RELEASE_ALONE}`,
    async () => {
      const { manifest } = await packed;
      if (manifest.exports === undefined) return;
      projects ??= all.then((packages) => installStrictly(packages, join(OUT, "projects")));
      const project = (await projects).get(manifest.name) ?? "";
      const errors = await typeErrors(project, typedEntries(manifest));
      expect(errors).toEqual([]);
    },
    60_000,
  );
});

/** What a package exports with types, as it is imported. */
function typedEntries({ name, exports = {} }: Manifest): string[] {
  const entries = Object.keys(exports).filter((entry) => !/\.(?:astro|json)$/.test(entry));
  return entries.map((entry) => name + entry.slice(1));
}

test("the types of @rs-emit/core need no other package's types", () => {
  const dist = join(PACKAGES, "core/dist");
  const seen = new Set<string>();
  const imported = new Set<string>();
  const follow = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(
      /(?:from|import\() ?"([^"]+)"/g,
    )) {
      if (name.startsWith(".")) follow(resolve(file, "..", name.replace(/\.[jt]s$/, ".d.ts")));
      else imported.add(name);
    }
  };
  follow(join(dist, "index.d.ts"));
  expect([...imported].filter((name) => !/^(?:node:|@rs-emit\/)/.test(name))).toEqual([]);
});

test("rs-harvest has all that it needs inside", async () => {
  const { tarball } = await pack("harvester");
  const folder = join(OUT, "rs-harvest");
  mkdirSync(folder);
  execFileSync("tar", ["-xz", "-C", folder], { input: tarball });
  const site = "https://example.org/";
  const command = [join(folder, "package/bin/rs-harvest.js"), folder, "--url", site, "--out", OUT];
  // The runner's NODE_PATH would lend it the workspace's packages.
  const alone = { encoding: "utf8", env: { HOME: folder } } as const;
  const { status, stderr } = spawnSync(process.execPath, command, alone);
  expect([status, stderr]).toEqual([1, expect.stringContaining("no ResourceSync documents")]);
});

test("Astro's listing puts the integration into one category", async () => {
  const { manifest } = await pack("astro");
  expect(manifest.keywords?.filter((word) => OTHER_CATEGORIES.includes(word))).toEqual([]);
});

test("the entry for Eleventy's listing names the plugin, in the form that the listing reads", async () => {
  const { manifest } = await pack("eleventy");
  const entry: unknown = JSON.parse(
    readFileSync(join(LISTINGS, "eleventy-plugin-rs-emit.json"), "utf8"),
  );
  expect(entry).toEqual({ npm: manifest.name, description: expect.stringMatching(/^[A-Z].*\.$/) });
});

test("all packages have one version, which is pinned wherever one is", () => {
  const manifests = FOLDERS.map(
    (folder): Manifest => JSON.parse(readFileSync(join(PACKAGES, folder, "package.json"), "utf8")),
  );
  const versions = new Set(manifests.map(({ version }) => version));
  expect(versions.size).toBe(1);
  const pinned = (["emit", "after"] as const).map(
    (name) => readAction(name).inputs.version?.default,
  );
  expect(new Set(pinned)).toEqual(versions);
  const root = resolve(PACKAGES, "..");
  const files = globSync(["**/*.md", "examples/*/*.yml"], {
    cwd: root,
    exclude: (name) => name.includes("node_modules"),
  });
  const pins = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = text.matchAll(/(?:actions\/(?:emit|after)@v|\/rs-harvest:)(\S+)/g);
    return [...found].map(([, version = ""]) => version);
  });
  expect(pins.length).toBeGreaterThan(8);
  expect(new Set(pins)).toEqual(versions);
  const copied = globSync("examples/*/package.json", { cwd: root }).flatMap((file) => {
    const { dependencies = {} }: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
    return Object.entries(dependencies).flatMap(([name, range]) =>
      name.startsWith("@rs-emit/") ? [range.replace("^", "")] : [],
    );
  });
  expect(copied).toHaveLength(2);
  expect(new Set(copied)).toEqual(versions);
  const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  expect(/^## (\S+)$/m.exec(changes)?.[1]).toBe([...versions][0]);
});
