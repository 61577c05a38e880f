import { existsSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readTree } from "../src/git/blobs.ts";
import { readStatus } from "../src/git/status.ts";
import { withEnvironment } from "./support/environment.ts";
import { open } from "./support/history.ts";
import { createRepository, runGit } from "./support/repository.ts";

async function statusOf(folder: string): Promise<object> {
  const { edits } = await readStatus(await open(folder));
  return Object.fromEntries([...edits].map(([path, { kind }]) => [path, kind]));
}

describe("what is not committed", () => {
  test("is nothing in a clean working tree", async () => {
    using site = createRepository();
    site.write("a").commit(10);
    expect(await statusOf(site.root)).toEqual({});
  });

  test("is every edit, staged or not", async () => {
    using site = createRepository();
    site.write("edited").write("staged").write("removed").write("unstaged").write("moved", "x");
    site.write("both").commit(10);
    site.write("staged", "2").write("new", "x").write("both", "2").remove("removed");
    site.move("moved", "deep/moved").git("add", "--all");
    site.write("edited", "2").write("both", "3").remove("unstaged").write("a/b/untracked");
    expect(await statusOf(site.root)).toEqual({
      edited: "modified",
      staged: "modified",
      both: "modified",
      removed: "removed",
      unstaged: "removed",
      moved: "removed",
      "deep/moved": "added",
      new: "added",
      "a/b/untracked": "added",
    });
  });

  test("is everything before the first commit", async () => {
    using site = createRepository();
    site.write("staged").git("add", "--all");
    site.write("docs/untracked");
    expect(await statusOf(site.root)).toEqual({ staged: "added", "docs/untracked": "added" });
  });

  test("is not what git ignores, by the repository or by the user", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").commit(10);
    site.write("dist/index.html").write("notes.tmp").write(".git/mine", "*.tmp\n");
    site.git("config", "core.excludesFile", site.path(".git/mine"));
    expect(await statusOf(site.root)).toEqual({});
  });

  test("is not a new mode, nor a new time", async () => {
    using site = createRepository();
    site.write("a", "1").write("b", "1").commit(10);
    site.write("a", "1").chmod("a", 0o755).chmod("b", 0o755).git("update-index", "--chmod=+x", "b");
    expect(await statusOf(site.root)).toEqual({});
  });

  test("is a file that was taken from the index only", async () => {
    using site = createRepository();
    site.write("a", "1").commit(10);
    site.git("rm", "--quiet", "--cached", "a");
    expect(await statusOf(site.root)).toEqual({ a: "modified" });
  });

  test("is a file that two branches disagree on", async () => {
    using site = createRepository();
    site.write("a", "1").write("b", "1").commit(10);
    site.branch("other").write("a", "2").remove("b").commit(20);
    site.checkout("main").write("a", "3").write("b", "3").commit(30);
    expect(() => site.merge("other", 40)).toThrow();
    expect(await statusOf(site.root)).toEqual({ a: "modified", b: "modified" });
  });

  test("is a file that became a link, or a link that became a file", async () => {
    using site = createRepository();
    symlinkSync("file", site.path("link"));
    site.write("file").commit(10);
    site.remove("file").remove("link").write("link", "2");
    symlinkSync("link", site.path("file"));
    expect(await statusOf(site.root)).toEqual({ file: "removed", link: "added" });
  });

  test("leaves out submodules and repositories within", async () => {
    using theme = createRepository();
    theme.write("style").commit(10);
    using site = createRepository();
    const inside = site.submodule(theme, "theme");
    site.commit(20);
    inside.write("style", "2").commit(30);
    inside.write("untracked");
    runGit(site.root, ["init", "--quiet", "nested"]);
    site.write("nested/a");
    expect(await statusOf(site.root)).toEqual({});
  });

  test("keeps any path whole", async () => {
    using site = createRepository();
    site.write("two\nlines", "1").write("a b -> c", "1").commit(10);
    site
      .write("two\nlines", "2")
      .write("a b -> c", "2")
      .write(Buffer.from([0x61, 0xe9]));
    expect(await statusOf(site.root)).toEqual({
      "two\nlines": "modified",
      "a b -> c": "modified",
      "a\u00e9": "added",
    });
  });

  test("comes with the contents that were committed", async () => {
    using site = createRepository();
    site.write("edited", "1").write("removed", "2").write("forgotten", "3").commit(10);
    const before = ["edited", "removed", "forgotten"].map((path) => site.blob(path));
    site.write("edited", "4").remove("removed").write("new").git("rm", "--cached", "forgotten");
    const { edits } = await readStatus(await open(site.root));
    const previous = ["edited", "removed", "forgotten", "new"].map(
      (path) => edits.get(path)?.previous,
    );
    expect(previous).toEqual([...before, ""]);
    expect(edits.get("forgotten")?.kind).toBe("modified");
  });

  test("is found without writing to the repository, and in it alone", async () => {
    using site = createRepository();
    site.write("a", "1").commit(10);
    utimesSync(site.path("a"), 1, 1);
    const index = site.git("hash-object", ".git/index");
    await withEnvironment({ GIT_INDEX_FILE: "/nowhere", GIT_DIR: "/nowhere" }, async () => {
      expect(await statusOf(site.root)).toEqual({});
    });
    expect(site.git("hash-object", ".git/index")).toBe(index);
  });
});

test("the program that watches a user's disk is not started", async () => {
  using site = createRepository();
  site.write(".git/watch", `#!/bin/sh\ntouch '${site.path(".git/started")}'\n`);
  site.chmod(".git/watch", 0o755).git("config", "core.fsmonitor", site.path(".git/watch"));
  site.write("a");
  expect(await statusOf(site.root)).toEqual({ a: "added" });
  expect(existsSync(site.path(".git/started"))).toBe(false);
});

describe("the files of the commit", () => {
  test("are none before the first", async () => {
    using site = createRepository();
    site.write("a").git("add", "--all");
    expect((await readTree(await open(site.root))).files).toEqual(new Set());
  });

  test("are its files whatever the working tree holds, apart from links and submodules", async () => {
    using theme = createRepository();
    theme.write("style").commit(10);
    using site = createRepository();
    site.submodule(theme, "theme");
    symlinkSync("docs", site.path("link"));
    site.write("docs/a\nb").write("docs2/é").write("run").chmod("run", 0o755).commit(20);
    site.remove("docs/a\nb").write("new").git("add", "--all");
    const repository = await open(site.path("docs2"));
    expect(await readTree(repository)).toEqual({
      files: new Set([".gitmodules", "docs/a\nb", "docs2/Ã©", "run"]),
      links: new Set(["link"]),
      modules: new Set(["theme"]),
    });
  });
});
