import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gitError } from "../src/git/errors.ts";
import { startLog } from "../src/git/log.ts";
import { openRepository, pathKey, pathName } from "../src/git/repository.ts";
import { withEnvironment, withGitConfig } from "./support/environment.ts";
import { historyOf, open } from "./support/history.ts";
import { createRepository, removeFolder, runGit, temporaryFolder } from "./support/repository.ts";

describe("a folder's repository", () => {
  test("is none where no .git stands at the folder or above", async () => {
    const folder = temporaryFolder();
    expect(await openRepository(folder)).toBeUndefined();
    removeFolder(folder);
  });

  test("has no head before its first commit", async () => {
    using site = createRepository();
    expect(await openRepository(site.root)).toEqual({
      root: site.root,
      head: undefined,
      boundary: new Set(),
      partial: false,
    });
  });

  test("may stand above the folder, and the folder need not exist yet", async () => {
    using site = createRepository();
    const head = site.write("docs/a.md", "a").commit(10);
    expect(await open(site.path("docs"))).toMatchObject({ root: site.root, head });
    expect(await open(site.path("docs/dist/deep"))).toMatchObject({ root: site.root, head });
    expect(await open(site.path("docs/a.md"))).toMatchObject({ root: site.root, head });
  });

  test("is found from a folder that git ignores", async () => {
    using site = createRepository();
    const head = site.write(".gitignore", "dist\n").commit(10);
    site.write("dist/index.html");
    expect(await open(site.path("dist"))).toMatchObject({ root: site.root, head });
  });

  test("knows a detached head", async () => {
    using site = createRepository();
    const first = site.write("a").commit(10);
    site.write("b").commit(20);
    site.checkout(first);
    expect((await open(site.root)).head).toBe(first);
  });

  test("is the submodule's own inside a submodule", async () => {
    using theme = createRepository();
    const head = theme.write("style.css").commit(10);
    using site = createRepository();
    site.submodule(theme, "theme");
    expect(await open(site.path("theme"))).toMatchObject({ root: site.path("theme"), head });
  });

  test("is each working tree's own among several", async () => {
    using site = createRepository();
    const first = site.write("a").commit(10);
    using draft = site.worktree("draft");
    const second = draft.write("b").commit(20);
    expect(await open(site.root)).toMatchObject({ root: site.root, head: first });
    expect(await open(draft.root)).toMatchObject({ root: draft.root, head: second });
  });

  test("is none in a bare repository and inside .git, where no file is tracked", async () => {
    using bare = createRepository("--bare");
    expect(await openRepository(bare.root)).toBeUndefined();
    using site = createRepository();
    expect(await openRepository(site.path(".git"))).toBeUndefined();
  });

  test("is found in a working tree of a bare repository", async () => {
    using bare = createRepository("--bare");
    using site = createRepository();
    site.write("a").commit(10);
    site.git("push", "--quiet", bare.root, "main");
    using tree = bare.worktree("site");
    expect((await open(tree.root)).root).toBe(tree.root);
  });

  test("may have a newline in its path", async () => {
    const folder = temporaryFolder();
    const root = join(folder, "two\nlines\n");
    mkdirSync(root);
    runGit(root, ["init", "--quiet"]);
    expect((await open(root)).root).toBe(root);
    removeFolder(folder);
  });

  test("may name its objects by SHA-256", async () => {
    using site = createRepository("--object-format=sha256");
    const head = site.write("a", "a").commit(10);
    expect((await open(site.root)).head).toBe(head);
    expect((await historyOf(site.root))[0]?.changes).toEqual([
      { path: "a", kind: "added", blob: site.blob("a"), previous: "" },
    ]);
  });

  test("tells the boundary of a shallow clone, in every working tree of it", async () => {
    using site = createRepository();
    site.write("a", "1").commit(10);
    const second = site.write("a", "2").commit(20);
    site.write("a", "3").commit(30);
    using clone = site.shallowClone(2);
    using tree = clone.worktree("draft");
    expect([...(await open(clone.root)).boundary]).toEqual([second]);
    expect([...(await open(tree.root)).boundary]).toEqual([second]);
  });

  test("tells a partial clone", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    using clone = site.clone("--filter=blob:none");
    expect((await open(clone.root)).partial).toBe(true);
  });
});

