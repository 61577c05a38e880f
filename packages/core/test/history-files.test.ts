import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  changesOf,
  NOW,
  noteOf,
  publishProject,
  undatedOf,
  writeFiles,
} from "./support/project.ts";
import { createRepository } from "./support/repository.ts";
import { temporaryFolder } from "./support/site.ts";

describe("outside a repository, a page is dated", () => {
  test("by itself where nobody names its source", async () => {
    const root = temporaryFolder();
    writeFiles(root, 50, "dist/a.html");
    expect(changesOf(await publishProject(root))).toEqual(["50 created /a.html"]);
  });

  test("by no time that nobody set", async () => {
    const root = temporaryFolder();
    const day = (at: string) => Date.parse(at) / 1000;
    writeFiles(root, 0, "dist/a.html");
    writeFiles(root, 1, "dist/b.html");
    writeFiles(root, day("1979-12-31T14:00:00Z"), "dist/c.html");
    writeFiles(root, day("1980-01-01T00:00:00Z"), "dist/d.html");
    writeFiles(root, day("1985-10-26T08:15:00Z"), "dist/e.html");
    writeFiles(root, 50, "dist/f.html");
    const result = await publishProject(root);
    expect(changesOf(result)).toEqual(["50 created /f.html"]);
    expect(undatedOf(result)).toEqual(["a.html", "b.html", "c.html", "d.html", "e.html"]);
    expect(noteOf(result, "UNDATED")).toContain("5 whose file has a time that nobody set");
  });

  test("by its source, and not by the build, first and later", async () => {
    const root = temporaryFolder();
    const source = join(root, "src");
    writeFiles(root, 50, "src/a.md", "src/b/index.md");
    writeFiles(root, 99, "dist/a.html", "dist/b/index.html", "dist/tags.html");
    const first = await publishProject(root, { sourceFolder: source });
    expect(changesOf(first)).toEqual(["50 created /a.html", "50 created /b/"]);
    expect(undatedOf(first)).toEqual(["tags.html"]);
    expect(noteOf(first, "UNDATED")).not.toContain("sourceFolder");
    writeFiles(root, 150, "src/a.md");
    writeFiles(root, 199, "dist/a.html", "dist/tags.html");
    expect(
      changesOf(await publishProject(root, { sourceFolder: source, previous: "output" })),
    ).toEqual(["150 updated /a.html", `${NOW + 1} updated /tags.html`]);
  });

  test("by no file of the output folder, a dot folder or node_modules", async () => {
    const root = temporaryFolder();
    writeFiles(root, 50, "a.md", "dist/a.html", "dist/b.html", "dist/c.html", "dist/d.html");
    writeFiles(root, 60, ".trash/b.md", "node_modules/c.md", "dist/dist/d.html");
    const result = await publishProject(root, { sourceFolder: root });
    expect(changesOf(result)).toEqual(["50 created /a.html"]);
  });

  test("by the newest of its own sources where a builder names them", async () => {
    const root = temporaryFolder();
    writeFiles(root, 50, "a.md", "b.md");
    writeFiles(root, 60, "a.json", "layout.njk");
    writeFiles(root, 99, "dist/a.html", "dist/b.html", "dist/c.html");
    const sources = new Map([
      ["a.html", ["a.md", "a.json", "layout.njk"]],
      ["b.html", ["b.md", "layout.njk", "gone.md"]],
      ["c.html", ["layout.njk"]],
    ]);
    const sourceFiles = (file: string) => (sources.get(file) ?? []).map((path) => join(root, path));
    const result = await publishProject(root, {}, { builder: { project: root, sourceFiles } });
    expect(changesOf(result)).toEqual(["50 created /b.html", "60 created /a.html"]);
    expect(undatedOf(result)).toEqual(["c.html"]);
  });
});

test("in a repository, files' times are those of the sources, too, when asked for", async () => {
  using site = createRepository();
  writeFiles(site.root, 50, "src/a.md");
  site.commit(10);
  writeFiles(site.root, 99, "dist/a.html", "dist/b.html");
  const result = await publishProject(site.root, {
    sourceFolder: site.path("src"),
    history: "files",
  });
  expect(changesOf(result)).toEqual(["50 created /a.html"]);
  expect(undatedOf(result)).toEqual(["b.html"]);
});
