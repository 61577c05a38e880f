import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { afterAll, describe, expect, test } from "vitest";
import { withRepository } from "../scripts/owner.ts";
import { namedRepository, repositoryIn } from "../scripts/release/repository.ts";
import { codeOf } from "./support/documented.ts";

const ROOT = resolve(import.meta.dirname, "..");
const SCRIPT = "scripts/owner.ts";
const PLACEHOLDER = /\bOWNER\b|\bREPOSITORY\b/;

const copy = mkdtempSync(join(tmpdir(), "rs-emit-owner-"));
afterAll(() => rmSync(copy, { recursive: true, force: true, maxRetries: 3 }));

const listed = execFileSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
  { cwd: ROOT, encoding: "utf8" },
);
/** All but this one, which names owners of its own. */
const FILES = listed
  .split("\0")
  .filter((file) => file !== "test/owner.test.ts" && file !== "" && existsSync(join(ROOT, file)));
for (const file of FILES) cpSync(join(ROOT, file), join(copy, file));
git("init", "--quiet");

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: copy, encoding: "utf8" });
}

/** A digest of all that the copy holds. */
function state(): string {
  git("add", "--all", "--force");
  return git("write-tree");
}

function filesWith(pattern: RegExp): string[] {
  const present = FILES.filter((file) => existsSync(join(copy, file)));
  return present.filter((file) => pattern.test(readFileSync(join(copy, file), "utf8")));
}

function run(...args: readonly string[]): string {
  return execFileSync(process.execPath, [SCRIPT, ...args], {
    cwd: copy,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

describe(SCRIPT, () => {
  test("leaves no placeholder in any file", async () => {
    state();
    // The placeholder, until the owner has filled it in.
    const before = filesWith(new RegExp(namedRepository(copy), "i"));
    expect(before).toEqual(
      expect.arrayContaining([
        "actions/README.md",
        "docs/releasing.md",
        "examples/handmade/github-pages.yml",
        "packages/cli/package.json",
        "docs/service.md",
      ]),
    );
    const [command = ""] = codeOf("docs/releasing.md: What the owner does once", "sh");
    const args = command.replace("<owner>/<repository>", "Ada-L/site.log").trim().split(" ");
    expect(args.slice(0, 2)).toEqual(["node", SCRIPT]);
    const said = run(...args.slice(2));
    // The rule for the name says what the placeholder is.
    const own = "scripts/release/repository.ts";
    expect(filesWith(PLACEHOLDER).filter((file) => file !== own)).toEqual([]);
    for (const file of before) expect(said).toContain(`${file}\n`);

    const { messages } = await publint({ pkgDir: join(copy, "packages/feeds"), pack: false });
    expect(messages.filter(({ code }) => code.includes("REPO"))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(copy, "packages/feeds/package.json"), "utf8"));
    expect(manifest.repository).toEqual({
      type: "git",
      url: "git+https://github.com/Ada-L/site.log.git",
      directory: "packages/feeds",
    });
    const compose = readFileSync(join(copy, "docs/service.md"), "utf8");
    expect(compose).toMatch(/image: ghcr\.io\/ada-l\/site\.log\/rs-harvest:\d/);
  });

  test("renames what it filled in, where the repository moves", () => {
    run("bea/rs-emit");
    expect(filesWith(/ada-l/i)).toEqual([]);
    expect(readFileSync(join(copy, "actions/README.md"), "utf8")).toContain(
      "uses: bea/rs-emit/actions/emit@v",
    );
    expect(run("bea/rs-emit")).toMatch(/^0 files/);
  });

  test.each([[[]], [["ada"]], [["ada/a", "b"]], [["ada/"]], [["a_b/c"]], [["a/b/c"]], [["a/.."]]])(
    "refuses %j, and writes nothing",
    (args) => {
      const before = state();
      expect(() => run(...args)).toThrow(/Usage: |is not the name of a repository/);
      expect(state()).toBe(before);
    },
  );

  test("takes whole names alone, where a repository is named", () => {
    const text = `github:ada/rs gh:ada/rs/x#v1 uses: ada/rs/actions/emit@v1 uses: ada/rs-x@v1
      ghcr.io/ada/rs/image:1 git+https://github.com/ada/rs.git --repo ADA/RS --env npm`;
    expect(withRepository(text, "Ada/rs", "Bea/New")).toBe(
      `github:Bea/New gh:Bea/New/x#v1 uses: Bea/New/actions/emit@v1 uses: ada/rs-x@v1
      ghcr.io/bea/new/image:1 git+https://github.com/Bea/New.git --repo Bea/New --env npm`,
    );
    const others = "from '@ada/rs' ada/rs ./ada/rs xgithub.com/ada/rs github.com/ada/rs1";
    expect(withRepository(others, "ada/rs", "bea/new")).toBe(others);
  });

  test("goes on where it was broken off: the workspace's own name is written last", () => {
    const place = join(copy, "pnpm-workspace.yaml");
    const text = readFileSync(place, "utf8");
    rmSync(place);
    mkdirSync(place);
    expect(() => run("cleo/rs-emit")).toThrow(/EISDIR/);
    expect(namedRepository(copy)).toBe("bea/rs-emit");
    rmSync(place, { recursive: true });
    // A file that is gone, and not yet committed as gone, names nothing.
    run("cleo/rs-emit");
    expect(namedRepository(copy)).toBe("cleo/rs-emit");
    expect(filesWith(/github\.com\/bea\/rs-emit/)).toEqual([]);
    writeFileSync(place, text);
  });

  test("a name has the letters that GitHub allows", () => {
    expect(["a/b", "A-1/x_y.z"].map(repositoryIn)).toEqual(["a/b", "A-1/x_y.z"]);
    expect(["-a/b", "a-/b", "a/b.git", "a/", "/b", "ä/b"].map(repositoryIn)).toEqual(
      Array(6).fill(undefined),
    );
  });
});
