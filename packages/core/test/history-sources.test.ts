import { mkdirSync, symlinkSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EmitResult } from "../src/report/result.ts";
import { changesOf, noteOf, publishProject, writeFiles } from "./support/project.ts";
import {
  createRepository,
  removeFolder,
  type TestRepository,
  temporaryFolder,
} from "./support/repository.ts";

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

describe("a source file's own list or date of ours", () => {
  const LIST = '<ul data-rs-emit="changes">\n</ul>';
  const CASES: readonly [what: string, before: string, after: string, isUpdate: boolean][] = [
    ["that comes", "# Moss\n\nSoft.\n", `# Moss\n\n${LIST}\n\nSoft.\n`, false],
    [
      "that goes for another",
      `${LIST}Soft.`,
      'Soft. <ol data-rs-emit=changes data-limit="5"></ol>',
      false,
    ],
    ["that is empty in JSX", "<p>Soft.</p>", '<p>Soft.</p>\n<ul data-rs-emit="changes" />', false],
    [
      "a date",
      "<p>Soft.</p>",
      "<TIME\n class=d data-rs-emit=updated>unknown</TIME><p>Soft.</p>",
      false,
    ],
    ["with words beside it", "Soft.", `Softer.${LIST}`, true],
    ["that stays where words change", `${LIST}Soft.`, `${LIST}Softer.`, true],
    ["that comes between elements", "<p>A</p><p>B</p>", `<p>A</p>\n${LIST}\n<p>B</p>`, false],
    ["that comes before words", "<main>Soft.</main>", `<main>${LIST}Soft.</main>`, false],
    ["with words beside it that join", "No where.", `Nowhere.${LIST}`, true],
    [
      "that a page shows before its own",
      `\`<ul data-rs-emit>\` it is. Soft. ${LIST}`,
      `\`<ul data-rs-emit>\` it is. Softer. ${LIST}`,
      true,
    ],
    [
      "that a page only shows",
      "```\n<ul data-rs-emit></ul>\n```",
      '```\n<ul data-rs-emit data-limit="5"></ul>\n```',
      true,
    ],
    ["that stays in front of other lists", `${LIST}<ul><li>a</ul>`, `${LIST}<ul><li>b</ul>`, true],
  ];

  test.each(CASES)("%s", async (_, before, after, isUpdate) => {
    using site = createRepository();
    const text = (own: string) => ({ "src/index.md": own, "src/other.md": "Other" });
    const publish = () => publishProject(site.root, { sourceFolder: site.path("src") });
    const write = (own: string) => {
      for (const [file, contents] of Object.entries(text(own))) site.write(file, contents);
    };
    site.write(".gitignore", "dist\n");
    write(before);
    site.commit(10);
    writeFiles(site.root, 99, "dist/index.html", "dist/other.html");
    write(after);
    const created = ["10 created /", "10 created /other.html"];
    const uncommitted = changesOf(await publish());
    expect(uncommitted.length).toBe(isUpdate ? 3 : 2);
    removeFolder(site.path("dist"));
    writeFiles(site.root, 99, "dist/index.html", "dist/other.html");
    site.commit(20);
    expect(changesOf(await publish())).toEqual([...created, ...(isUpdate ? ["20 updated /"] : [])]);
  });

  test("in a file that also moved, or was edited before", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("src/a.md", "One").commit(10);
    site.write("src/a.md", "Two").commit(20);
    site.remove("src/a.md").write("src/index.md", "Two").commit(30);
    site.write("src/index.md", `Two${LIST}`).commit(40);
    writeFiles(site.root, 99, "dist/index.html");
    const result = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(changesOf(result)).toEqual(["10 created /", "20 updated /"]);
  });
});

