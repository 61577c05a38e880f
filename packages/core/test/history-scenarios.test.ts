import { describe, expect, test } from "vitest";
import { changesOf, publishProject, undatedOf, writeFiles } from "./support/project.ts";
import { createRepository, type TestRepository } from "./support/repository.ts";

const LAYOUT = "_includes/layout.njk";

/** A blog as the official Eleventy starter lays it out: each post has a page of its own. */
function blog(): TestRepository {
  const site = createRepository();
  site.write(".gitignore", "dist\n").write(LAYOUT, "<main>{{ content }}</main>");
  site.write("content/blog/first.md", "First words").write("content/blog/tags.njk", "A list");
  site.write("content/index.njk", "Home").commit(10, "Start");
  return site;
}

/** Builds a page of each source file of a folder, a list of two, and publishes. */
function build(site: TestRepository, input: string, posts: readonly string[]) {
  const page = (post: string) => `blog/${post.replace(/\.\w+$/, "")}/index.html`;
  const sources = new Map(posts.map((post) => [page(post), `${input}/blog/${post}`]));
  sources.set("index.html", `${input}/index.njk`);
  for (const tag of ["moss", "fern"])
    sources.set(`tags/${tag}/index.html`, `${input}/blog/tags.njk`);
  writeFiles(site.root, 9000, ...[...sources.keys()].map((one) => `dist/${one}`));
  const sourceFiles = (one: string) => {
    const source = sources.get(one);
    return source === undefined ? [] : [site.path(source), site.path(LAYOUT)];
  };
  return publishProject(site.root, {}, { builder: { project: site.root, sourceFiles } });
}

describe("a built site's first log", () => {
  test("has each post as old as its file, and lists without a date", async () => {
    using site = blog();
    site.write("content/blog/second.md", "Second words").commit(20);
    site.write("content/blog/first.md", "First words, again").commit(30);
    site.write("content/blog/gone.md", "Gone").commit(40);
    site.remove("content/blog/gone.md").commit(50);
    const result = await build(site, "content", ["first.md", "second.md"]);
    expect(changesOf(result)).toEqual([
      "10 created /",
      "10 created /blog/first/",
      "20 created /blog/second/",
      "30 updated /blog/first/",
    ]);
    expect(undatedOf(result)).toEqual(["tags/fern/", "tags/moss/"]);
  });

  test("begins before its input folder was renamed, edited or not", async () => {
    using site = blog();
    site.write("content/blog/second.md", "Second words").commit(20);
    site.move("content", "src/site").write("src/site/blog/second.md", "Second, edited").commit(30);
    site.move("src/site/blog/first.md", "src/site/blog/first.mdx").commit(40);
    expect(changesOf(await build(site, "src/site", ["first.mdx", "second.md"]))).toEqual([
      "10 created /",
      "10 created /blog/first/",
      "20 created /blog/second/",
      "30 updated /blog/second/",
    ]);
  });

  test("has today's URLs, whatever a permalink function gave years ago", async () => {
    using site = blog();
    const data = "content/blog/blog.11tydata.js";
    site.write(data, 'export default { permalink: ({ page }) => "/notes/" + page.fileSlug };');
    site.commit(20);
    site.write("content/blog/second.md", "Second words").commit(30);
    site.remove(data).commit(40);
    expect(changesOf(await build(site, "content", ["first.md", "second.md"]))).toEqual([
      "10 created /",
      "10 created /blog/first/",
      "30 created /blog/second/",
    ]);
  });

  test("says nothing of a changed layout", async () => {
    using site = blog();
    site.write(LAYOUT, "<body><main>{{ content }}</main></body>").commit(20, "New layout");
    expect(changesOf(await build(site, "content", ["first.md"]))).toEqual([
      "10 created /",
      "10 created /blog/first/",
    ]);
  });

  test("follows a page from hand to hand: each file that left is continued once", async () => {
    using site = blog();
    site.write("content/blog/copy.md", "First words").commit(20);
    site.remove("content/blog/first.md").commit(30);
    site.write("content/blog/first.md", "First words").commit(40);
    expect(changesOf(await build(site, "content", ["copy.md", "first.md"]))).toEqual([
      "10 created /",
      "20 created /blog/copy/",
      "40 created /blog/first/",
    ]);
  });

  test("has the titles that pages have today", async () => {
    using site = blog();
    site.write("dist/blog/first/index.html", "<title>First, at last</title>");
    const sourceFiles = () => [site.path("content/blog/first.md")];
    const builder = { project: site.root, sourceFiles };
    const { collections } = await publishProject(site.root, {}, { builder });
    expect(collections.flatMap(({ changes }) => changes.map(({ title }) => title))).toEqual([
      "First, at last",
    ]);
  });
});

