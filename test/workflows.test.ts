import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { codeIn, PAGES } from "./support/documented.ts";
import { actionFaults, fileOf, workflowFaults } from "./support/linted.ts";

const ROOT = resolve(import.meta.dirname, "..");
const RELEASE = ".github/workflows/release.yml";
const TEST = ".github/workflows/test.yml";

interface Job {
  readonly needs?: string | readonly string[];
  readonly container?: { readonly image: string };
  readonly environment?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

describe("GitHub's parser", () => {
  const files = [RELEASE, TEST, ...globSync("examples/*/github-pages.yml", { cwd: ROOT })];

  test.each(files)("finds nothing wrong with %s", async (file) => {
    expect(await workflowFaults(file, fileOf(file))).toEqual([]);
  });

  test.each(globSync("actions/*/action.yml", { cwd: ROOT }))(
    "finds nothing wrong with %s",
    (file) => {
      expect(actionFaults(file, fileOf(file))).toEqual([]);
    },
  );

  test("finds nothing wrong with the workflows in the docs", async () => {
    const blocks = PAGES.flatMap(codeIn).filter(({ language }) => language === "yaml");
    const workflows = blocks.filter(({ text }) => /^jobs:$/m.test(text) && /^on:/m.test(text));
    expect(workflows.length).toBeGreaterThan(0);
    for (const { section, text } of workflows) {
      expect(await workflowFaults(section, text)).toEqual([]);
    }
  });

  test("finds what is wrong", async () => {
    const workflow = fileOf(RELEASE);
    const action = fileOf("actions/emit/action.yml");
    for (const [right, wrong] of [
      ["runs-on:", "runs-at:"],
      ["github.token", "githib.token"],
    ] as const) {
      expect(await workflowFaults("a.yml", workflow.replace(right, wrong))).not.toEqual([]);
    }
    expect(actionFaults("a.yml", action.replace("shell: bash", "id: bash"))).not.toEqual([]);
    expect(actionFaults("a.yml", action.replace("description:", "descripton:"))).not.toEqual([]);
  });
});

test("a pull request is tested by the command of CONTRIBUTING.md, on each Node and system that is supported", () => {
  const { permissions, jobs }: Workflow = parse(fileOf(TEST));
  expect(permissions).toEqual({ contents: "read" });
  const commands = (name: string) => jobs[name]?.steps.map(({ run = "" }) => run).join("\n");
  expect(fileOf("CONTRIBUTING.md")).toMatch(/^npm test +#/m);
  expect(commands("linux")).toMatch(/ npm test$/);
  expect(commands("everything")).toMatch(/^\.ci\/run$/m);
  expect(commands("author")).toMatch(/^npm run demo\nnpm test -- /m);
  const tried = Object.values(jobs).flatMap(({ strategy }) =>
    Object.values(strategy?.matrix ?? {}),
  );
  expect(tried).toEqual([
    ["20.19", "22", "24"],
    ["windows-latest", "macos-latest"],
  ]);
  // What the command and the plugins need, and nothing of the other side.
  const sides = /npm test -- (.*)/.exec(commands("author") ?? "")?.[1]?.split(" ") ?? [];
  const author = globSync("packages/*", { cwd: ROOT }).filter(
    (folder) => !/harvester|reader/.test(folder),
  );
  expect(sides.toSorted()).toEqual(author.toSorted());
});

describe(RELEASE, () => {
  const { permissions, jobs }: Workflow = parse(fileOf(RELEASE));
  const runs = (job: Job | undefined) => job?.steps.map(({ run = "" }) => run).join("\n");

  test("publishes after all tests, and what two builds agreed on", () => {
    expect(runs(jobs.tests)).toContain(".ci/run release");
    expect(fileOf(".ci/run")).toMatch(/^npm run "\$\{1:-test\}"$/m);
    expect(runs(jobs.tarballs)).toMatch(/npm run --silent tarballs -- release "\$GITHUB_REF_NAME"/);
    expect(jobs.npm?.needs).toEqual(["tests", "tarballs"]);
    expect([jobs.image?.needs, jobs.page?.needs]).toEqual(["npm", "npm"]);
  });

  test("npm knows the job that publishes by its identity, and no other job has it", () => {
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs.npm?.permissions).toEqual({ contents: "read", "id-token": "write" });
    expect(jobs.npm?.environment).toBe("npm");
    for (const [name, job] of Object.entries(jobs)) {
      expect([name, "id-token" in (job.permissions ?? {})]).toEqual([name, name === "npm"]);
    }
    expect(fileOf(RELEASE)).not.toContain("secrets.");
    // What it runs is this project's, or GitHub's.
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses = [] }) => uses));
    expect(used.filter((name) => !/^actions\/[\w-]+@v\d+$/.test(name))).toEqual([]);
  });

  test("no file names the host of a package registry: npm has its own", () => {
    const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
    const files = listed
      .split("\0")
      .filter((file) => file !== "" && existsSync(resolve(ROOT, file)));
    expect(files).toContain("pnpm-lock.yaml");
    const host =
      /\b(?:registry|npm)\.[a-z\d-]+\.[a-z]{2,}\b|\b(?:pypi|rubygems|pythonhosted)\.org\b|\bregistry-url\b/i;
    expect(host.test(["https://registry", "npmjs", "org/"].join("."))).toBe(true);
    const own = "test/workflows.test.ts";
    expect(files.filter((file) => file !== own && host.test(fileOf(file)))).toEqual([]);
  });

  test("its commands are Bash", () => {
    for (const [name, job] of Object.entries(jobs)) {
      const { stderr } = spawnSync("bash", ["-n"], { input: runs(job), encoding: "utf8" });
      expect([name, stderr]).toEqual([name, ""]);
    }
    execFileSync("bash", ["-n", ".ci/run"], { cwd: ROOT });
  });

  test("the image is the one that the compose file names", () => {
    const image = /image=ghcr\.io\/\$\{GITHUB_REPOSITORY,,\}\/(\S+):\$version/.exec(
      runs(jobs.image) ?? "",
    );
    expect(fileOf("docs/service.md")).toContain(`/${image?.[1]}:`);
    expect(runs(jobs.image)).toContain("--file packages/harvester/Containerfile context/package");
  });
});
