import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changesOf, noteOf, publishProject, undatedOf, writeFiles } from "./support/project.ts";
import { createRepository, removeFolder, temporaryFolder } from "./support/repository.ts";

const UNKNOWN = "UNKNOWN_SOURCES";

describe("a source that is gone, and of which nothing tells which page it made", () => {
  test("is no file that stands, whether it made a page or not", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md").write("src/readme.md");
    site.write("src/_includes/layout.md").write("src/style.css").commit(10);
    writeFiles(site.root, 99, "dist/a.html");
    const result = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(changesOf(result)).toEqual(["10 created /a.html"]);
    expect(noteOf(result, UNKNOWN)).toBe("");
  });

  test("is written as the sources of surviving pages are", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md").write("src/gone/b.md");
    site.write("src/gone/style.css").write("src/gone/old.njk").commit(10);
    site.remove("src/gone").commit(20);
    writeFiles(site.root, 99, "dist/a.html");
    const result = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(noteOf(result, UNKNOWN)).toContain("src/gone/b.md.");
    expect(noteOf(result, UNKNOWN)).toMatch(/^1 /);
  });

  test("is none that git ignores today", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md").write("src/notes/b.md").commit(10);
    site.write(".gitignore", "dist\nnotes\n").git("rm", "-q", "--cached", "src/notes/b.md");
    site.commit(20);
    writeFiles(site.root, 99, "dist/a.html");
    const result = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(noteOf(result, UNKNOWN)).toBe("");
  });

  test("is no output that was committed once", async () => {
    using site = createRepository();
    site.write("a.html").write("dist/a.html").write("dist/b.html").commit(10);
    site.remove("dist/b.html").commit(20);
    const result = await publishProject(site.root, { sourceFolder: site.root });
    expect(changesOf(result)).toEqual(["10 created /a.html"]);
    expect(noteOf(result, UNKNOWN)).toBe("");
  });

  test("is told where a builder names the sources, too, and no other file", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("package.json").write("readme.md");
    site.write("layout.njk").write("src/a.md").write("src/b.md").write("old.njk").commit(10);
    site.remove("src/b.md").remove("old.njk").commit(20);
    writeFiles(site.root, 99, "dist/a/index.html", "dist/c/index.html");
    const sourceFiles = (file: string) =>
      file.startsWith("a/") ? [site.path("src/a.md"), site.path("layout.njk")] : [];
    const result = await publishProject(
      site.root,
      {},
      { builder: { project: site.root, sourceFiles } },
    );
    expect(changesOf(result)).toEqual(["10 created /a/"]);
    expect(noteOf(result, UNKNOWN)).toMatch(/^1 .*src\/b\.md\./);
  });

  test("is a page whose name is not UTF-8, where the pages are their own sources", async () => {
    using site = createRepository();
    const odd = (name: string) => Buffer.from(`dist/\xe9${name}`, "latin1");
    site.write("dist/a.html").write(odd(".html")).write(odd("-stays.html")).write(odd(".txt"));
    site.commit(10);
    site.remove(odd(".html")).remove(odd(".txt")).commit(20);
    const result = await publishProject(site.root);
    expect(noteOf(result, UNKNOWN)).toMatch(/^1 .*dist\/\ufffd\.html\./);
  });
});

test("the output folder, named by a link, is its own folder of sources", async () => {
  using site = createRepository();
  site.write("dist/a.html").write("dist/a/index.html").commit(10);
  site.remove("dist/a/index.html").commit(20);
  const elsewhere = temporaryFolder();
  try {
    const folder = join(elsewhere, "site");
    symlinkSync(site.path("dist"), folder);
    const result = await publishProject(site.root, { folder, sourceFolder: site.path("dist") });
    const expected = ["10 created /a.html", "10 created /a/", "20 deleted /a/"];
    expect(changesOf(result)).toEqual(expected);
  } finally {
    removeFolder(elsewhere);
  }
});

test("sources inside the output folder date its pages", async () => {
  using site = createRepository();
  site.write(".gitignore", "*.html\n").write("dist/_src/a.md").commit(10);
  writeFiles(site.root, 99, "dist/a.html");
  const result = await publishProject(site.root, { sourceFolder: site.path("dist/_src") });
  expect(changesOf(result)).toEqual(["10 created /a.html"]);
});

test("a source that a builder names twice for one page is that page's own", async () => {
  using site = createRepository();
  site.write(".gitignore", "dist\n").write("a.md").commit(10);
  writeFiles(site.root, 99, "dist/a.html");
  const sourceFiles = () => [site.path("a.md"), site.path("a.md")];
  expect(
    changesOf(await publishProject(site.root, {}, { builder: { project: site.root, sourceFiles } })),
  ).toEqual(["10 created /a.html"]);
});

test("documents of ours that were committed are no resources", async () => {
  using site = createRepository();
  site.write("dist/a.html").write("dist/feed.xml").write("dist/gone.xml");
  site.write("dist/changelist.xml").write("dist/resourcelist.xml").commit(10);
  site.remove("dist/gone.xml").remove("dist/changelist.xml").remove("dist/resourcelist.xml");
  site.commit(20);
  const result = await publishProject(site.root, { include: ["**/*.xml"] });
  expect(changesOf(result)).toEqual([
    "10 created /a.html",
    "10 created /feed.xml",
    "10 created /gone.xml",
    "20 deleted /gone.xml",
  ]);
});

describe("where nothing dates a page, the cure is", () => {
  test("to commit, in a repository without commits", async () => {
    using site = createRepository();
    writeFiles(site.root, 99, "dist/a.html", "src/a.md");
    for (const source of [undefined, site.path("src")]) {
      const result = await publishProject(site.root, source === undefined ? {} : { sourceFolder: source });
      expect(undatedOf(result)).toEqual(["a.html"]);
      expect(noteOf(result, "UNDATED")).toMatch(/Commit the pages, or .* \(--history files\)/);
      expect(noteOf(result, "UNDATED")).not.toContain("--source-folder");
    }
  });

  test("to name the sources, where they are not known", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md").commit(10);
    writeFiles(site.root, 99, "dist/a.html");
    expect(noteOf(await publishProject(site.root), "UNDATED")).toContain("--source-folder");
  });

  test("not to name them again, where a builder does", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").commit(10);
    writeFiles(site.root, 99, "dist/a.html");
    const result = await publishProject(
      site.root,
      {},
      { builder: { project: site.root, sourceFiles: () => [] } },
    );
    expect(undatedOf(result)).toEqual(["a.html"]);
    expect(noteOf(result, "UNDATED")).not.toContain("--source-folder");
  });
});
