import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { UNKNOWN_REPOSITORY } from "../scripts/release/repository.ts";
import { GitHubPages } from "./hosts/pages.ts";
import { codeOf } from "./support/documented.ts";
import { actionFaults } from "./support/linted.ts";
import { readAction, readActionFile, runSteps } from "./support/steps.ts";

const WORKSPACE = resolve(import.meta.dirname, "..");
const SCRIPT = "scripts/action-repository.ts";
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-action-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

const WRITTEN = join(ROOT, "repository");
const written = (name: string) => readFileSync(join(WRITTEN, name), "utf8");

/** As much of this project as the script reads, at home in a repository. */
function project(repository: string): string {
  const folder = mkdtempSync(join(ROOT, "project-"));
  for (const path of ["scripts", "actions", "LICENSE"]) {
    cpSync(join(WORKSPACE, path), join(folder, path), { recursive: true });
  }
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ type: "module", repository: `github:${repository}` }),
  );
  symlinkSync(join(WORKSPACE, "node_modules"), join(folder, "node_modules"));
  return folder;
}

const PROJECT = project("ada/site.log");
const write = (...args: readonly string[]) => writeFrom(PROJECT, ...args);
const writeFrom = (cwd: string, ...args: readonly string[]) =>
  execFileSync(process.execPath, [SCRIPT, ...args], { cwd, encoding: "utf8", stdio: "pipe" });

write(WRITTEN, "ada/site-changes");

describe("scripts/action-repository.ts", () => {
  test("is called as docs/releasing.md calls it", () => {
    const [command = ""] = codeOf("docs/releasing.md: The marketplace", "sh");
    const [program, script, folder, name] = command.trim().split(" ");
    expect([program, script]).toEqual(["node", SCRIPT]);
    expect([folder, name]).toEqual(["../rs-emit-action", "<owner>/rs-emit-action"]);
  });

  test("writes one action, which the marketplace takes", () => {
    expect(readdirSync(WRITTEN).toSorted()).toEqual(["LICENSE", "README.md", "action.yml"]);
    const text = written("action.yml");
    expect(actionFaults("action.yml", text)).toEqual([]);
    expect(actionFaults("action.yml", text.replace("color: orange", "color: pink"))).toHaveLength(
      1,
    );
    const { description, branding } = parse(text);
    expect(branding).toEqual({ icon: "rss", color: "orange" });
    // What the marketplace shows of it.
    expect(description.length).toBeLessThanOrEqual(125);
  });

  test("it has every input and step of the parts", () => {
    const { inputs, runs } = readActionFile(join(WRITTEN, "action.yml"));
    const parts = [readAction("emit"), readAction("after")];
    const names = parts.flatMap((part) => Object.keys(part.inputs));
    expect(new Set(Object.keys(inputs))).toEqual(new Set(["part", ...names]));
    for (const [name, input] of parts.flatMap((part) => Object.entries(part.inputs))) {
      expect(inputs[name]?.default, name).toBe(input.default);
    }
    const [, ...steps] = runs.steps;
    expect(steps.map(({ run }) => run)).toEqual(
      parts.flatMap((part) => part.runs.steps.map(({ run }) => run)),
    );
  });

  test("its README names the version that it pins, and no input that it does not have", () => {
    const action = readActionFile(join(WRITTEN, "action.yml"));
    const [, yaml = ""] = /```yaml\n(.*?)```/s.exec(written("README.md")) ?? [];
    const { steps }: { steps: { uses: string; with: Record<string, string> }[] } = parse(yaml);
    expect(steps.map((step) => step.with.part)).toEqual(["emit", "after"]);
    for (const step of steps) {
      expect(step.uses).toBe(`ada/site-changes@v${action.inputs.version?.default}`);
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    }
  });

  test("its README leads to the project, whose home must be known", () => {
    const text = written("README.md");
    expect(text).toContain("<https://github.com/ada/site.log>");
    expect(text).toContain("(https://github.com/ada/site.log/tree/main/docs/deploy)");
    const other = join(ROOT, "other");
    const unknown = project(UNKNOWN_REPOSITORY);
    expect(() => writeFrom(unknown, other, "ada/site-changes")).toThrow(/Run scripts\/owner\.ts/);
    expect(readdirSync(ROOT)).not.toContain("other");
  });

  test("publishes, and checks after the deploy", async () => {
    await using site = await new GitHubPages().start();
    const action = readActionFile(join(WRITTEN, "action.yml"));
    const folder = join(ROOT, "site");
    mkdirSync(folder);
    const link = '<link rel="resourcesync" href="/capabilitylist.xml">';
    writeFileSync(
      join(folder, "index.html"),
      `<!doctype html><html lang="en">${link}<title>Home</title><main>Home`,
    );
    const run = (inputs: Readonly<Record<string, string>>) =>
      runSteps(action, { folder, url: site.url, ...inputs }, ROOT, join(ROOT, "tools"));

    const emitted = await run({ part: "emit", options: "--history\nfiles" });
    expect(emitted).toMatchObject({
      exit: 0,
      output: expect.stringContaining("First publication"),
    });
    const early = await run({ part: "after", wait: "0" });
    expect(early).toMatchObject({ exit: 1, output: expect.stringContaining("title=not live") });
    site.deploy(folder, true);
    expect(await run({ part: "after", wait: "0", strict: "true" })).toEqual({
      exit: 0,
      output: "",
    });
    for (const part of ["deploy", ""]) {
      const { exit, output } = await run({ part });
      expect([exit, output]).toEqual([
        1,
        expect.stringContaining(`is '${part}'. It must be emit or`),
      ]);
    }
  });

  test("is written again over its own files, and never beside a workflow", () => {
    const before = written("action.yml");
    write(WRITTEN, "ada/site-changes");
    expect(written("action.yml")).toBe(before);
    mkdirSync(join(WRITTEN, ".github/workflows"), { recursive: true });
    expect(() => write(WRITTEN, "ada/site-changes")).toThrow(/has workflows/);
    expect(() => write(join(ROOT, "other"), "ada")).toThrow(/Usage: /);
    expect(readdirSync(ROOT)).not.toContain("other");
  });
});
