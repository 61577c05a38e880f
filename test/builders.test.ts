import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { GitHubPages } from "./hosts/pages.ts";
import type { PublishingWorkflow as Workflow } from "./support/documented.ts";
import { Project } from "./support/project.ts";
import { sample } from "./thorough.ts";

const PAGE = readFileSync(resolve(import.meta.dirname, "../docs/builders.md"), "utf8");
const ROOT = mkdtempSync(join(tmpdir(), "rs-emit-builders-"));
afterAll(() => rmSync(ROOT, { recursive: true, force: true, maxRetries: 3 }));

const HUGO_LAYOUT =
  "<!doctype html><title>{{ .Title }}</title><main><h1>{{ .Title }}</h1>{{ .Content }}</main>";
const JEKYLL_LAYOUT =
  "<!doctype html><title>{{ page.title }}</title><main><h1>{{ page.title }}</h1>{{ content }}</main>";

/** A section's blocks in a language. */
function blocks(section: string, language: string): string[] {
  const text = PAGE.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  const pattern = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs");
  return [...text.matchAll(pattern)].map(([, block = ""]) => block);
}

/** Publishes twice, with an edit between, as the page says; gives the log, newest first. */
async function publishTwice(
  project: Project,
  section: string,
  output: string,
  edited: Readonly<Record<string, string>>,
  host: GitHubPages,
): Promise<string[]> {
  const [script = ""] = blocks(section, "sh");
  const commands = script.replaceAll("https://example.com/", host.url);
  await project.run(commands);
  host.deploy(join(project.folder, output), true);
  project.write(edited);
  project.commit("2026-03-01T00:00:00Z");
  rmSync(join(project.folder, output), { recursive: true });
  await project.run(commands);
  return (await project.run(`npx rs-emit log ${output}`)).trim().split("\n");
}

describe("docs/builders.md: what is written there works", () => {
  test.skipIf(!has("hugo"))("Hugo (skipped where it is not installed)", async () => {
    await using host = await new GitHubPages().start();
    const project = new Project(ROOT, "public\nresources\n.hugo_build.lock\nfiles.csv\n");
    const moss = "---\ntitle: Cushion mosses\nurl: /green/\n---\n";
    project.write({
      "config.toml": `baseURL = "${host.url}"\ntitle = "Moss"\ndisableKinds = ["taxonomy", "term", "section"]\n`,
      "layouts/_default/single.html": HUGO_LAYOUT,
      "layouts/index.html": HUGO_LAYOUT,
      "content/_index.md": "---\ntitle: The garden\n---\nHome.\n",
      "content/notes/moss.md": `${moss}Soft.\n`,
    });
    project.commit("2026-02-01T00:00:00Z");
    const edited = { "content/notes/moss.md": `${moss}Soft.\n\nGreen in winter.\n` };
    const [update, ...past] = await publishTwice(project, "Hugo", "public", edited, host);
    expect(update).toMatch(/ updated Cushion mosses – New: “Green in winter.”$/);
    expect(past.toSorted()).toEqual([
      "2026-02-01 created Cushion mosses",
      "2026-02-01 created Home page",
    ]);
  });

  test.skipIf(!has("jekyll"))("Jekyll (skipped where it is not installed)", async () => {
    await using host = await new GitHubPages().start();
    const project = new Project(ROOT, "_site\n.jekyll-cache\n");
    const [list = ""] = blocks("Jekyll", "liquid");
    const home = "---\nlayout: page\ntitle: The garden\n---\n";
    project.write({
      "_config.yml": `url: ${host.url}\ncollections:\n  trees:\n    output: true\n`,
      "_layouts/page.html": JEKYLL_LAYOUT,
      "files.csv": list,
      "_trees/elm, old.md": "---\nlayout: page\ntitle: Elms\n---\nTall.\n",
      "_posts/2026-01-30-moss.md": "---\nlayout: page\ntitle: Cushion mosses\n---\nSoft.\n",
      "index.md": `${home}Home.\n`,
    });
    project.commit("2026-02-01T00:00:00Z");
    const edited = { "index.md": `${home}Home.\n\nMoss at home.\n` };
    const [update, ...past] = await publishTwice(project, "Jekyll", "_site", edited, host);
    expect(update).toMatch(/ updated Home page – New: “Moss at home.”$/);
    expect(past.toSorted()).toEqual([
      "2026-02-01 created Cushion mosses",
      "2026-02-01 created Elms",
      "2026-02-01 created Home page",
    ]);
  });

  test("each recipe of the table publishes", async () => {
    const recipes = [...PAGE.matchAll(/\| `(npx rs-emit (\S+) .*?)` +\|/g)];
    expect(recipes).toHaveLength(9);
    for (const [, command = "", output = ""] of sample(recipes, 3)) {
      await using host = await new GitHubPages().start();
      const project = new Project(ROOT, "");
      project.write({
        [`${output}/index.html`]: "<!doctype html><title>Home</title><main>Home</main>",
        "content/index.md": "Home",
        "docs/index.md": "Home",
        "files.csv": "permalink,path\n/,content/index.md\n",
        "_site/files.csv": "url,source\n/,content/index.md\n",
      });
      project.commit("2026-02-01T00:00:00Z");
      await project.run(command.replaceAll("https://example.com/", host.url));
      expect(await project.run(`npx rs-emit log ${output}`)).toMatch(/created Home\n$/);
    }
  });

  test.each([
    ["Hugo", "public"],
    ["Jekyll", "_site"],
  ])(
    "%s: the workflow has the lines of the section, and what a deploy must keep",
    (section, path) => {
      const [text = ""] = blocks(section, "yaml");
      const { concurrency, jobs }: Workflow = parse(text);
      expect(concurrency["cancel-in-progress"]).toBe(false);
      const { steps } = jobs.publish;
      expect(steps[0]?.with).toEqual({ "fetch-depth": 0 });
      const commands = steps
        .flatMap(({ run = [] }) => run)
        .filter((one) => !one.startsWith("sudo "));
      const plain = commands.map((one) => one.replace(/^bundle exec |(?<=^npx) --yes/, ""));
      expect(plain).toEqual(blocks(section, "sh")[0]?.trim().split("\n"));
      const artifact = steps.find(({ uses }) => uses?.includes("upload-pages-artifact"));
      expect(artifact?.with).toEqual({ path, "include-hidden-files": true });
      expect(steps.at(-1)?.uses).toContain("deploy-pages");
    },
  );

  test("each line has the feed's address written into the pages", () => {
    const runs = PAGE.match(/npx (?:--yes )?rs-emit [^`\n]*/g) ?? [];
    expect(runs.length).toBeGreaterThan(15);
    expect(runs.filter((run) => !run.includes(" --link"))).toEqual([]);
  });
});

function has(program: "hugo" | "jekyll"): boolean {
  try {
    execFileSync(program, [program === "hugo" ? "version" : "--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
