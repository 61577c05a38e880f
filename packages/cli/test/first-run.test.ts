import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { rsEmit } from "./support/command.ts";
import { contentsOf, folderOf, page, SITE } from "./support/folder.ts";
import { answering, Terminal } from "./support/terminal.ts";

const CONFIG = "rs-emit.config.json";
const ADDRESS = "https://moss.neocities.org/";

/** A home page that says its own address. */
const HOME = page("Home").replace("<body>", `<link rel="canonical" href="${ADDRESS}"><body>`);

const began = process.cwd();
afterEach(() => process.chdir(began));

/** Runs the command in a project, on a terminal into which the answers are typed. */
async function onTerminal(project: string, args: readonly string[], ...answers: readonly string[]) {
  process.chdir(project);
  return answering(answers, args);
}

describe("the site is found", () => {
  const CASES: readonly [what: string, files: Record<string, string>, example: string][] = [
    ["by hand", { "index.html": HOME }, `. --url ${ADDRESS}`],
    [
      "GitHub Pages",
      { "index.html": page("Home"), CNAME: "moss.garden\n" },
      ". --url https://moss.garden/",
    ],
    [
      "Jekyll",
      {
        "_config.yml": 'title: Moss\nurl: "https://moss.github.io" # here\nbaseurl: /wall\n',
        "_site/index.html": HOME,
      },
      "_site --url https://moss.github.io/wall/",
    ],
    [
      "Hugo",
      { "hugo.toml": "baseURL = 'https://moss.garden/'\n", "public/index.html": HOME },
      "public --url https://moss.garden/",
    ],
    [
      "Zola",
      { "config.toml": 'base_url = "https://moss.garden"\n', "public/index.html": HOME },
      "public --url https://moss.garden/",
    ],
    [
      "Astro, whose public folder is no output",
      {
        "package.json": "{}",
        "astro.config.mjs":
          'export default defineConfig({ site: "https://moss.garden", base: "/wall" });',
        "public/favicon.svg": "",
        "dist/index.html": page("Home"),
      },
      "dist --url https://moss.garden/wall/",
    ],
    [
      "package.json",
      { "package.json": '{ "homepage": "https://moss.garden" }', "build/index.html": page("Home") },
      "build --url https://moss.garden/",
    ],
    [
      "a code host is no site",
      {
        "package.json": '{ "homepage": "https://github.com/moss/wall" }',
        "dist/index.html": page("Home"),
      },
      "dist --url https://example.neocities.org/",
    ],
    [
      "an example is no address",
      { "hugo.toml": "baseURL = 'https://example.org/'\n", "public/index.html": HOME },
      `public --url ${ADDRESS}`,
    ],
    [
      "an unbuilt project",
      { "package.json": "{}", "index.html": HOME },
      "./dist --url https://example.neocities.org/",
    ],
  ];

  test.for(CASES)("%s: a pipe is told which options to give", async ([, files, example]) => {
    const project = folderOf(files);
    const { exit, stdout, stderr } = await rsEmit([], { cwd: project });
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    const said = stderr.replaceAll(/\s+/g, " ");
    expect(said).toContain(`rs-emit ${example}`);
    expect(said.includes("if it is right")).toBe(!said.includes("example.neocities.org"));
    expect(Object.keys(contentsOf(project)).sort()).toEqual(Object.keys(files).sort());
  });
});

describe("a published folder tells its address", () => {
  const RUN = ["--previous", "output", "--history", "files"];

  test.each([
    [["site"], "https://moss.garden/"],
    [[], "https://moss.garden/"],
    [[], "https://moss.garden/wall/"],
  ])("%j, at %s: nobody is asked, and it is said", async (folder, url) => {
    const project = folderOf({ "site/index.html": HOME, "notes.txt": "" });
    await rsEmit(["site", "--url", url, ...RUN, "--first"], { cwd: project });
    const piped = await rsEmit([...folder, ...RUN], { cwd: project });
    expect(piped).toMatchObject({
      exit: 0,
      stderr: `Folder:  site\nAddress: ${url} (as published there)\n`,
    });
    expect((await onTerminal(project, [...folder, ...RUN])).exit).toBe(0);
    const silent = await rsEmit([...folder, ...RUN, "--json"], { cwd: project });
    expect(silent.stderr).toBe("");
    expect(JSON.parse(silent.stdout)).toMatchObject({ status: "unchanged", site: url });
    expect(existsSync(join(project, CONFIG))).toBe(false);
  });
});

