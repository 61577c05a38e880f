import { execFileSync } from "node:child_process";
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
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { billOfMaterials, serialNumberOf } from "../scripts/release/bill.ts";
import { readTarballs, type Tarball } from "../scripts/release/tarball.ts";
import { checkTag, differences } from "../scripts/tarballs.ts";
import { codeOf } from "./support/documented.ts";
import { packAll } from "./support/packed.ts";
import { isThorough, RELEASE_ALONE, sample } from "./thorough.ts";

const ROOT = resolve(import.meta.dirname, "..");
const COMMIT_TIME = new Date("2026-11-01T12:00:00Z");
const OUT = mkdtempSync(join(tmpdir(), "rs-emit-tarballs-test-"));
afterAll(() => rmSync(OUT, { recursive: true, force: true, maxRetries: 3 }));

interface Component {
  readonly name: string;
  readonly version: string;
  readonly components?: readonly Component[];
}

interface Bill {
  readonly serialNumber: string;
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
}

const nameOf = ({ name }: Component) => name;

/** What is bundled in each package, by its bundle's own list of licences. */
function licensed(tarball: Tarball): string[] {
  const args = ["-xzOf", tarball.file, "--wildcards", "package/*LICENSES.txt"];
  const text = execFileSync("tar", args, { encoding: "utf8" });
  return [...text.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*), \S/gm)].map(([, name = ""]) => name);
}

