import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { sample } from "../../../test/thorough.ts";
import { logOf } from "../../core/test/support/site.ts";
import { findSystemNode } from "../../core/test/support/system-node.ts";
import { VERSIONS, type Version, Workspace } from "./support/workspace.ts";

const SITE = "https://moss.example/";
const OPTIONS = `{ url: "${SITE}", previous: "output" }`;

/** The line of the README, and the other way in which such a file may load the plugin. */
const REQUIRE = `module.exports = function (eleventyConfig) {
  eleventyConfig.addPlugin(require("@rs-emit/eleventy"), ${OPTIONS});
};
`;
const IMPORT = `module.exports = async function (eleventyConfig) {
  const { default: rsEmit } = await import("@rs-emit/eleventy");
  eleventyConfig.addPlugin(rsEmit, ${OPTIONS});
};
`;

const systemNode = findSystemNode();
const others = typeof systemNode === "string" ? [systemNode] : [];

/** Eleventy 4 needs a newer Node than 20. */
const RUNS: readonly (readonly [version: Version, major: number, node: string])[] = sample(
  [process.execPath, ...others],
  1,
).flatMap((node) => {
  const major = majorOf(node);
  return (major < 22 ? ([3] as const) : VERSIONS).map((version) => [version, major, node] as const);
});

test.concurrent.each(RUNS)(
  "Eleventy %i on Node %i: the README's line for a CommonJS config",
  async (version, _, node) => {
    for (const file of [".eleventy.js", "eleventy.config.js"]) {
      await expectPublished(version, node, file, REQUIRE);
    }
  },
);

test.concurrent("a CommonJS config may import the plugin, too", () =>
  expectPublished(3, process.execPath, "eleventy.config.cjs", IMPORT));

async function expectPublished(version: Version, node: string, file: string, config: string) {
  using workspace = new Workspace(version);
  workspace.site
    .write("package.json", "{}")
    .write(file, config)
    .write("index.md", "Home")
    .commit(1_700_000_000);
  const { code, out, err } = await workspace.eleventy([], {}, workspace.site.root, node);
  expect(code, out + err).toBe(0);
  expect(err).not.toContain("Warning");
  expect(logOf(workspace.site.path("_site"), SITE)).toEqual(["2023-11-14T22:13:20Z created /"]);
}

test("the plugin says which versions of Eleventy work, and brings none into a project", () => {
  const plugin: unknown = createRequire(import.meta.url)("@rs-emit/eleventy");
  const versionCheck = (range: string) => {
    throw new Error(range);
  };
  expect(() => (typeof plugin === "function" ? plugin({ versionCheck }) : undefined)).toThrow(
    ">=3.0.0",
  );
  expect(manifestOf("eleventy")).toMatchObject({ "11ty": { compatibility: ">=3.0.0" } });
  // npm would install a peer dependency beside an Eleventy that goes by another name.
  for (const name of ["eleventy", "adapter", "core", "documents"]) {
    const { dependencies, optionalDependencies, peerDependencies } = manifestOf(name);
    const needed = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    expect(Object.keys(needed).filter((one) => /11ty|awesome/.test(one))).toEqual([]);
  }
});

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(name: string): Manifest {
  const file = new URL(`../../${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"));
}

function majorOf(node: string): number {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" });
  return Number(version.slice(1).split(".")[0]);
}
