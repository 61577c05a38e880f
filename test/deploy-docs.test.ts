import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { Neocities } from "./hosts/neocities.ts";
import { GitHubPages } from "./hosts/pages.ts";
import type { PublishingWorkflow as Workflow } from "./support/documented.ts";
import { writeNpx } from "./support/steps.ts";

const DOCS = resolve(import.meta.dirname, "../docs/deploy");
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-docs-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

const PAGE =
  '<!doctype html><link rel="resourcesync" href="/capabilitylist.xml"><title>Moss</title><main>';

/** The blocks of a page in a language, as they stand there. */
function blocks(page: string, language: string): string[] {
  const text = readFileSync(join(DOCS, page), "utf8");
  const pattern = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs");
  return [...text.matchAll(pattern)].map(([, block = ""]) => block);
}

/** A place with a site in it; `npx` runs the command of this repository. */
function workplace(): string {
  const place = mkdtempSync(join(ROOT, "place-"));
  mkdirSync(join(place, "site"));
  for (const name of ["index", "moss"])
    writeFileSync(join(place, "site", `${name}.html`), `${PAGE}${name}`);
  writeNpx(join(place, "tools"));
  return place;
}

/** Runs commands as they are pasted; the first that fails ends them. */
async function run(place: string, script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const path = `${join(place, "tools")}:${process.env.PATH}`;
  const git = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_SYSTEM: devNull };
  const people = {
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "a@example.org",
  };
  const options = { cwd: place, env: { PATH: path, HOME: place, ...git, ...people, ...env } };
  const { stdout } = await promisify(execFile)("bash", ["-ec", script], options);
  return stdout;
}

const NOTHING_WRONG = /Nothing is wrong\.\n$/;

describe("docs/deploy: what is written there works", () => {
  test("neocities.md: from a machine, and after edits in the browser", async () => {
    await using site = await new Neocities().start();
    site.now = () => Date.now() / 1000 - 3600;
    const place = workplace();
    const here = (script: string) =>
      script
        // What rs-emit does by itself for this host's names.
        .replaceAll(/--url \S+/g, "$& --clean-urls")
        .replaceAll("https://example.neocities.org/", site.url)
        .replaceAll("neocities example", `neocities ${site.url}`)
        .replaceAll("API_KEY=…", `API_KEY=${site.key}`);
    const env = { NEOCITIES_API_URL: site.api, NEOCITIES_API_KEY: site.key };
    const [machine = "", browser = ""] = blocks("neocities.md", "sh");
    expect(await run(place, here(machine), env)).toMatch(NOTHING_WRONG);
    site.edit("moss.html", `${PAGE}edited in the browser`);
    await run(place, here(browser), env);
    const [workflow = ""] = blocks("neocities.md", "yaml");
    const { jobs, concurrency }: Workflow = parse(workflow);
    expect(concurrency["cancel-in-progress"]).toBe(false);
    const commands = jobs.publish.steps.flatMap((step) => step.run ?? []);
    expect(commands.length).toBe(3);
    expect(await run(place, here(commands.join("\n")), env)).not.toContain("::");
    const log = await run(place, `npx --yes rs-emit@0 log ${site.url}`);
    expect(log.match(/updated/g)).toHaveLength(1);
  });

  test("codeberg.md: a branch is the memory", async () => {
    await using site = await new GitHubPages().start();
    const place = workplace();
    const bare = join(place, "pages.git");
    execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=pages", bare]);
    await run(
      place,
      `git clone --quiet ${bare} first && cp site/* first/ && git -C first checkout --quiet -b pages && git -C first add -A && git -C first commit --quiet -m Pages && git -C first push --quiet origin pages && rm -r site`,
    );
    const [script = ""] = blocks("codeberg.md", "sh");
    const [publish = "", check = ""] = script
      .replaceAll("https://you.codeberg.page/", site.url)
      .replaceAll("git@codeberg.org:you/pages.git", bare)
      .split(/(?=npx rs-emit check)/);
    await run(place, publish);
    await run(place, `git clone --quiet --branch pages ${bare} served && rm -rf served/.git`);
    site.deploy(join(place, "served"), true);
    expect(await run(place, check)).toMatch(NOTHING_WRONG);
  });

  test.skipIf(!has("rsync"))("rsync.md", async () => {
    await using site = await new GitHubPages().start();
    const place = workplace();
    const [script = ""] = blocks("rsync.md", "sh");
    const served = join(place, "served");
    const [publish = "", check = ""] = script
      .replaceAll("https://example.org/", site.url)
      .replaceAll("you@example.org:/var/www/site/", `${served}/`)
      .split(/(?=npx rs-emit check)/);
    await run(place, publish);
    site.deploy(served, true);
    expect(await run(place, check)).toMatch(NOTHING_WRONG);
  });

  test("the workflows of the examples are deployed one at a time, with what a deploy must keep", () => {
    for (const example of ["handmade", "eleventy", "astro"]) {
      const file = join(DOCS, "../../examples", example, "github-pages.yml");
      const { concurrency, jobs }: Workflow = parse(readFileSync(file, "utf8"));
      expect(concurrency["cancel-in-progress"]).toBe(false);
      const { steps } = jobs.publish;
      const uses = steps.flatMap((step) => step.uses ?? []).join(" ");
      expect(uses).toMatch(/upload-pages-artifact.*deploy-pages.*actions\/after@v/);
      const artifact = steps.find((step) => step.uses?.includes("upload-pages-artifact"));
      expect(artifact?.with?.["include-hidden-files"]).toBe(true);
    }
  });
});

function has(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
