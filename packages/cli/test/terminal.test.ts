import { rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { rsEmit } from "./support/command.ts";
import { contentsOf, folderOf, page, SITE, siteFolder, write } from "./support/folder.ts";
import { always, host } from "./support/host.ts";
import { Terminal } from "./support/terminal.ts";

const PREVIOUS = ["--previous", "output"];
const SET_UP = ["--url", "https://example.org/", ...PREVIOUS];
const GALLERY = ["--collection", "moss/", "--collection", "gallery/"];

beforeEach(() => {
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("FORCE_COLOR", undefined);
  vi.stubEnv("TERM", "xterm");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

describe("a summary in a terminal", () => {
  test("of a first publication", async () => {
    const stdout = await published(site());
    expect(stdout).toMatchSnapshot();
    expect(longestLine(stdout)).toBeLessThanOrEqual(80);
  });

  test("of an edit", async () => {
    const folder = site();
    await published(folder);
    edit(folder);
    const stdout = await published(folder, "--now", "2026-10-19T07:45:00Z");
    expect(stdout).toMatchSnapshot();
    expect(longestLine(stdout)).toBeLessThanOrEqual(80);
  });

  test("of nothing, with every document", async () => {
    const folder = site();
    await published(folder);
    expect(await published(folder, "--verbose")).toMatchSnapshot();
  });

  test("of a dry run", async () => {
    expect(await published(site(), "--dry-run")).toMatchSnapshot();
  });

  test("shows no more than twenty pages, those of interest first", async () => {
    const names = Array.from({ length: 40 }, (_, number) => `moss/page-${10 + number}.html`);
    const folder = folderOf(Object.fromEntries(names.map((name) => [name, page(name)])));
    await published(folder);
    for (const name of names) write(folder, { [name]: page(name, name, "By foot") });
    write(folder, { "gallery/new.html": page("New") });
    const stdout = await published(folder);
    expect(stdout).toContain("41 changes, 40 of them minor, published");
    expect(stdout.match(/^ {2}(?:created|updated) /gm)).toHaveLength(20);
    expect(stdout).toContain("  created  New  /gallery/new.html");
    expect(stdout).toContain("\n  and 21 more changes\n");
  });

  test("never lets a title paint over it", async () => {
    const bell = page("Ring\u0007 \u001b[2Jclear");
    const folder = folderOf({ "index.html": bell });
    await new Terminal().run([folder, ...SET_UP]);
    write(folder, { "index.html": page("Ring\u0007 \u001b[2Jclear", "Again") });
    const { stdout } = await new Terminal().run([folder, ...SET_UP]);
    expect(stdout).toMatch(/Ring +\[2Jclear/);
    expect(stdout).not.toContain("\u0007");
  });
});

describe("colours", () => {
  const isColoured = async () => {
    const { stdout } = await new Terminal().run([siteFolder(), ...SET_UP]);
    return stdout.includes("\u001b[");
  };

  test("are shown in a terminal", async () => {
    expect(await isColoured()).toBe(true);
  });

  test("are left out for NO_COLOR", async () => {
    vi.stubEnv("NO_COLOR", "1");
    expect(await isColoured()).toBe(false);
  });

  test("are left out in a dumb terminal", async () => {
    vi.stubEnv("TERM", "dumb");
    expect(await isColoured()).toBe(false);
  });

  test("are shown anywhere for FORCE_COLOR", async () => {
    vi.stubEnv("FORCE_COLOR", "1");
    vi.stubEnv("TERM", "dumb");
    expect(await isColoured()).toBe(true);
  });
});

test("an error is wrapped to the terminal", async () => {
  const { exit, stdout, stderr } = await new Terminal(40).run([folderOf({}), "--url", "a.example"]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stripVTControlCharacters(stderr)).toBe(
    'rs-emit: "a.example" has no scheme.\nWrite it in full: https://a.example\n',
  );
});

describe("a folder that looks like no site", () => {
  const bare = { "style.css": "", "deep/a.html": page("A") };

  test.for(["n\n", "\n"])("%j: nothing is published", async (answer) => {
    const folder = folderOf(bare);
    const { exit, stderr } = await ask(folder, answer);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/no pages in\s.* itself\.\n\nIs that folder your site\? \(y\/N\) /s);
    expect(stderr).toContain("--any-folder");
    expect(contentsOf(folder)).toEqual(bare);
  });

  test("yes: it is published", async () => {
    const folder = folderOf(bare);
    expect(await ask(folder, "y\n")).toMatchObject({ exit: 0 });
    expect(contentsOf(folder)).toHaveProperty(["resourcelist.xml"]);
  });

  test("--any-folder: it is published, and nobody is asked", async () => {
    const { exit, stderr } = await ask(folderOf({}), "", "--any-folder");
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  });

  test("the root and homes are asked about, even with pages", async () => {
    const home = folderOf({ "index.html": page("Home"), "site/index.html": page("Site") });
    vi.stubEnv("HOME", home);
    expect((await ask(home, "n\n")).stderr).toMatch(/is a home folder.*\(y\/N\)/s);
    expect((await ask(dirname(home), "n\n")).stderr).toMatch(/holds one.*\(y\/N\)/s);
    expect((await ask("/", "n\n")).stderr).toMatch(/\/ is the root of the file system.*\(y\/N\)/s);
    expect((await ask(join(home, "site"), "")).exit).toBe(0);
  });

  async function ask(folder: string, answer: string, ...more: readonly string[]) {
    const terminal = new Terminal();
    terminal.stdin.write(answer);
    const outcome = await terminal.run([folder, ...SET_UP, ...more]);
    return { ...outcome, stderr: stripVTControlCharacters(outcome.stderr) };
  }
});

describe("most pages are gone", () => {
  const notes = Object.fromEntries(
    Array.from({ length: 8 }, (_, number) => [`notes/${number}.html`, page(`Note ${number}`)]),
  );

  test.for(["n\n", "\n"])("%j: nothing is published", async (answer) => {
    const { exit, stderr } = await ask(answer);
    expect(exit).toBe(1);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /8 of the 9 .* They were in notes\/ \(8 pages\)\. Are these pages meant to be gone\? \(y\/N\) /,
    );
    expect(stderr).toContain("--allow-mass-delete");
  });

  test("yes: they are told as gone", async () => {
    expect((await ask("y\n")).stdout).toContain("8 changes, published");
  });

  async function ask(answer: string) {
    const folder = folderOf({ "index.html": page("Home"), ...notes });
    await new Terminal().run([folder, ...SET_UP]);
    rmSync(join(folder, "notes"), { recursive: true });
    const terminal = new Terminal();
    terminal.stdin.write(answer);
    const outcome = await terminal.run([folder, ...SET_UP]);
    return { ...outcome, ...plain(outcome) };
  }
});

describe("--link", () => {
  test.for(["n\n", "\n"])(
    "asks, and shows the lines: %j publishes without them",
    async (answer) => {
      const folder = siteFolder();
      const { exit, stdout, stderr } = await ask(folder, answer);
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
        /come into the head of 3 pages: index\.html, .* Write into your pages\? \(y\/N\) /,
      );
      const shown = stderr.match(/^<link .*>$/gm) ?? [];
      expect(shown).toHaveLength(2);
      expect({ exit, said: stdout.replaceAll(/\s+/g, " ") }).toMatchObject({
        exit: 0,
        said: expect.stringContaining("Nothing was written into the head of your pages."),
      });
      expect(contentsOf(folder)).toMatchObject({
        ...SITE,
        "resourcelist.xml": expect.any(String),
      });
      await ask(folder, "y\n");
      expect(contentsOf(folder)["index.html"]).toContain(shown.join(""));
    },
  );

  test("a yes writes, is counted, and holds for later runs and new pages", async () => {
    const folder = siteFolder();
    expect((await ask(folder, "y\n")).stdout.replaceAll(/\s+/g, " ")).toContain(
      "were written into 3 pages: index.html, moss.html, night/bus.html.",
    );
    write(folder, { "ferns.html": page("Ferns"), "moss.html": page("Moss", "Edited") });
    expect(await ask(folder, "")).toMatchObject({ exit: 0, stderr: "" });
  });

  test("given later, it asks once more; a builder's pages are not asked about again", async () => {
    const folder = siteFolder();
    await new Terminal().run([folder, ...SET_UP]);
    expect((await ask(folder, "n\n")).stderr).toContain("(y/N)");
    const linked = await ask(folder, "y\n");
    expect(linked.exit).toBe(0);
    expect(linked.stdout.replaceAll(/\s+/g, " ")).toContain(
      "were written into 3 pages: index.html, moss.html, night/bus.html. Upload these too.",
    );
    write(folder, SITE);
    expect(await ask(folder, "")).toMatchObject({ exit: 0, stderr: "" });
  });

  async function ask(folder: string, answer: string) {
    const terminal = new Terminal();
    terminal.stdin.write(answer);
    const outcome = await terminal.run([folder, ...SET_UP, "--link"]);
    return { ...outcome, ...plain(outcome) };
  }
});

test.each([
  [
    { "hugo.toml": "" },
    "hugo && hugo list all > files.csv && npx rs-emit public --url https://example.org/ --source-map files.csv --source-folder content\n",
  ],
  [{ "mkdocs.yml": "" }, "mkdocs build && npx rs-emit public --url"],
  [{ "eleventy.config.js": "" }, "npm install @rs-emit/eleventy"],
  [{}, "jekyll build && npx rs-emit public --url", '<meta content="Jekyll v4.3" name="generator">'],
])(
  "a first publication of what a builder made says its line: %j",
  async (files, line, meta = "") => {
    const project = folderOf({
      ...files,
      "public/index.html": page("Home").replace("<title>", `${meta}$&`),
    });
    const { stdout } = await rsEmit(["public", ...SET_UP], { cwd: project });
    expect(stdout).toContain(line);
    expect(stdout).not.toContain("After each edit");
  },
);

test.each([
  [
    ["--link", "--title", "The garden"],
    { "_config.yml": "" },
    'jekyll build && npx rs-emit public --url https://example.org/ --link --title "The garden"\n',
  ],
  [
    ["--source-map=public/files.csv", "--now", "2026-10-05T18:30:00Z", "--first"],
    { "_config.yml": "" },
    "npx rs-emit public --url https://example.org/ --source-map=public/files.csv\n",
  ],
  [
    ["--link"],
    { "eleventy.config.js": "" },
    'addPlugin(rsEmit, { url: "https://example.org/", link: true });',
  ],
  [["--link"], { "astro.config.mjs": "" }, "integrations: [rsEmit({ link: true })],"],
])("the line keeps what was given, but what is for one run: %j", async (more, files, line) => {
  const project = folderOf({
    ...files,
    "public/index.html": page("Home"),
    "public/files.csv": "url,source\n/,index.md\n",
  });
  const { stdout, stderr } = await rsEmit(["public", ...SET_UP, ...more], { cwd: project });
  expect(stdout, stderr).toContain(line);
});

test.each([
  [".", "mkdocs build && npx rs-emit . --url"],
  ["my site", 'mkdocs build && npx rs-emit "my site" --url'],
])("and the line can be pasted where the folder is %j", async (folder, line) => {
  const project = folderOf({ "mkdocs.yml": "", [`${folder}/index.html`]: page("Home") });
  const { stdout } = await rsEmit([folder, ...SET_UP], { cwd: project });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(line);
});

test("a first publication by hand names the page to look at, and what uploads a site on Neocities", async () => {
  const folder = folderOf({
    "my site/index.html": page("Home"),
    "my site/about.html": page("About"),
  });
  const options = ["--url", "https://moss.neocities.org/", "--previous", "none", "--link"];
  const { stdout } = await rsEmit(["my site", ...options], { cwd: folder });
  expect(stdout).toMatch(/Look at the page:\n +file:\/\/\/\S+\/my%20site\/index\.html\n/);
  expect(stdout).toContain('\n     npx rs-emit neocities moss "my site"\n');
  const elsewhere = await rsEmit([join(folder, "my site"), ...SET_UP, "--first"]);
  expect(elsewhere.stdout).not.toMatch(/neocities|file:/);
});

function plain({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) {
  return { stdout: stripVTControlCharacters(stdout), stderr: stripVTControlCharacters(stderr) };
}

describe("where the live site cannot tell", () => {
  test.for(["n\n", "\n", "perhaps\n"])("%j: nothing is published", async (answer) => {
    const folder = siteFolder();
    const { exit, stderr } = await ask(folder, answer);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/answers 500\.\n\nIs this the first time\? \(y\/N\) /);
    expect(stderr).toContain("--first");
    expect(contentsOf(folder)).toEqual(SITE);
  });

  test.for(["y\n", "YES\n"])("%j: it is published for the first time", async (answer) => {
    const folder = siteFolder();
    expect(await ask(folder, answer)).toMatchObject({ exit: 0 });
    expect(contentsOf(folder)).toHaveProperty(["resourcelist.xml"]);
  });

  test.for(["--json", "--quiet"])("%s: nobody is asked", async (option) => {
    const outcome = await ask(siteFolder(), "y\n", option);
    expect(outcome.exit).toBe(1);
    expect(outcome.stderr).not.toContain("(y/N)");
  });

  async function ask(folder: string, answer: string, ...more: readonly string[]) {
    vi.stubEnv("XDG_CACHE_HOME", folderOf({}));
    const terminal = new Terminal();
    terminal.stdin.write(answer);
    const outcome = await terminal.run([folder, "--url", await host(always(500)), ...more]);
    return { ...outcome, stderr: stripVTControlCharacters(outcome.stderr) };
  }
});

/** Two collections with a page outside them, at a time that snapshots can hold. */
function site(): string {
  return folderOf({
    "index.html": page("Home"),
    "404.html": page("Not found"),
    "moss/index.html": page("The Moss Shrine"),
    "moss/how-to-look-at-moss-without-getting-wet-knees.html": page(
      "How to look at moss without getting wet knees · The Moss Shrine",
    ),
    "gallery/détail-été.html": page("Détail, été"),
    "gallery/窓.html": page("小さな窓"),
  });
}

function edit(folder: string): void {
  write(folder, {
    "moss/index.html": page("The Moss Shrine", "The Moss Shrine<p>A new page"),
    "moss/how-to-look-at-moss-without-getting-wet-knees.html": page(
      "How to look at moss without getting wet knees · The Moss Shrine",
      undefined,
      "By foot",
    ),
    "gallery/last-bus.html": page("The last bus"),
    "gallery/窓.html": page("小さな窓", "小さな窓<p>大きな窓"),
  });
  rmSync(join(folder, "gallery/détail-été.html"));
}

/** What a run prints in the folder's parent, without colours and random names. */
async function published(folder: string, ...more: readonly string[]): Promise<string> {
  vi.spyOn(process, "cwd").mockReturnValue(dirname(folder));
  const time = more.includes("--now") ? [] : ["--now", "2026-10-05T18:30:00Z"];
  const args = [folder, ...SET_UP, ...GALLERY, ...time, ...more];
  const { exit, stdout, stderr } = await new Terminal().run(args);
  // A slow machine also shows progress there.
  expect(exit, stderr).toBe(0);
  const plain = stripVTControlCharacters(stdout).replaceAll(basename(folder), "made-by-hand");
  return plain.replaceAll(/ +[\d,]+ bytes/g, "  … bytes");
}

function longestLine(text: string): number {
  return Math.max(...text.split("\n").map((line) => line.length));
}
