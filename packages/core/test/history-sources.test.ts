import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changesOf, publishProject, writeFiles } from "./support/project.ts";
import { createRepository, removeFolder, temporaryFolder } from "./support/repository.ts";

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
    changesOf(
      await publishProject(site.root, {}, { builder: { project: site.root, sourceFiles } }),
    ),
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
