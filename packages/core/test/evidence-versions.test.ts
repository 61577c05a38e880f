import { symlinkSync, unlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Builder, Making } from "../src/builder.ts";
import { changesOf, noteOf, publishProject, undatedOf, writeFiles } from "./support/project.ts";
import { createRepository, type TestRepository } from "./support/repository.ts";

/**
 * A builder whose sources say in their first word where their page stands: `a-page`, `-` for none, `?`
 * for what only the builder could know. `src/data` has a folder that all of them lie in.
 */
function builderOf(
  site: TestRepository,
  pages: Readonly<Record<string, readonly string[]>>,
): Builder {
  return {
    project: site.root,
    sourcesOf: (file) => (pages[file] ?? []).map((source) => site.path(source)),
    rules: {
      roleOf: (file) =>
        /\/src\/.*\.md$/.test(file) ? "source" : /\/src\/data$/.test(file) ? "data" : undefined,
      dataOf: () => [site.path("src/data")],
      read: (_, bytes) => ({ word: new TextDecoder().decode(bytes).split(" ")[0] }),
      made: (file, { word }, [data]): Making => {
        if (word === "-") return { kind: "nothing" };
        if (word === "*") return { kind: "several" };
        const name = file.replace(/.*\/|\.md$/g, "");
        const folder = typeof data?.word === "string" ? `${data.word}/` : "";
        if (word === "?") return { kind: "page", ways: ["?"], names: [name] };
        const withheld = word === "!" ? { withheld: true as const } : {};
        const page = word === "!" ? name : word;
        return {
          kind: "page",
          ways: [`said ${folder}`],
          file: `${folder}${page}.html`,
          names: [],
          ...withheld,
        };
      },
    },
  };
}

async function told(
  site: TestRepository,
  pages: Readonly<Record<string, readonly string[]>>,
): Promise<{ log: string[]; unknown: string; undated: string[] }> {
  writeFiles(site.root, 99, ...Object.keys(pages).map((page) => `dist/${page}`));
  const result = await publishProject(site.root, {}, { builder: builderOf(site, pages) });
  return {
    log: changesOf(result),
    unknown: noteOf(result, "UNKNOWN_SOURCES"),
    undated: undatedOf(result),
  };
}

function project(): TestRepository {
  return createRepository().write(".gitignore", "dist\n").write("src/k.md", "keeper");
}

const KEEPER = { "keeper.html": ["src/k.md"] };

describe("a page has the URL that its source had at the time", () => {
  test("it is deleted and created when its source renames it, and once more when the source goes", async () => {
    using site = project();
    site.write("src/a.md", "one text").commit(10);
    site.write("src/a.md", "one more").commit(20);
    site.write("src/a.md", "two more").commit(30);
    site.remove("src/a.md").commit(40);
    const { log } = await told(site, KEEPER);
    expect(log).toEqual([
      "10 created /keeper.html",
      "10 created /one.html",
      "20 updated /one.html",
      "30 deleted /one.html",
      "30 created /two.html",
      "40 deleted /two.html",
    ]);
  });

  test("data beside the sources renames every one of them", async () => {
    using site = project();
    site.write("src/a.md", "one").commit(10);
    site.write("src/data", "moved").commit(20);
    const pages = { "moved/keeper.html": ["src/k.md"], "moved/one.html": ["src/a.md"] };
    expect((await told(site, pages)).log).toEqual([
      "10 created /keeper.html",
      "10 created /one.html",
      "20 deleted /keeper.html",
      "20 created /moved/keeper.html",
      "20 created /moved/one.html",
      "20 deleted /one.html",
    ]);
  });

  test("it stays where it is when its source moves and says so", async () => {
    using site = project();
    site.write("src/a.md", "one text").commit(10);
    site.move("src/a.md", "src/old/b.md").commit(20);
    site.write("src/old/b.md", "one more").commit(30);
    const { log } = await told(site, { ...KEEPER, "one.html": ["src/old/b.md"] });
    expect(log.slice(1)).toEqual(["10 created /one.html", "30 updated /one.html"]);
  });

  test("it enters and leaves as its author opts it out, of no interest to a follower", async () => {
    using site = project();
    for (const [time, word] of [
      [10, "!"],
      [20, "a"],
      [30, "!"],
      [40, "a"],
    ] as const) {
      site.write("src/a.md", `${word} text`).commit(time);
    }
    writeFiles(site.root, 99, "dist/keeper.html", "dist/a.html");
    const builder = builderOf(site, { ...KEEPER, "a.html": ["src/a.md"] });
    const result = await publishProject(site.root, {}, { builder });
    const changes = result.collections.flatMap((one) => one.changes).slice(1);
    expect(changes.map(({ lastmod, kind, minor }) => [lastmod, kind, minor])).toEqual([
      [20, "created", true],
      [30, "deleted", true],
      [40, "created", true],
    ]);
  });

  test("it is not there while its source makes none", async () => {
    using site = project();
    site.write("src/a.md", "- text").commit(10);
    site.write("src/a.md", "a text").commit(20);
    site.write("src/a.md", "- text").commit(30);
    const { log, unknown } = await told(site, KEEPER);
    expect(log.slice(1)).toEqual(["20 created /a.html", "30 deleted /a.html"]);
    expect(unknown).toBe("");
  });
});

