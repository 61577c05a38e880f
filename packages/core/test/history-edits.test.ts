import { describe, expect, test } from "vitest";
import { changesOf, NOW, publishProject, undatedOf, writeFiles } from "./support/project.ts";
import { createRepository } from "./support/repository.ts";

describe("pages that no commit holds", () => {
  test("were built where git holds no other page, and the build dates nothing", async () => {
    using site = createRepository();
    site.write("dist/.gitkeep").write("dist/CNAME").commit(10);
    writeFiles(site.root, 50, "dist/a.html");
    expect(undatedOf(await publishProject(site.root))).toEqual(["a.html"]);
    writeFiles(site.root, 60, "dist/b.html");
    expect(changesOf(await publishProject(site.root, { previous: "output" }))).toEqual([
      `${NOW} created /b.html`,
    ]);
  });

  test("are an author's beside a page that was committed, even if it is gone", async () => {
    using site = createRepository();
    site.write("dist/gone.html").commit(10);
    site.remove("dist/gone.html");
    writeFiles(site.root, 50, "dist/a.html");
    expect(changesOf(await publishProject(site.root))).toEqual([
      "10 created /gone.html",
      "50 created /a.html",
      `${NOW} deleted /gone.html`,
    ]);
  });

  test("are an author's beside any resource that was committed", async () => {
    using site = createRepository();
    site.write("dist/feed.xml").commit(10);
    writeFiles(site.root, 50, "dist/a.html");
    const include = ["feed.xml"];
    expect(changesOf(await publishProject(site.root, { include }))).toEqual([
      "10 created /feed.xml",
      "50 created /a.html",
    ]);
  });

  test("have sources that count beside committed sources of pages only", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/style.css").commit(10);
    writeFiles(site.root, 50, "src/a.md", "dist/a.html");
    const options = { sourceFolder: site.path("src") };
    expect(undatedOf(await publishProject(site.root, options))).toEqual(["a.html"]);
    site.write("src/b.md").git("add", "src/b.md");
    site.commitIndex(20);
    writeFiles(site.root, 60, "dist/b.html");
    expect(changesOf(await publishProject(site.root, options))).toEqual([
      "20 created /b.html",
      "50 created /a.html",
    ]);
  });
});

describe("edits of one page that no commit holds", () => {
  test("are one change when its source was renamed", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md").write("src/b.md").commit(10);
    site.remove("src/a.md");
    writeFiles(site.root, 50, "src/a.mdx", "dist/a/index.html", "dist/b/index.html");
    expect(changesOf(await publishProject(site.root, { sourceFolder: site.path("src") }))).toEqual([
      "10 created /a/",
      "10 created /b/",
      "50 updated /a/",
    ]);
  });

  test("are no change when its source only moved", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md", "same").write("src/b.md").commit(10);
    site.remove("src/a.md").write("src/a.mdx", "same");
    writeFiles(site.root, 50, "dist/a/index.html", "dist/b/index.html");
    expect(changesOf(await publishProject(site.root, { sourceFolder: site.path("src") }))).toEqual([
      "10 created /a/",
      "10 created /b/",
    ]);
  });

  test("are no change when its name is only spelled anew", async () => {
    using site = createRepository();
    site.write("dist/caf\u00e9.html", "<body>same").commit(10);
    site.remove("dist/caf\u00e9.html").write("dist/cafe\u0301.html", "<body>same");
    expect(changesOf(await publishProject(site.root))).toEqual(["10 created /cafe%CC%81.html"]);
  });

  test("are told by its own source file, the first, alone", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("a.md").write("a.json").commit(10);
    writeFiles(site.root, 50, "a.json");
    writeFiles(site.root, 40, "a.md", "dist/a.html");
    const sourceFiles = () => [site.path("a.md"), site.path("a.json")];
    const builder = { project: site.root, sourceFiles };
    const result = await publishProject(site.root, {}, { builder });
    expect(changesOf(result)).toEqual(["10 created /a.html", "40 updated /a.html"]);
  });

  test("end it where its folder has become a file", async () => {
    using site = createRepository();
    site.write("dist/index.html").write("dist/a/b.html").commit(10);
    site.remove("dist/a").write("dist/a");
    expect(changesOf(await publishProject(site.root))).toEqual([
      "10 created /",
      "10 created /a/b.html",
      `${NOW} deleted /a/b.html`,
    ]);
  });
});
