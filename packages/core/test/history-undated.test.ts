import { describe, expect, test } from "vitest";
import { noteOf, publishProject, undatedOf, writeFiles } from "./support/project.ts";
import { createRepository, type TestRepository } from "./support/repository.ts";
import { temporaryFolder } from "./support/site.ts";

/** Publishes what a builder made: for each page the files it names. */
function publishBuilt(site: TestRepository, sources: Readonly<Record<string, string[]>>) {
  writeFiles(site.root, 99, ...Object.keys(sources).map((page) => `dist/${page}`));
  const sourceFiles = (page: string) =>
    (sources[page] ?? []).map((path) => (path.startsWith("/") ? path : site.path(path)));
  return publishProject(site.root, {}, { builder: { project: site.root, sourceFiles } });
}

describe("pages without a date in git", () => {
  test("are counted by reason, and named", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\ndraft.md\n").write("a.md").write("list.njk").commit(10);
    site.write("draft.md");
    const elsewhere = `${temporaryFolder()}/theme.md`;
    const result = await publishBuilt(site, {
      "a.html": ["a.md", "list.njk"],
      "b/1.html": ["list.njk"],
      "b/2.html": ["list.njk"],
      "c.html": [],
      "d.html": ["draft.md"],
      "e.html": [elsewhere],
    });
    expect(undatedOf(result)).toEqual(["b/1.html", "b/2.html", "c.html", "d.html", "e.html"]);
    expect(noteOf(result, "UNDATED")).toMatchInlineSnapshot(
      `"5 pages have no date in git: 2 made from a file that makes other pages too (lists, tags), 1 without a known source file, 1 whose file git does not track, 1 made from a file outside the repository. The Resource List has them, and the log reports their next change: b/1.html, b/2.html, c.html, d.html, e.html. If such a page has a source file, name it with the option sourceFiles. If those files should date their pages, commit them before the first deploy."`,
    );
  });

  test("have one reason that is said without a number", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").commit(10);
    const result = await publishBuilt(site, { "a.html": [], "b.html": [] });
    expect(noteOf(result, "UNDATED")).toMatchInlineSnapshot(
      `"2 pages have no date in git: 2 without a known source file. The Resource List has them, and the log reports their next change: a.html, b.html. If such a page has a source file, name it with the option sourceFiles."`,
    );
  });

  test("wait for a commit, in a repository without one", async () => {
    using site = createRepository();
    writeFiles(site.root, 99, "dist/a.html", "src/a.md");
    for (const options of [{}, { sourceFolder: site.path("src") }]) {
      const result = await publishProject(site.root, options);
      expect(undatedOf(result)).toEqual(["a.html"]);
      expect(noteOf(result, "UNDATED")).toMatch(
        /Commit the pages, or .* the option history: "files"\./,
      );
      expect(noteOf(result, "UNDATED")).not.toContain("sourceFolder");
    }
  });

  test("may be built from files that the command is not told of", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md").commit(10);
    writeFiles(site.root, 99, "dist/a.html");
    expect(noteOf(await publishProject(site.root), "UNDATED")).toContain("the option sourceFolder");
    const told = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(undatedOf(told)).toEqual([]);
  });
});

test("pages that are made of others are counted: of these, git knows their own file's past", async () => {
  using site = createRepository();
  site.write(".gitignore", "dist\n").write("a.md").write("b.md").write("list.njk").commit(10);
  const sources = {
    "a.html": ["a.md"],
    "b.html": ["b.md"],
    "list.html": ["list.njk", "a.md", "b.md"],
  };
  const result = await publishBuilt(site, sources);
  expect(noteOf(result, "MADE_OF_OTHERS")).toBe(
    "1 page is made of others; only its own file's past is reported: list.html.",
  );
  const apart = { "a.html": ["a.md"], "b.html": ["b.md"], "list.html": ["list.njk"] };
  using other = createRepository();
  other.write(".gitignore", "dist\n").write("a.md").write("b.md").write("list.njk").commit(10);
  expect((await publishBuilt(other, apart)).notes.map(({ code }) => code)).not.toContain(
    "MADE_OF_OTHERS",
  );
});