describe("on a terminal", () => {
  test("a yes publishes, and is remembered", async () => {
    const project = folderOf({ ...SITE, "index.html": HOME });
    const args = ["--previous", "output", "--first", "--history", "files"];
    const first = await onTerminal(project, args, "y");
    expect(first.stderr).toContain(`Address: ${ADDRESS} (from index.html)`);
    expect(first).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(join(project, CONFIG), "utf8"))).toEqual({
      folder: ".",
      url: ADDRESS,
    });
    expect(existsSync(join(project, "capabilitylist.xml"))).toBe(true);
    const second = await rsEmit(["--json", "--previous", "output"], { cwd: project });
    expect(JSON.parse(second.stdout)).toMatchObject({ status: "unchanged", site: ADDRESS });
  });

  test.each([
    [[], `npx rs-emit . --url ${ADDRESS}`],
    [["init"], `npx rs-emit init . --url ${ADDRESS}`],
  ])("anything else than yes writes nothing: %j says how to go on", async (args, command) => {
    const project = folderOf({ "index.html": HOME });
    const outcome = await onTerminal(project, args, "n");
    expect(outcome.exit).toBe(0);
    expect(outcome.stderr).toContain(`Nothing was written. When you are ready: ${command}`);
    expect(Object.keys(contentsOf(project))).toEqual(["index.html"]);
  });

  test("a dry run asks, and remembers nothing", async () => {
    const project = folderOf({ "index.html": HOME });
    const args = ["--dry-run", "--previous", "output", "--first", "--history", "files"];
    const outcome = await onTerminal(project, args, "y");
    expect(outcome).toMatchObject({ exit: 0 });
    expect(outcome.stderr).toContain("Is this your site?");
    expect(outcome.stderr).not.toContain(CONFIG);
    expect(Object.keys(contentsOf(project))).toEqual(["index.html"]);
  });

  test("a run that fails says nothing of the config that it wrote", async () => {
    const project = folderOf({ "index.html": HOME, ".well-known/resourcesync": "<mine/>" });
    const outcome = await onTerminal(project, ["--previous", "output", "--first"], "y");
    expect(outcome.exit).toBe(1);
    expect(outcome.stderr.replaceAll(/\s+/g, " ")).toMatch(/changed no page and no log\. $/);
    expect(Object.keys(contentsOf(project))).toContain(CONFIG);
  });

  test("the only folder with a home page is the site", async () => {
    const project = folderOf({ "mysite/index.html": HOME, "notes/a.txt": "" });
    const outcome = await onTerminal(project, ["init"], "y");
    expect(outcome).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(join(project, CONFIG), "utf8"))).toMatchObject({
      folder: "mysite",
    });
  });

  test("where several may be meant, or none is known, the folder is asked for until it is one", async () => {
    const project = folderOf({ "old/index.html": HOME, "website/index.html": HOME });
    const outcome = await onTerminal(project, ["init"], "websit", "./website/", "y");
    expect(outcome.stderr).toContain("There is no folder websit here.");
    expect(outcome).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(join(project, CONFIG), "utf8"))).toEqual({
      folder: "website",
      url: ADDRESS,
    });
  });

  test("an address that nothing tells is asked for, and its scheme may be left out", async () => {
    const project = folderOf({ "index.html": page("Home") });
    const outcome = await onTerminal(project, ["init"], "moss.neocities.org", "yes");
    expect(outcome).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(join(project, CONFIG), "utf8"))).toEqual({
      folder: ".",
      url: ADDRESS,
    });
  });

  test("the address is asked for until a site can be there", async () => {
    const project = folderOf({ "index.html": page("Home") });
    const typed = ["no plan", "https://example.org/", "moss.neocities.org", "y"];
    const outcome = await onTerminal(project, ["init"], ...typed);
    expect(outcome.stderr.replaceAll(/\s+/g, " ")).toMatch(
      /"no plan" has no scheme\..*Address.* for examples and tests.*Address/,
    );
    expect(outcome).toMatchObject({ exit: 0 });
    expect(JSON.parse(readFileSync(join(project, CONFIG), "utf8"))).toMatchObject({ url: ADDRESS });
  });
});

describe("rs-emit init", () => {
  test("takes what is given without a question, and never replaces a config", async () => {
    const project = folderOf({ "dist/index.html": page("Home") });
    const outcome = await rsEmit(["init", "dist", "--url", "https://moss.garden"], {
      cwd: project,
    });
    expect(outcome).toMatchObject({ exit: 0, stderr: "" });
    const config = readFileSync(join(project, CONFIG), "utf8");
    expect(JSON.parse(config)).toEqual({ folder: "dist", url: "https://moss.garden/" });
    const again = await rsEmit(["init", "dist", "--url", "https://other.garden"], { cwd: project });
    expect(again).toMatchObject({ exit: 2, stdout: "" });
    expect(readFileSync(join(project, CONFIG), "utf8")).toBe(config);
  });
});