test("a source file that a sparse checkout leaves out dates its page", async () => {
  using site = createRepository();
  site.write(".gitignore", "dist\n").write("src/a.md", "1").commit(10);
  site.write("src/a.md", "2").commit(20);
  writeFiles(site.root, 99, "dist/a.html");
  site.git("sparse-checkout", "set", "--no-cone", "/.gitignore");
  const builder = { project: site.root, sourceFiles: () => [site.path("src/a.md")] };
  const result = await publishProject(site.root, {}, { builder });
  expect(changesOf(result)).toEqual(["10 created /a.html", "20 updated /a.html"]);
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

test("a page numbered 404 has its history, and so has whatever is included", async () => {
  using site = createRepository();
  const hidden = '<title>R</title><meta name="robots" content="noindex">';
  const files = ["dist/404.html", "dist/records/404/index.html"];
  for (const file of files) site.write(file, page("1"));
  site.write("dist/rain.html", `${hidden}1`).commit(10);
  for (const file of files) site.write(file, page("2"));
  site.write("dist/rain.html", `${hidden}2`).commit(20);
  const numbered = ["10 created /records/404/", "20 updated /records/404/"];
  expect(changesOf(await publishProject(site.root))).toEqual(numbered);
  expect(changesOf(await publishProject(site.root, { include: ["*.html"] }))).toEqual([
    "10 created /404.html",
    "10 created /rain.html",
    "10 created /records/404/",
    "20 updated /404.html",
    "20 updated /rain.html",
    "20 updated /records/404/",
  ]);
});

describe("a link has the history of its file", () => {
  test("whatever leads to it: the builder's paths, a folder's, a linked folder, two links", async () => {
    using site = createRepository();
    site.write(".gitignore", "dist\n").write("own/old.md", "1").commit(10);
    site.move("own/old.md", "own/fern.md").write("own/reed/moss.md", "2").commit(20);
    site.write("src/plain.md");
    link(site, "src/notes/fern.md", "../../own/fern.md");
    link(site, "src/notes/frond.md", "../../own/fern.md");
    link(site, "src/reed", "../own/reed");
    site.commit(30);
    site.write("own/fern.md", "3").commit(40);
    writeFiles(site.root, 99, "dist/notes/fern.html", "dist/notes/frond.html", "dist/plain.html");
    writeFiles(site.root, 99, "dist/reed/moss.html");
    const expected = [
      "10 created /notes/fern.html",
      "10 created /notes/frond.html",
      "20 created /reed/moss.html",
      "30 created /plain.html",
      "40 updated /notes/fern.html",
      "40 updated /notes/frond.html",
    ];
    const matched = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(changesOf(matched)).toEqual(expected);
    const sourceFiles = (page: string) => [site.path("src", page.replace(".html", ".md"))];
    const builder = { project: site.root, sourceFiles };
    const stated = await publishProject(site.root, {}, { builder });
    expect(changesOf(stated)).toEqual(expected);
    site.write("own/fern.md", "4");
    utimesSync(site.path("own/fern.md"), 50, 50);
    const edited = await publishProject(site.root, {}, { builder });
    expect(changesOf(edited).slice(-2)).toEqual([
      "50 updated /notes/fern.html",
      "50 updated /notes/frond.html",
    ]);
  });

  test("also where the page itself is the link, and was a file before", async () => {
    using site = createRepository();
    site.write("dist/a.html", page("1")).write("dist/b.html", page("2")).commit(10);
    site.remove("dist/b.html");
    link(site, "dist/b.html", "a.html");
    link(site, "dist/c.html", "a.html");
    site.commit(20);
    site.write("dist/a.html", page("3")).commit(30);
    const result = await publishProject(site.root);
    expect(changesOf(result)).toEqual([
      "10 created /a.html",
      "10 created /b.html",
      "10 created /c.html",
      "20 updated /b.html",
      "30 updated /a.html",
      "30 updated /b.html",
      "30 updated /c.html",
    ]);
    site.remove("dist/a.html");
    link(site, "dist/a.html", "d.html");
    site.write("dist/d.html", page("4"));
    utimesSync(site.path("dist/d.html"), 40, 40);
    expect(changesOf(await publishProject(site.root))).toContain("40 updated /a.html");
  });

  test("and the note says so where it leads out of the repository", async () => {
    using site = createRepository();
    const elsewhere = temporaryFolder();
    try {
      writeFiles(elsewhere, 5, "fern.md");
      site.write(".gitignore", "dist\n");
      link(site, "src/fern.md", join(elsewhere, "fern.md"));
      site.commit(10);
      writeFiles(site.root, 99, "dist/fern.html");
      const sourceFiles = () => [site.path("src/fern.md")];
      const builder = { project: site.root, sourceFiles };
      const result = await publishProject(site.root, {}, { builder });
      expect(noteOf(result, "UNDATED")).toContain("made from a file outside the repository");
    } finally {
      removeFolder(elsewhere);
    }
  });
});

describe("a file in a submodule has its history there", () => {
  test.each(["submodule", "clone"])("as source file, or as page: %s", async (kind) => {
    using notes = createRepository();
    notes.write("fern.md", "1").write("fern.html", page("1")).commit(5);
    notes.write("fern.md", "2").write("fern.html", page("2")).commit(15);
    using site = createRepository();
    site.write("src/a.md").write("dist/a.html").commit(10);
    for (const path of ["src/notes", "dist/notes"]) {
      if (kind === "submodule") site.submodule(notes, path);
      else site.git("clone", "--quiet", notes.root, path);
    }
    if (kind === "submodule") site.commit(20);
    const own = await publishProject(site.root);
    const past = ["5 created /notes/fern.html", "10 created /a.html"];
    expect(changesOf(own)).toEqual([...past, "15 updated /notes/fern.html"]);
    expect(titlesOf(own)).toContain("2");
    const sourced = await publishProject(site.root, { sourceFolder: site.path("src") });
    expect(changesOf(sourced)).toEqual([...past, "15 updated /notes/fern.html"]);
  });

  test("and the note says so where that is not here", async () => {
    using notes = createRepository();
    notes.write("fern.md", "1").commit(5);
    notes.write("fern.md", "2").commit(15);
    using site = createRepository();
    site.write(".gitignore", "dist\n").submodule(notes, "src/notes");
    site.commit(20);
    writeFiles(site.root, 99, "dist/notes/fern.html");
    removeFolder(site.path("src/notes"));
    site.git("clone", "--quiet", "--depth=1", `file://${notes.root}`, "src/notes");
    const sourceFiles = () => [site.path("src/notes/fern.md")];
    const builder = { project: site.root, sourceFiles };
    const result = await publishProject(site.root, {}, { builder });
    expect(noteOf(result, "UNDATED")).toContain(
      "1 whose file is in a repository within this one whose history is not here",
    );
    expect(noteOf(result, "UNDATED")).not.toContain("git does not track");
  });
});

function link(site: TestRepository, path: string, target: string): void {
  mkdirSync(dirname(site.path(path)), { recursive: true });
  symlinkSync(target, site.path(path));
}

function page(text: string): string {
  return `<title>${text}</title><main>What is said: ${text}</main>`;
}

function titlesOf({ collections }: EmitResult): (string | undefined)[] {
  return collections.flatMap(({ changes }) => changes.map(({ title }) => title));
}
