import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sized } from "../places.ts";
import { layout, link } from "./built-sites.ts";
import { randomNumbers } from "./random.ts";
import { beginCommit, file, repository } from "./repository.ts";
import { writer } from "./words.ts";

export const COMMITS = sized(400);
const PER_FOLDER = 100;
const BEGINNING = Date.UTC(2023, 0) / 1000;
const DAY = 86_400;

/**
 * Where a page's date comes from: nowhere, Eleventy's own `git Last Modified`, a `git log -1` for each page, or
 * rs-emit.
 */
export type Dates = "alone" | "git" | "log" | "rs-emit";

/**
 * An Eleventy site whose notes were edited in 400 commits; `<dates>.config.js` builds it into `_<dates>`. The
 * log has a change of each page, since an edit of a source alone gives no date.
 */
export async function datedSite(templates: number): Promise<string> {
  const folder = await repository(`dated-site-${templates}`, () => commits(templates));
  if (existsSync(join(folder, "node_modules"))) return folder;
  const modules = "packages/eleventy/node_modules/@11ty/eleventy";
  link(folder, { "@11ty/eleventy": modules, "@rs-emit/eleventy": "packages/eleventy" });
  const [node = "", ...args] = buildWith(folder, "rs-emit");
  for (const DRAFT of ["a draft", ""]) {
    execFileSync(node, args, { cwd: folder, env: { ...process.env, DRAFT }, stdio: "ignore" });
  }
  return folder;
}

/** The command that builds the site. */
export function buildWith(folder: string, dates: Dates): readonly string[] {
  const program = join(folder, "node_modules/@11ty/eleventy/cmd.cjs");
  return [process.execPath, program, "--quiet", `--config=${dates}.config.js`];
}

function* commits(templates: number): Generator<string> {
  const random = randomNumbers(11);
  const text = writer(12);
  const note = (at: number) => {
    const paragraphs = Array.from({ length: 12 }, () => text(60)).join("\n\n");
    return file(
      `src/notes/${Math.floor(at / PER_FOLDER)}/note-${at}.md`,
      `---\ntitle: Note ${at}\n---\n${paragraphs}\n`,
    );
  };
  yield beginCommit(BEGINNING, "Notes");
  for (const [path, contents] of Object.entries(FILES)) yield file(path, contents);
  for (let at = 0; at < templates; at++) yield note(at);
  for (let commit = 1; commit < COMMITS; commit++) {
    yield beginCommit(BEGINNING + commit * DAY, text(6));
    for (let edit = 0; edit < 3; edit++) yield note(random(templates));
  }
}

const DATE = `{% if dates == "git" %}<time>{{ page.date.toISOString() }}</time>{% endif %}
{% if dates == "log" %}<time>{{ page.inputPath | lastCommit }}</time>{% endif %}
{% if dates == "rs-emit" %}<time data-rs-emit="updated"></time>{% endif %}`;

const FILES: Readonly<Record<string, string>> = {
  ".gitignore": "_*\nnode_modules\n",
  "package.json": '{ "type": "module" }',
  "src/_includes/base.njk": layout(
    "{{ title }}",
    `{{ content | safe }}{% if draft %}<p>{{ draft }} of {{ title }}</p>{% endif %}${DATE}`,
  ),
  "src/notes/notes.json": '{ "layout": "base.njk" }',
  "alone.config.js": config("alone", ""),
  "git.config.js": config("git", 'config.addGlobalData("date", "git Last Modified");'),
  // As VitePress, Docusaurus and plugins of Jekyll ask.
  "log.config.js": config(
    "log",
    `config.addAsyncFilter("lastCommit", async (path) => {
    const { stdout } = await run("git", ["log", "-1", "--format=%cI", "--", path]);
    return stdout.trim();
  });`,
  ),
  "rs-emit.config.js": config(
    "rs-emit",
    'config.addPlugin((await import("@rs-emit/eleventy")).default, { url: "https://moss.example/", previous: "output" });',
  ),
};

function config(dates: Dates, code: string): string {
  return `import { execFile } from "node:child_process";
import { promisify } from "node:util";
const run = promisify(execFile);
export default async function (config) {
  config.addGlobalData("dates", "${dates}");
  config.addGlobalData("draft", process.env.DRAFT ?? "");
  ${code}
}
export const config = { dir: { input: "src", output: "_${dates}" } };
`;
}