describe("an address for examples and tests", () => {
  const ADDRESSES = [
    "https://example.org/",
    "https://www.example.com/a/",
    "http://localhost:8080/",
    "http://127.0.0.1/",
    "https://moss.test/",
  ];

  test.for(ADDRESSES)("%s is refused, unless asked for or nothing is written", async (url) => {
    const project = folderOf({
      "site/index.html": page("Home"),
      [CONFIG]: JSON.stringify({ folder: "site", url, previous: "output", first: true }),
    });
    const { main } = await import("../dist/main.js");
    process.chdir(project);
    const refused = new Terminal();
    expect(await main(["--json"], refused)).toBe(2);
    expect(JSON.parse(String(refused.stdout.read())).error.code).toBe("TEST_ADDRESS");
    expect(existsSync(join(project, "site/capabilitylist.xml"))).toBe(false);
    expect(await main(["--json", "--dry-run"], new Terminal())).toBe(0);
    expect(await main(["--json", "--test-address"], new Terminal())).toBe(0);
    expect(existsSync(join(project, "site/capabilitylist.xml"))).toBe(true);
  });
});

test("rs-emit help shows the help of the command, or of another one", async () => {
  const help = await rsEmit(["help"]);
  expect(help).toEqual(await rsEmit(["--help"]));
  expect((await rsEmit(["help", "log"])).stdout).toContain("Usage: rs-emit log");
  expect(help.stdout.match(/^ {2}rs-emit /gm)?.length).toBeGreaterThanOrEqual(6);
});

test.each([
  [["frob"], /no folder frob, and no command .*Build the site first.*rs-emit --help/],
  [
    ["chek", "https://moss.garden/"],
    /no folder chek, and no command .*Did you mean npx rs-emit check\?/,
  ],
  [["Logs"], /Did you mean npx rs-emit log\?/],
  [["help", "backfil"], /Did you mean npx rs-emit backfill\?/],
])("rs-emit %j is no command", async (args, says) => {
  const project = folderOf({ "index.html": HOME });
  const { main } = await import("../dist/main.js");
  process.chdir(project);
  const terminal = new Terminal();
  expect(await main(args, terminal)).toBe(2);
  expect(String(terminal.stderr.read()).replaceAll(/\s+/g, " ")).toMatch(says);
});

const IN_SITE = /no folder \S*site\. Is this folder the site\?.* write \. in place.* \(cd \.\.\)/;

test.each([
  [["./site"]],
  [["site"]],
  [["./site", "--url", ADDRESS]],
  [["check", "./site"]],
  [["neocities", "moss", "./site"]],
])("rs-emit %j in the site's own folder: what to do", async (args) => {
  const { stderr } = await rsEmit(args, { cwd: folderOf({ "index.html": HOME }) });
  expect(stderr.replace(", and no command of that name", "").replaceAll(/\s+/g, " ")).toMatch(
    IN_SITE,
  );
});

test("a folder with the name of no command is a folder", async () => {
  const project = folderOf({ "logs/index.html": HOME });
  const args = ["logs", "--url", ADDRESS, "--previous", "output", "--first", "--history", "files"];
  expect(await rsEmit(args, { cwd: project })).toMatchObject({ exit: 0 });
});

describe("a config that is wrong", () => {
  test("is named with the line and the column", async () => {
    const project = folderOf({
      [CONFIG]: '{\n  "folder": ".",\n  "url": "https://moss.garden/"\n  "title": "Moss"\n}',
    });
    const { exit, stderr } = await rsEmit([], { cwd: project });
    expect(exit).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("Comma expected at line 4, column 3");
  });

  test("is told which option was meant", async () => {
    const config = { folder: ".", ulr: "https://moss.garden/", colections: ["moss/"] };
    const project = folderOf({
      "index.html": HOME,
      [CONFIG]: JSON.stringify({ ...config, ulr: undefined }),
    });
    const { exit, stderr } = await rsEmit([], { cwd: project });
    expect(exit).toBe(2);
    expect(stderr).toContain("Did you mean collections?");
  });
});

test("an empty .git is named, with the option that does without", async () => {
  const project = folderOf({ "index.html": HOME, ".git/keep": "" });
  const { exit, stderr } = await rsEmit([
    project,
    "--url",
    ADDRESS,
    "--previous",
    "output",
    "--first",
  ]);
  expect(exit).toBe(1);
  expect(stderr).toContain("--history files");
});

test("two names that differ in Unicode form only are shown sign by sign", async () => {
  const project = folderOf({
    "index.html": HOME,
    "d\u00e9tail.html": HOME,
    "de\u0301tail.html": HOME,
  });
  const { stderr } = await rsEmit([project, "--url", ADDRESS, "--previous", "output", "--first"]);
  expect(stderr).toContain("de\\u{301}tail.html and d\\u{e9}tail.html");
});
