/**
 * The example site as its author lives with it: eight commits, the first publication, and three
 * edits with a publication after each. What is shown comes from the command itself.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { dirname, join, relative } from "node:path";
import { styleText } from "node:util";

/** A commit of the time before rs-emit, and the pages it brought. */
interface Beginning {
  readonly when: string;
  readonly message: string;
  readonly pages: readonly string[];
}

/** An edit of `edits.json`, with a publication after it. */
interface Edit {
  readonly when: string;
  readonly message: string;
  readonly why: string;
  readonly write: Readonly<Record<string, Writing>>;
  readonly delete: readonly string[];
}

/** A page, or some words of one and what takes their place. */
type Writing = { readonly content: string } | { readonly replace: readonly [string, string] };

const ROOT = join(import.meta.dirname, "..");
const COMMAND = join(ROOT, "packages/cli/bin/rs-emit.js");
const EXAMPLE = join(ROOT, "examples/handmade");
const DEMO = join(ROOT, ".tmp/demo");
const SITE = join(DEMO, "site");

const BEGINNINGS: readonly Beginning[] = [
  {
    when: "2026-08-02T17:20:00Z",
    message: "A page of my own, and two windows",
    pages: ["index", "about", "404", "gallery/index", "gallery/snow-day", "gallery/détail-été"],
  },
  {
    when: "2026-08-09T18:05:00Z",
    message: "A shrine for the wall behind the shoe shop",
    pages: ["moss-shrine/index", "moss-shrine/four-on-one-wall", "moss-shrine/how-to-look"],
  },
  {
    when: "2026-08-23T16:40:00Z",
    message: "A board, and how it falls",
    pages: ["split-flap-shrine/index", "split-flap-shrine/how-it-falls"],
  },
  {
    when: "2026-08-30T20:15:00Z",
    message: "What the board sounded like",
    pages: ["split-flap-shrine/the-sound"],
  },
  {
    when: "2026-09-06T17:30:00Z",
    message: "Where boards still turn",
    pages: ["split-flap-shrine/still-turning"],
  },
  { when: "2026-09-13T19:00:00Z", message: "Hang the night bus", pages: ["gallery/night-bus"] },
  {
    when: "2026-09-20T18:45:00Z",
    message: "The first real rain: a diary for the wall",
    pages: ["moss-shrine/wall-diary"],
  },
  { when: "2026-09-27T17:10:00Z", message: "Hang the kitchen", pages: ["gallery/kitchen-october"] },
];

play();

function play(): void {
  rmSync(DEMO, { recursive: true, force: true });
  mkdirSync(SITE, { recursive: true });
  cpSync(join(EXAMPLE, "rs-emit.config.json"), join(DEMO, "rs-emit.config.json"));
  git(["init", "--quiet", "--initial-branch=main"]);
  buildUp();
  announce(
    "The first publication",
    "Two shrines and a gallery, made by hand in eight commits since August. Git knows when each page " +
      "was made and edited, so the log begins there.",
  );
  publish();
  for (const edit of readEdits()) {
    apply(edit);
    commit(edit);
    announce(day(edit.when), `“${edit.message}” ${edit.why}`);
    publish("--now", edit.when);
  }
  announce("Once more, with nothing edited", "Every byte stays as it was.");
  publish();
  showWhereToLook();
}

/** The site as it grew, commit by commit. */
function buildUp(): void {
  const files = readdirSync(join(EXAMPLE, "site"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(join(EXAMPLE, "site"), join(parentPath, name)));
  const standing = new Set(files.filter((file) => !file.endsWith(".html")));
  for (const beginning of BEGINNINGS) {
    const isLast = beginning === BEGINNINGS.at(-1);
    const arriving = isLast ? files : beginning.pages.map((page) => `${page}.html`);
    for (const file of arriving) standing.add(file);
    for (const file of standing) {
      const original = readFileSync(join(EXAMPLE, "site", file), "utf8");
      write(file, withoutMissing(original, dirname(file), standing));
    }
    commit(beginning);
  }
}

/** Leaves out what lists a page of the same folder that is not there yet. */
function withoutMissing(html: string, folder: string, standing: ReadonlySet<string>): string {
  return html.replaceAll(/^ *<(li|tr)>(?:(?!<\/\1>)[\s\S])*<\/\1>\n/gm, (item) => {
    const page = /href="([^"/]+\.html)"/.exec(item)?.[1];
    const isMissing = page !== undefined && !standing.has(join(folder, decodeURIComponent(page)));
    return isMissing ? "" : item;
  });
}

function readEdits(): readonly Edit[] {
  return JSON.parse(readFileSync(join(EXAMPLE, "edits.json"), "utf8"));
}

function apply(edit: Edit): void {
  for (const [file, writing] of Object.entries(edit.write)) {
    write(file, "content" in writing ? writing.content : replaced(file, writing.replace));
  }
  for (const file of edit.delete) rmSync(join(SITE, file));
}

function replaced(file: string, [before, after]: readonly [string, string]): string {
  const html = readFileSync(join(SITE, file), "utf8");
  if (!html.includes(before)) throw new Error(`${file} does not say what edits.json replaces`);
  return html.replace(before, () => after);
}

function write(file: string, contents: string): void {
  mkdirSync(dirname(join(SITE, file)), { recursive: true });
  writeFileSync(join(SITE, file), contents);
}

function commit({ when, message }: Pick<Edit, "when" | "message">): void {
  git(["add", "--all"]);
  git(["commit", "--quiet", "--message", message], when);
}

/** Git as on a machine where nobody configured anything. */
function git(args: readonly string[], when = ""): void {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const author = { name: "Ines Harrow", email: "ines@handmade.example" };
  const env = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_SYSTEM: devNull,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_AUTHOR_DATE: when,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
    GIT_COMMITTER_DATE: when,
  };
  execFileSync("git", args, { cwd: DEMO, env });
}

/** Runs the command as its author would: the config names the folder and the URL. */
function publish(...more: readonly string[]): void {
  const args = ["--previous", "output", ...more];
  say(`${styleText("dim", "$")} npx rs-emit ${args.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, [COMMAND, ...args], {
    cwd: DEMO,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

function announce(title: string, about: string): void {
  say(`\n\n${styleText("bold", `── ${title} ${"─".repeat(Math.max(0, 75 - title.length))}`)}`);
  say(`${about.replaceAll(/(.{1,78})(?: |$)/g, "$1\n")}`);
}

function showWhereToLook(): void {
  announce("Where to look", `In ${relative(process.cwd(), SITE)}, which stays there:`);
  for (const [file, about] of [
    [".well-known/resourcesync", "where followers begin"],
    ["moss-shrine/changelist.xml", "the log of a collection, by month"],
    ["moss-shrine/changelist-2026-10.xml", "one month: created, updated, deleted"],
    ["moss-shrine/resourcelist.xml", "every page as it is now"],
  ] as const) {
    say(`  ${file.padEnd(36)}${styleText("dim", about)}`);
  }
  say("");
}

function day(datetime: string): string {
  return new Date(datetime).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