describe("a site built by hand that became a built one", () => {
  function becomesBuilt(): TestRepository {
    const site = createRepository();
    site.write("dist/about.html", "<body>By hand").write("dist/old.html", "<body>Old").commit(10);
    site.write("dist/about.html", "<body>By hand, edited").remove("dist/old.html").commit(20);
    return site;
  }
  const builderOf = (site: TestRepository) => ({
    project: site.root,
    sourceFiles: (page: string) => [site.path("src", page.replace(/html$/, "md"))],
  });

  test("has its own files' history while they are tracked", async () => {
    using site = becomesBuilt();
    site
      .write("src/about.md", "Now built")
      .write("dist/about.html", "<body><p>Now built")
      .commit(30);
    const result = await publishProject(site.root, {}, { builder: builderOf(site) });
    expect(changesOf(result)).toEqual([
      "10 created /about.html",
      "10 created /old.html",
      "20 updated /about.html",
      "20 deleted /old.html",
      "30 updated /about.html",
    ]);
  });

  test("has its source files' history when they are not, of a page that it continues too", async () => {
    using site = becomesBuilt();
    site.git("rm", "-q", "--cached", "-r", "dist");
    site.write(".gitignore", "dist\n").write("src/about.md", "Now built").commit(30);
    site.write("src/new.md", "New").commit(40);
    writeFiles(site.root, 50, "dist/about.html", "dist/new.html");
    const result = await publishProject(site.root, {}, { builder: builderOf(site) });
    expect(changesOf(result)).toEqual([
      "10 created /about.html",
      "20 updated /about.html",
      "30 updated /about.html",
      "40 created /new.html",
    ]);
  });

  test("has both where some files are tracked and others built", async () => {
    using site = becomesBuilt();
    site.write(".gitignore", "dist/new.html\n").write("src/new.md", "New").commit(30);
    writeFiles(site.root, 50, "dist/new.html");
    const result = await publishProject(site.root, {}, { builder: builderOf(site) });
    expect(changesOf(result)).toEqual([
      "10 created /about.html",
      "10 created /old.html",
      "20 updated /about.html",
      "20 deleted /old.html",
      "30 created /new.html",
    ]);
  });

  test("never has the history of a file that a builder writes anew at its place", async () => {
    using site = becomesBuilt();
    site.write(".gitignore", "dist/old.html\n").write("src/old.md", "Built").commit(30);
    writeFiles(site.root, 50, "dist/old.html");
    const result = await publishProject(site.root, {}, { builder: builderOf(site) });
    expect(changesOf(result)).toEqual([
      "10 created /about.html",
      "20 updated /about.html",
      "30 created /old.html",
    ]);
  });
});

test("the command follows source files that its source folder moved from", async () => {
  using site = createRepository();
  site
    .write(".gitignore", "dist\n")
    .write("pages/a.md", "A")
    .write("pages/b/index.html", "<body>B");
  site.commit(10);
  site.move("pages", "content").move("content/b/index.html", "content/b.md").commit(20);
  writeFiles(site.root, 50, "dist/a.html", "dist/b/index.html");
  const result = await publishProject(site.root, { sourceFolder: site.path("content") });
  expect(changesOf(result)).toEqual(["10 created /a.html", "10 created /b/"]);
});

describe("an output folder that git tracks beside the source files of a plugin", () => {
  const builderOf = (site: TestRepository) => ({
    project: site.root,
    sourceFiles: (page: string) =>
      page === "tags.html" ? [] : [site.path("src", page.replace(/html$/, "md"))],
  });

  test("does not date pages: their source files do", async () => {
    using site = createRepository();
    site.write("src/about.md", "About").commit(10);
    site.write("src/about.md", "About us").commit(20);
    // A build that was committed once, by mistake.
    site.write("dist/about.html", "<body>About us").write("dist/tags.html", "<body>Tags");
    site.write("src/new.md", "New").commit(30);
    site.write("src/about.md", "About all of us").commit(40);
    writeFiles(site.root, 50, "dist/about.html", "dist/new.html");
    const result = await publishProject(site.root, {}, { builder: builderOf(site) });
    expect(changesOf(result)).toEqual([
      "10 created /about.html",
      "20 updated /about.html",
      "30 created /new.html",
      "30 created /tags.html",
      "40 updated /about.html",
    ]);
  });
});

describe("an output folder that git tracks", () => {
  test("keeps its dates when it was moved as a whole, also from the root", async () => {
    using site = createRepository();
    site
      .write("index.html", "<body>Home")
      .write("moss/index.html", "<body>Moss")
      .write("README.md", "x")
      .commit(10);
    site.write("moss/index.html", "<body>More moss").write("gone.html", "<body>Gone").commit(20);
    site.remove("gone.html").commit(25);
    site.move("index.html", "site/index.html").move("moss", "site/moss").commit(30);
    site
      .move("site", "dist")
      .write("dist/index.html", "<body>Home, edited")
      .write("dist/new.html", "<body>New");
    site.commit(40);
    expect(changesOf(await publishProject(site.root))).toEqual([
      "10 created /",
      "10 created /moss/",
      "20 created /gone.html",
      "20 updated /moss/",
      "25 deleted /gone.html",
      "40 updated /",
      "40 created /new.html",
    ]);
  });

  test("has the pages of a folder that was moved into it at their new URLs", async () => {
    using site = createRepository();
    site.write("dist/index.html", "<body>Home").write("blog/a.html", "<body>A").commit(10);
    site.move("blog", "dist/blog").commit(20);
    expect(changesOf(await publishProject(site.root))).toEqual([
      "10 created /",
      "20 created /blog/a.html",
    ]);
  });
});
