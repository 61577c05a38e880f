import { chmodSync, chownSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { rsEmit, rsEmitProcess, type Start } from "./support/command.ts";
import {
  commitAll,
  contentsOf,
  folderOf,
  git,
  page,
  SITE,
  siteFolder,
  temporaryFolder,
  write,
} from "./support/folder.ts";

const ADDRESS = ["--url", "https://example.org/"];
const OUTPUT = ["--previous", "output"];
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A run that must fail: what stands there, what is asked, and what is said about it. */
interface Case {
  readonly name: string;
  /** Makes the folder of the site. */
  readonly arrange: () => string | Promise<string>;
  readonly args: (folder: string) => readonly string[];
  /** Where it needs a process of its own. */
  readonly start?: Start;
  readonly code: string;
  readonly message: RegExp;
  readonly exit: 1 | 2;
}

/** Cases about the command line only: a site stands there, and the arguments are wrong. */
function wrong(name: string, args: readonly string[], code: string, message: RegExp): Case {
  const base = [...ADDRESS, ...OUTPUT].filter((arg, at, all) => !isGiven(arg, at, all, args));
  return {
    name,
    arrange: siteFolder,
    args: (folder) => [folder, ...base, ...args],
    code,
    message,
    exit: 2,
  };
}

/** Whether an option, or the one this value belongs to, is among the arguments. */
function isGiven(arg: string, at: number, all: readonly string[], args: readonly string[]) {
  return args.includes(arg.startsWith("--") ? arg : (all[at - 1] ?? ""));
}

const USAGE: readonly Case[] = [
  wrong(
    "an unknown option",
    ["--colection", "x"],
    "USAGE",
    /'--colection'.*Did you mean --collection/,
  ),
  wrong(
    "an option that only --help all shows",
    ["--sourcemap", "x"],
    "USAGE",
    /'--sourcemap'.*Did you mean --source-map/,
  ),
  {
    name: "a folder behind --sitemap",
    arrange: siteFolder,
    args: (folder) => ["--sitemap", folder, ...ADDRESS],
    code: "OPTION",
    message: /no name of a sitemap.*rs-emit \.\/dist --sitemap/,
    exit: 2,
  },
  wrong("no number of dumps", ["--dump-changes", "0"], "OPTION", /--dump-changes is "0".*1 to 999/),
  wrong(
    "two addresses",
    ["--url", "https://other.example/", "--url", "https://example.org/"],
    "OPTION",
    /--url has two values\. Give one of them/,
  ),
  wrong(
    "a feed and none",
    ["--feed", "news.atom", "--no-feed"],
    "OPTION",
    /--feed contradicts --no-feed/,
  ),
  wrong("an option without its value", ["--title"], "USAGE", /'--title <text>' argument missing/),
  wrong(
    "two folders",
    ["other"],
    "USAGE",
    /one folder, and 2 are named: .* other\. .*put patterns in quotes/,
  ),
  wrong("an unknown evidence", ["--history", "svn"], "OPTION", /history.*"svn".*auto, git, files/),
  wrong(
    "the address of today as that of before",
    ["--moved-from", "https://example.org"],
    "OPTION",
    /moved-from.*the address that the site had before/,
  ),
  wrong("an empty part", ["--url", "https://moss.example//"], "OPTION", /url.*without \/\//),
  wrong("a line for no sitemap", ["--robots"], "OPTION", /given with the option --sitemap/),
  {
    name: "a misspelled option of a config that gives no address",
    arrange: () => folderOf({ ...SITE, "rs-emit.config.json": '{"Url": "https://moss.example/"}' }),
    args: (folder) => [folder],
    code: "OPTION",
    message: /"Url" is not known\. Did you mean url/,
    exit: 2,
  },
  wrong("an unknown period", ["--period", "week"], "OPTION", /period.*"week".*year, month, day/),
  wrong("a time that is none", ["--now", "yesterday"], "OPTION", /now.*"yesterday".*2026-10-05T/),
  wrong(
    "a collection outside",
    ["--collection", "../x"],
    "OPTION",
    /"\.\.\/x".*folder of the site/,
  ),
  wrong(
    "one collection twice",
    ["--collection", "night", "--collection", "night/"],
    "OPTION",
    /"night\/".*each path once/,
  ),
  wrong("a selector that is none", ["--content", "p:nope("], "CONTENT_SELECTOR", /"p:nope\("/),
  wrong(
    "no such memory",
    ["--previous", "nowhere"],
    "NO_PREVIOUS",
    /no folder .*nowhere.*--previous/,
  ),
  {
    ...wrong(
      "no such source folder",
      ["--source-folder", "nowhere"],
      "NO_SOURCE_FOLDER",
      /nowhere.*--source-folder/,
    ),
    arrange: committed,
    args: (folder) => [folder, ...ADDRESS, ...OUTPUT, "--source-folder", join(folder, "nowhere")],
  },
  wrong(
    "no such source map",
    ["--source-map", "nowhere.csv"],
    "SOURCE_MAP",
    /nowhere\.csv cannot be read.*--source-map/,
  ),
  {
    ...wrong("the root as folder", [], "UNLIKELY_FOLDER", /root of the file system.*--any-folder/),
    args: () => ["/", ...ADDRESS, ...OUTPUT],
  },
  wrong("an empty URL", ["--url", ""], "URL_MISSING", /address is missing.*--url https:/),
  wrong("a URL without scheme", ["--url", "example.org"], "URL_SCHEME", /https:\/\/example\.org/),
  wrong("a URL with a port only", ["--url", "localhost:8080"], "URL_SCHEME", /no scheme/),
  wrong(
    "a URL not of the web",
    ["--url", "ftp://example.org"],
    "URL_PROTOCOL",
    /https:\/\/ or http:/,
  ),
  wrong("a URL that is none", ["--url", "https://a b/"], "URL_MALFORMED", /"https:\/\/a b\/"/),
  wrong("a URL with a query", ["--url", "https://a.example/?b"], "OPTION", /without \?, #/),
  wrong("a wrong old URL", ["--moved-from", "example.org"], "URL_SCHEME", /no scheme/),
  wrong("no such config", ["--config", "x.json"], "CONFIG_MISSING", /x\.json.*--config/),
  wrong("a config of another kind", ["--config", "x.yaml"], "CONFIG_NAME", /x\.yaml.*\.json/),
  {
    name: "no folder",
    arrange: siteFolder,
    args: () => ADDRESS,
    code: "NO_FOLDER_GIVEN",
    message: /folder of the built site is missing.*rs-emit \.\/dist/,
    exit: 2,
  },
  {
    name: "no such folder",
    arrange: siteFolder,
    args: (folder) => [join(folder, "dist"), ...ADDRESS, ...OUTPUT],
    code: "NO_FOLDER",
    message: /no folder .*dist.*Build the site first/,
    exit: 2,
  },
  {
    name: "an address where the folder is named",
    arrange: siteFolder,
    args: (folder) => ["https://moss.neocities.org/", folder],
    code: "NO_FOLDER_GIVEN",
    message: /is an address.*rs-emit \.\/dist --url https:\/\/moss\.neocities\.org\//,
    exit: 2,
  },
  {
    name: "no such folder, and no address",
    arrange: siteFolder,
    args: (folder) => [join(folder, "dist")],
    code: "NO_FOLDER",
    message: /no folder .*dist\. Build the site first/,
    exit: 2,
  },
  {
    name: "a command that is none",
    arrange: siteFolder,
    args: (folder) => ["publish", folder],
    code: "NO_FOLDER",
    message: /no folder publish, and no command of that name/,
    exit: 2,
  },
  {
    name: "a folder without a name",
    arrange: siteFolder,
    args: () => ["", ...ADDRESS],
    code: "NO_FOLDER_GIVEN",
    message: /name of the folder is empty/,
    exit: 2,
  },
  {
    name: "no URL",
    arrange: siteFolder,
    args: (folder) => [folder, ...OUTPUT],
    code: "URL_MISSING",
    message: /address is missing.*--url https:/,
    exit: 2,
  },
];

const FAILURES: readonly Case[] = [
  failure("an empty site", () => folderOf({ "style.css": "" }), "EMPTY_SITE", /no pages in/),
  failure(
    "two files with one URL",
    () => folderOf({ "d\u00e9tail.html": page("One"), "de\u0301tail.html": page("Other") }),
    "DUPLICATE_URL",
    /Two files have the URL .*--exclude/,
  ),
  {
    ...failure(
      "two files with one clean URL",
      () => folderOf({ "moss.html": page("One"), moss: "Other" }),
      "DUPLICATE_URL",
      /example\.org\/moss: moss and moss\.html/,
    ),
    args: (folder) => [folder, ...ADDRESS, ...OUTPUT, "--clean-urls", "--include", "moss"],
  },
  {
    ...failure("an unreadable file", unreadable, "UNREADABLE_FILE", /moss\.html.*--exclude/),
    ...(isRoot ? { start: { uid: NOBODY } } : {}),
  },
  failure("a shallow clone", shallowClone, "SHALLOW_CLONE", /git fetch --unshallow/),
  ...(isRoot
    ? [failure("a repository of another owner", ofAnother, "GIT_OWNER", /safe\.directory/)]
    : []),
  {
    ...failure("git missing", committed, "GIT_MISSING", /git itself is not installed/),
    start: { env: { PATH: "/nowhere" } },
  },
  {
    ...failure("no repository", siteFolder, "NO_REPOSITORY", /no git repository.*--source-folder/),
    args: (folder) => [folder, ...ADDRESS, ...OUTPUT, "--history", "git"],
  },
  failure(
    "a foreign file",
    () => folderOf({ ...SITE, "capabilitylist.xml": "<mine/>" }),
    "FOREIGN_FILE",
    /did not write capabilitylist\.xml.*--force/,
  ),
  failure("most pages gone", mostGone, "MASS_DELETE", /25 of the 30.*--allow-mass-delete/),
  failure(
    "a lost Capability List",
    lostLists,
    "LOST_DESCRIPTION",
    /capabilitylist\.xml.*Restore it/,
  ),
  failure("a damaged document", damaged, "DAMAGED_DOCUMENT", /resourcelist\.xml.*Restore it/),
  {
    ...failure(
      "another site's documents",
      published,
      "OTHER_SITE",
      /--moved-from https:\/\/example/,
    ),
    args: (folder) => [folder, "--url", "https://other.example/", ...OUTPUT],
  },
  {
    ...failure("a clock far ahead", siteFolder, "CLOCK", /more than a day after/),
    args: (folder) => [folder, ...ADDRESS, ...OUTPUT, "--now", "2999-01-01T00:00:00Z"],
  },
];

function failure(name: string, arrange: Case["arrange"], code: string, message: RegExp): Case {
  return {
    name,
    arrange,
    args: (folder) => [folder, ...ADDRESS, ...OUTPUT],
    code,
    message,
    exit: 1,
  };
}

describe.for([
  { kind: "wrong usage", cases: USAGE },
  { kind: "failures", cases: FAILURES },
])("$kind", { concurrent: true }, ({ cases }) => {
  test.for(cases)("$name", async (one) => {
    const folder = await one.arrange();
    const before = contentsOf(folder);
    const outcome = await (one.start === undefined ? rsEmit : rsEmitProcess)(
      ["--json", ...one.args(folder)],
      one.start,
    );
    expect(outcome).toMatchObject({ exit: one.exit, stderr: "" });
    const message = expect.stringMatching(one.message);
    const { error } = JSON.parse(outcome.stdout);
    expect(error).toMatchObject({ code: one.code, message });
    expect(error.message).toContain(`${error.problem} ${error.cure}`);
    expect(contentsOf(folder)).toEqual(before);
  });
});

async function published(): Promise<string> {
  const folder = siteFolder();
  expect(await rsEmit([folder, ...ADDRESS, ...OUTPUT])).toMatchObject({ exit: 0 });
  return folder;
}

async function damaged(): Promise<string> {
  const folder = await published();
  write(folder, { "resourcelist.xml": "<urlset" });
  return folder;
}

/** Without the Source Description and without what it could be rebuilt from. */
async function lostLists(): Promise<string> {
  const folder = await published();
  rmSync(join(folder, ".well-known"), { recursive: true });
  rmSync(join(folder, "capabilitylist.xml"));
  return folder;
}

async function mostGone(): Promise<string> {
  const names = Array.from({ length: 30 }, (_, number) => `page-${number}.html`);
  const folder = folderOf(Object.fromEntries(names.map((name) => [name, page(name)])));
  await rsEmit([folder, ...ADDRESS, ...OUTPUT]);
  for (const name of names.slice(5)) rmSync(join(folder, name));
  return folder;
}

function unreadable(): string {
  const folder = siteFolder();
  chmodSync(join(folder, "moss.html"), 0);
  return folder;
}

function committed(): string {
  const folder = siteFolder();
  commitAll(folder);
  return folder;
}

function ofAnother(): string {
  const folder = committed();
  for (const path of [folder, join(folder, ".git")]) chownSync(path, NOBODY, NOBODY);
  return folder;
}

function shallowClone(): string {
  const origin = committed();
  write(origin, { "moss.html": page("More moss") });
  git(origin, "commit", "--quiet", "--all", "--message", "More");
  const clone = join(temporaryFolder(), "clone");
  git(origin, "clone", "--quiet", "--depth=1", `file://${origin}`, clone);
  return clone;
}