describe("a bill of materials", () => {
  let tarballs: readonly Tarball[] = [];
  beforeAll(async () => {
    const folder = join(OUT, "packed");
    mkdirSync(folder);
    for (const [name, { tarball }] of await packAll()) {
      writeFileSync(join(folder, `${name.replace("/", "-")}.tgz`), tarball);
    }
    tarballs = await readTarballs(folder);
  });

  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  // rs-emit has what is installed, and what is bundled in that; rs-harvest has the longest bundle.
  const names = ["rs-emit", "@rs-emit/astro", "@rs-emit/documents", "rs-harvest"];

  // What is installed comes from the registry of npm: the network may fail once.
  test.each(sample(names, 1))(
    "of %s is the same twice, valid, and whole",
    { retry: 1 },
    async (name) => {
      const tarball = tarballs.find(({ manifest }) => manifest.name === name);
      if (tarball === undefined) throw new Error(`${name} was not packed`);
      const text = await billOfMaterials(tarball, tarballs, COMMIT_TIME);
      expect(await billOfMaterials(tarball, tarballs, COMMIT_TIME)).toBe(text);
      expect(await validator.validate(text)).toBeNull();
      expect(text).not.toMatch(/file:|"distribution"/);
      expect(text).not.toContain(tmpdir());

      const { metadata, components }: Bill = JSON.parse(text);
      expect(metadata.timestamp).toBe(COMMIT_TIME.toISOString());
      expect(metadata.component).toMatchObject({ name, version: tarball.manifest.version });
      const dependencies = Object.keys(tarball.manifest.dependencies ?? {});
      expect(components.map(nameOf)).toEqual(expect.arrayContaining(dependencies));
      if (name === "rs-emit") {
        const said = `\`rs-emit\` is ${components.length + 1} packages`;
        expect(readFileSync(join(ROOT, "SECURITY.md"), "utf8")).toContain(said);
      }
      for (const one of [metadata.component, ...components]) {
        const own = tarballs.find(({ manifest }) => manifest.name === one.name);
        if (own === undefined) continue;
        const files = execFileSync("tar", ["-tzf", own.file], { encoding: "utf8" });
        const bundled = files.includes("LICENSES.txt") ? licensed(own) : [];
        expect(one.components?.map(nameOf) ?? [], one.name).toEqual(bundled);
      }
    },
  );

  test("has another serial number for other bytes", () => {
    const numbers = ["a", "b"].map((text) => serialNumberOf(Buffer.from(text)));
    for (const number of numbers) {
      expect(number).toMatch(
        /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      );
    }
    expect(new Set(numbers).size).toBe(2);
  });

  test("packages stand after those that they depend on", () => {
    const order = tarballs.map(({ manifest }) => manifest.name);
    expect(order.indexOf("@rs-emit/documents")).toBeLessThan(order.indexOf("@rs-emit/feeds"));
    for (const { manifest } of tarballs) {
      for (const name of Object.keys(manifest.dependencies ?? {}).filter((one) =>
        order.includes(one),
      )) {
        expect(order.indexOf(name), `${name}, ${manifest.name}`).toBeLessThan(
          order.indexOf(manifest.name),
        );
      }
    }
  });

  test("docs/releasing.md names them all, in that order", () => {
    const names = tarballs.map(({ manifest }) => manifest.name);
    const files = names.map((name) => name.replace("@", "").replace("/", "-"));
    const [, first, trusted] = codeOf("docs/releasing.md: What the owner does once", "sh");
    expect(first).toContain(`for name in ${files.join(" ")}; do`);
    expect(trusted).toContain(`for name in ${names.join(" ")}; do`);
    const [, workflow, environment] = /--file (\S+) .* --env (\S+)/.exec(trusted ?? "") ?? [];
    const text = readFileSync(join(ROOT, ".github/workflows", workflow ?? ""), "utf8");
    expect(text).toContain(`environment: ${environment}\n`);
  });

  test("docs/releasing.md publishes these files by hand, and no repository of that name", () => {
    const home = join(OUT, "home");
    const tools = join(home, "tools");
    mkdirSync(tools, { recursive: true });
    mkdirSync(join(home, "release"));
    for (const { file, manifest } of tarballs) {
      const name = `${manifest.name.replace("@", "").replace("/", "-")}-${manifest.version}.tgz`;
      cpSync(file, join(home, "release", name));
    }
    for (const [name, text] of [
      ["npm", '[ "$1" = login ] || echo "$@" >> "$HOME/asked"'],
      ["gh", "true"],
    ] as const) {
      writeFileSync(join(tools, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    }
    const [, script = ""] = codeOf("docs/releasing.md: What the owner does once", "sh");
    const env = { HOME: home, PATH: `${tools}:/usr/bin:/bin` };
    execFileSync("bash", ["-euc", script], { cwd: home, env });
    const asked = readFileSync(join(home, "asked"), "utf8").trim().split("\n");
    expect(asked).toHaveLength(tarballs.length);
    for (const line of asked) {
      const [, file = ""] = /^publish (\S+) --access public$/.exec(line) ?? [];
      // npm takes a/b for a repository on GitHub, whatever is in the folder.
      expect(file).toMatch(/^\.\//);
      expect(readdirSync(join(home, "release"))).toContain(file.replace("./release/", ""));
    }
  });

  test("one version of pnpm installs and packs", () => {
    const { packageManager, scripts } = JSON.parse(
      readFileSync(join(ROOT, "package.json"), "utf8"),
    );
    expect(packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+$/);
    expect(scripts.setup).toContain(`npx --yes ${packageManager} install --frozen-lockfile `);
  });

  test("a tag is the version of all packages", () => {
    const version = tarballs[0]?.manifest.version;
    expect(() => checkTag(`v${version}`, tarballs)).not.toThrow();
    expect(() => checkTag("v9.9.9", tarballs)).toThrow(/The tag v9\.9\.9 is not the version of/);
  });
});

test("two builds differ where a byte, or a file, does", () => {
  const folders = ["one", "other"].map((name) => join(OUT, name));
  const [one = "", other = ""] = folders;
  for (const folder of folders) mkdirSync(folder);
  for (const name of ["a.tgz", "b.tgz", "c.tgz"]) writeFileSync(join(one, name), name);
  cpSync(one, other, { recursive: true });
  expect(differences(one, other)).toEqual([]);
  writeFileSync(join(other, "b.tgz"), "b.tgZ");
  rmSync(join(one, "c.tgz"));
  expect(differences(one, other)).toEqual(["b.tgz", "c.tgz"]);
});

/** It builds the commit twice, which takes a minute. */
test.skipIf(!isThorough)(
  `npm run tarballs: two builds, equal by bytes${RELEASE_ALONE}`,
  () => {
    const folder = join(OUT, "release");
    const [command = ""] = codeOf("docs/releasing.md: The tarballs", "sh");
    expect(command).toBe("npm run tarballs -- release\n");
    const args = ["run", "--silent", "tarballs", "--", folder];
    const said = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8" });
    expect(said).toMatch(/Commit [\da-f]{40}, built twice with equal bytes\.\n$/);
    const files = readdirSync(folder);
    const tarballs = files.filter((file) => file.endsWith(".tgz"));
    expect(tarballs).toHaveLength(readdirSync(join(ROOT, "packages")).length);
    expect(files).toEqual(
      [
        ...tarballs,
        ...tarballs.map((file) => file.replace(".tgz", ".cdx.json")),
        "SHA256SUMS",
      ].toSorted(),
    );
    execFileSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: folder });
    expect(readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n")).toHaveLength(
      files.length - 1,
    );
    expect(() => execFileSync("npm", args, { cwd: ROOT, stdio: "pipe" })).toThrow(/is not empty/);
  },
  900_000,
);