describe("of a page whose source once made what cannot be told, nothing is told", () => {
  test("and the summary counts those that are gone", async () => {
    using site = project();
    site.write("src/a.md", "a").write("src/b.md", "*").write("src/c.md", "?").commit(10);
    site.write("src/a.md", "*").commit(20);
    site.write("src/a.md", "a").remove("src/b.md").remove("src/c.md").commit(30);
    const { log, undated, unknown } = await told(site, { ...KEEPER, "a.html": ["src/a.md"] });
    expect(log).toEqual(["10 created /keeper.html"]);
    expect(undated).toEqual(["a.html"]);
    expect(unknown).toMatch(/^2 .*src\/b\.md, src\/c\.md\./);
  });

  test("and a source of several pages dates none of them", async () => {
    using site = project();
    site.write("src/a.md", "a").commit(10);
    const pages = { ...KEEPER, "a.html": ["src/a.md"], "a/2.html": ["src/a.md"] };
    const { log, undated } = await told(site, pages);
    expect(log).toEqual(["10 created /keeper.html"]);
    expect(undated).toEqual(["a.html", "a/2.html"]);
  });
});

describe("the builder's rule is held against the pages that stand", () => {
  test("where one of them is named otherwise, it is not trusted", async () => {
    using site = project();
    site.write("src/a.md", "one").commit(10);
    site.remove("src/a.md").commit(20);
    const { log, unknown } = await told(site, { "elsewhere.html": ["src/k.md"] });
    expect(log).toEqual(["10 created /elsewhere.html"]);
    expect(unknown).toMatch(/^1 .*src\/a\.md\./);
  });

  test("where none has an answer, what every one of them is named after counts", async () => {
    using site = createRepository().write(".gitignore", "dist\n");
    site.write("src/moss.md", "?").write("src/fern.md", "?").write("src/gone.md", "?").commit(10);
    site.remove("src/gone.md").commit(20);
    const pages = { "n/moss/index.html": ["src/moss.md"], "n/fern/index.html": ["src/fern.md"] };
    expect((await told(site, pages)).log).toEqual([
      "10 created /n/fern/",
      "10 created /n/gone/",
      "10 created /n/moss/",
      "20 deleted /n/gone/",
    ]);
  });

  test("where one that stands makes no page though it should, nobody knows of the others", async () => {
    using site = project();
    site.write("src/draft.md", "draft").write("src/gone.md", "gone").commit(10);
    site.remove("src/gone.md").commit(20);
    const { log, unknown } = await told(site, KEEPER);
    expect(log).toEqual(["10 created /keeper.html"]);
    expect(unknown).toMatch(/^1 .*src\/gone\.md\./);
  });

  test("where those that stand make no page, neither did the others", async () => {
    using site = createRepository().write(".gitignore", "dist\n").write("src/k.md", "keeper");
    site.write("src/draft.md", "?").write("src/gone.md", "?").commit(10);
    site.remove("src/gone.md").commit(20);
    const { log, unknown } = await told(site, KEEPER);
    expect(log).toEqual(["10 created /keeper.html"]);
    expect(unknown).toBe("");
  });
});

describe("edits that no commit holds yet", () => {
  test("rename a page at the time of the file", async () => {
    using site = project();
    site.write("src/a.md", "one").commit(10);
    site.write("src/a.md", "two");
    utimesSync(site.path("src/a.md"), 50, 50);
    const { log } = await told(site, { ...KEEPER, "two.html": ["src/a.md"] });
    expect(log.slice(1)).toEqual([
      "10 created /one.html",
      "50 deleted /one.html",
      "50 created /two.html",
    ]);
  });

  test("of the data beside the sources rename them at its own time", async () => {
    using site = project();
    site.commit(10);
    site.write("src/data", "moved");
    utimesSync(site.path("src/data"), 60, 60);
    const { log } = await told(site, { "moved/keeper.html": ["src/k.md"] });
    expect(log).toEqual([
      "10 created /keeper.html",
      "60 deleted /keeper.html",
      "60 created /moved/keeper.html",
    ]);
  });
});