describe("the environment", () => {
  test("never leads to another repository", async () => {
    using site = createRepository();
    const head = site.write("ours", "ours").commit(10);
    using other = createRepository();
    other.write("theirs").commit(20);
    const hostile = {
      GIT_DIR: other.path(".git"),
      GIT_WORK_TREE: other.root,
      GIT_INDEX_FILE: other.path(".git/index"),
      GIT_OBJECT_DIRECTORY: other.path(".git/objects"),
      GIT_CEILING_DIRECTORIES: site.root,
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "log.showRoot",
      GIT_CONFIG_VALUE_0: "false",
    };
    await withEnvironment(hostile, async () => {
      expect(await open(site.path("deep"))).toMatchObject({ root: site.root, head });
      expect((await historyOf(site.root))[0]?.changes).toMatchObject([{ path: "ours" }]);
    });
  });

  test("may have an editor and a pager", async () => {
    using site = createRepository();
    const programs = { EDITOR: "vi", PAGER: "less", GIT_EDITOR: "vi", SSH_ASKPASS: "ask" };
    await withEnvironment(programs, async () => {
      expect((await open(site.root)).root).toBe(site.root);
    });
  });

  test("may speak another language", async () => {
    using site = createRepository();
    await withEnvironment({ LC_ALL: "de_DE.UTF-8", LANGUAGE: "de" }, async () => {
      expect((await open(site.root)).head).toBeUndefined();
    });
  });
});

describe("without git", () => {
  const nothing = { PATH: "" };

  test("a folder in no repository is just that", async () => {
    const folder = temporaryFolder();
    await withEnvironment(nothing, async () => {
      expect(await openRepository(folder)).toBeUndefined();
    });
    removeFolder(folder);
  });

  test("a repository is an error, never a reason for other evidence", async () => {
    using site = createRepository();
    site.write("docs/a.md");
    await withEnvironment(nothing, async () => {
      await expect(openRepository(site.path("docs"))).rejects.toMatchObject({
        code: "GIT_MISSING",
        message: expect.stringContaining("Install git"),
      });
    });
  });

  test("a history whose git vanished is an error too", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    const repository = await open(site.root);
    await withEnvironment(nothing, async () => {
      const reading = startLog(repository).read({ visit: () => undefined });
      await expect(reading).rejects.toMatchObject({ code: "GIT_MISSING" });
    });
  });
});

describe("a repository git will not read", () => {
  const isRoot = process.getuid?.() === 0;

  test.skipIf(!isRoot)("because of its owner is an error that says the cure", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    execFileSync("chown", ["-R", "12345", site.root]);
    await withGitConfig("", async () => {
      await expect(openRepository(site.root)).rejects.toMatchObject({
        code: "GIT_OWNER",
        message: expect.stringContaining(`git config --global --add safe.directory ${site.root}`),
      });
    });
    await withGitConfig(`[safe]\n  directory = ${site.root}\n`, async () => {
      expect((await open(site.root)).root).toBe(site.root);
    });
  });

  test("because of its owner: a path with spaces is quoted in the cure", () => {
    const stderr = "fatal: detected dubious ownership in repository at '/home/it's me'\nTo add";
    expect(gitError("/x", "log", stderr).message).toContain(`safe.directory '/home/it'\\''s me'`);
  });

  test("because .git is damaged is an error, never a folder without repository", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    rmSync(site.path(".git/HEAD"));
    await expect(openRepository(site.root)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });

  test("because .git leads nowhere is an error that repeats git's words", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, ".git"), "gitdir: /nowhere/at/all\n");
    await expect(openRepository(folder)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining("not a git repository: /nowhere/at/all"),
    });
    removeFolder(folder);
  });

  test("because its branch is broken is an error, never a repository without commits", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    writeFileSync(site.path(".git/refs/heads/main"), "");
    await expect(openRepository(site.root)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });
});

describe("the key of a file", () => {
  test("is its path from the top, byte by byte", async () => {
    using site = createRepository();
    const repository = await open(site.root);
    expect(pathKey(repository, site.path("docs/a b.md"))).toBe("docs/a b.md");
    expect(pathKey(repository, site.path("é.md"))).toBe("Ã©.md");
    const bytes = Buffer.concat([Buffer.from(site.path("x")), Buffer.from([0xe9, 0x0a])]);
    expect(pathKey(repository, bytes)).toBe("x\u00e9\n");
    expect(pathName("Ã©.md")).toBe("é.md");
  });

  test("is the same through a link to the repository or to a folder", async () => {
    using site = createRepository();
    site.write("docs/a.md");
    const elsewhere = temporaryFolder();
    symlinkSync(site.root, join(elsewhere, "site"));
    symlinkSync("docs", site.path("pages"));
    const repository = await open(join(elsewhere, "site"));
    expect(repository.root).toBe(site.root);
    expect(pathKey(repository, join(elsewhere, "site/docs/a.md"))).toBe("docs/a.md");
    expect(pathKey(repository, join(elsewhere, "site/docs/gone/b.md"))).toBe("docs/gone/b.md");
    expect(pathKey(repository, site.path("pages/a.md"))).toBe("docs/a.md");
    removeFolder(elsewhere);
  });

  test("of a file elsewhere is no key of the repository", async () => {
    using site = createRepository();
    expect(pathKey(await open(site.root), "/elsewhere/a.md")).toMatch(/^\.\.\//);
  });
});