test("a page that its layout hides is not told of by an edit", async () => {
  using site = project();
  site.write("src/a.md", "a").commit(10);
  site.write("src/a.md", "a more");
  writeFiles(site.root, 99, "dist/keeper.html");
  site.write("dist/a.html", '<meta name="robots" content="noindex">');
  const builder = builderOf(site, { ...KEEPER, "a.html": ["src/a.md"] });
  const result = await publishProject(site.root, {}, { builder });
  expect(changesOf(result)).toEqual(["10 created /keeper.html"]);
});

test("a page made from a file that the rules do not speak of has that file's history", async () => {
  using site = project();
  site.write("data/moss.json", "1").commit(10);
  site.write("data/moss.json", "2").commit(20);
  const { log } = await told(site, { ...KEEPER, "moss.html": ["data/moss.json", "src/k.md"] });
  expect(log).toEqual(["10 created /moss.html", "20 updated /moss.html"]);
});

test("a project in a folder of the repository, named by a link, has the history of its own sources", async () => {
  using site = createRepository().write(".gitignore", "dist\n");
  site.write("garden/src/k.md", "keeper").write("other/src/x.md", "x").commit(10);
  site.write("garden/src/k.md", "moved").commit(20);
  const link = `${site.root}-link`;
  symlinkSync(site.path("garden"), link);
  try {
    writeFiles(link, 99, "dist/moved.html");
    const rules = builderOf(site, {}).rules;
    const builder: Builder = {
      project: link,
      sourcesOf: () => [`${link}/src/k.md`],
      ...(rules === undefined
        ? {}
        : {
            rules: {
              ...rules,
              roleOf: (file) => (file.startsWith(`${link}/src/`) ? "source" : undefined),
            },
          }),
    };
    const result = await publishProject(link, {}, { builder });
    expect(changesOf(result)).toEqual([
      "10 created /keeper.html",
      "20 deleted /keeper.html",
      "20 created /moved.html",
    ]);
  } finally {
    unlinkSync(link);
  }
});

test("what else a page is made from changes it, and makes it neither come nor go", async () => {
  using site = project();
  site.write("list.json", "1").commit(10);
  site.write("list.json", "2").commit(20);
  const { log } = await told(site, { "keeper.html": ["src/k.md", "list.json"] });
  expect(log).toEqual(["10 created /keeper.html", "20 updated /keeper.html"]);
});

test("versions that a partial clone lacks are fetched, or left out and counted", async () => {
  using site = project();
  site.write("src/a.md", "one").commit(10);
  site.write("src/a.md", "two").commit(20);
  using clone = site.clone("--filter=blob:none");
  const pages = { ...KEEPER, "two.html": ["src/a.md"] };
  expect((await told(clone, pages)).log).toEqual([
    "10 created /keeper.html",
    "10 created /one.html",
    "20 deleted /one.html",
    "20 created /two.html",
  ]);
  using lonely = site.clone("--filter=blob:none");
  lonely.git("remote", "set-url", "origin", "file:///nowhere");
  writeFiles(lonely.root, 99, "dist/two.html", "dist/keeper.html");
  const result = await publishProject(lonely.root, {}, { builder: builderOf(lonely, pages) });
  expect(changesOf(result)).toEqual(["10 created /keeper.html"]);
  expect(noteOf(result, "UNREAD_VERSIONS")).toMatch(/^1 /);
});

test("a page that an earlier build left over is neither created nor deleted while it stands", async () => {
  using site = project();
  site.write("src/a.md", "one").commit(10);
  site.remove("src/a.md").commit(20);
  writeFiles(site.root, 99, "dist/keeper.html", "dist/one.html");
  const builder: Builder = {
    ...builderOf(site, KEEPER),
    annotate: (file) => (file === "one.html" ? { stale: true } : undefined),
  };
  const result = await publishProject(site.root, {}, { builder });
  expect(changesOf(result)).toEqual(["10 created /keeper.html"]);
  expect(noteOf(result, "STALE")).toContain("one.html");
});
