import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { backfill } from "@rs-emit/core/backfill";
import { expect, test } from "vitest";
import { createRepository, type TestRepository } from "../packages/core/test/support/repository.ts";
import { expectNoFindings, logOf } from "../packages/core/test/support/site.ts";
import { isTidy, projectOf } from "./backfill/author.ts";
import { type Publication, readHtml, trueLog } from "./backfill/truth.ts";
import { filesIn, QUICK_DISK } from "./model/documents.ts";
import { isThorough, RELEASE_ALONE } from "./thorough.ts";

const SITE = "https://moss.example/";
const BEGINNING = 1_700_000_000;
const PACKAGES = join(import.meta.dirname, "../packages");
const environment = { clock: () => BEGINNING + 10_000, fileSystem: QUICK_DISK };

/** Links an installed package into a project. */
function install({ root }: TestRepository, name: string, from: string): void {
  const link = join(root, "node_modules", name);
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(join(PACKAGES, from, "node_modules", name), link);
}

/** What each commit builds to, each in a clone of its own. */
function buildEach(
  repository: TestRepository,
  output: string,
  build: string,
  links: (clone: TestRepository) => void,
): Publication[] {
  const line = repository.git("log", "--first-parent", "--reverse", "--format=%H %ct").split("\n");
  return line.map((commit) => {
    const [id = "", time] = commit.split(" ");
    using clone = repository.clone("--no-checkout");
    clone.git("checkout", "--quiet", "--detach", id);
    links(clone);
    const { status, stderr } = spawnSync(build, { cwd: clone.root, shell: true, encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const pages = filesIn(clone.path(output)).filter((file) => file.endsWith(".html"));
    const site = pages.map((file) => {
      const text = readFileSync(clone.path(output, file), "utf8");
      return [file.replace(/(^|\/)index\.html$/, "$1"), readHtml(text)] as const;
    });
    return { time: Number(time), site: new Map(site) };
  });
}

function post(title: string, text: string): string {
  return `---\ntitle: ${title}\nlayout: base.html\n---\n${text}\n`;
}

test("a site of Eleventy, whose layout and permalinks changed", async () => {
  using repository = createRepository();
  const config = (dir: string) => `module.exports = () => ({ dir: { input: "${dir}" } });\n`;
  const layout = (menu: string) =>
    `<html><head><title>{{ title }}</title></head><body><nav>${menu}</nav><main>{{ content }}</main></body></html>`;
  repository
    .write(".gitignore", "_site\nnode_modules\n")
    .write(".eleventy.js", config("src"))
    .write("src/_includes/base.html", layout("Menu"))
    .write("src/index.md", post("Home", "Welcome"))
    .write("src/notes/moss.md", post("Moss", "Soft"))
    .commit(BEGINNING);
  repository.write("src/_includes/base.html", layout("New menu")).commit(BEGINNING + 10);
  repository.write("src/notes/notes.json", '{ "permalink": "/n/{{ page.fileSlug }}/" }');
  repository.write("src/notes/stone.md", post("Stone", "Hard")).commit(BEGINNING + 20);
  repository.git("mv", "src", "content");
  repository.write(".eleventy.js", config("content")).commit(BEGINNING + 30);
  const links = (project: TestRepository) => install(project, "@11ty/eleventy", "eleventy");
  links(repository);
  const build = "node node_modules/@11ty/eleventy/cmd.cjs --quiet";
  const truth = trueLog(buildEach(repository, "_site", build, links), BEGINNING + 10_000);
  const before = projectOf(repository);
  const options = {
    folder: repository.path("_site"),
    url: SITE,
    previous: "output",
    news: "content",
  } as const;
  await backfill(options, { build, project: repository.root }, environment);
  expect(logOf(options.folder, SITE)).toEqual(truth);
  expect(truth).toContain("2023-11-14T22:13:40Z deleted /notes/moss/");
  expectNoFindings(options.folder, SITE);
  expect(projectOf(repository, (file) => file.startsWith("_site/"))).toEqual(before);
});

test.skipIf(!isThorough)(
  `content collections of Astro, four builds at a time${RELEASE_ALONE}`,
  async () => {
    using repository = createRepository();
    const entry = (title: string, text: string) => `---\ntitle: ${title}\n---\n${text}\n`;
    repository
      .write(".gitignore", "dist\nnode_modules\n.astro\n")
      .write("package.json", '{ "type": "module" }')
      .write("astro.config.mjs", 'export default { site: "https://moss.example" };\n')
      .write("src/content.config.ts", CONTENT)
      .write("src/pages/index.astro", LIST)
      .write("src/pages/posts/[id].astro", POST)
      .write("src/content/posts/one.md", entry("One", "First"))
      .write("src/content/posts/two.md", entry("Two", "Second"))
      .commit(BEGINNING);
    repository.write("src/content/posts/one.md", entry("One", "Edited"));
    repository.remove("src/content/posts/two.md").commit(BEGINNING + 30);
    const links = (project: TestRepository) => install(project, "astro", "astro");
    links(repository);
    const build = "ASTRO_TELEMETRY_DISABLED=1 node node_modules/astro/bin/astro.mjs build";
    const truth = trueLog(buildEach(repository, "dist", build, links), BEGINNING + 10_000);
    const before = projectOf(repository);
    const options = {
      folder: repository.path("dist"),
      url: SITE,
      previous: "output",
      news: "content",
    } as const;
    await backfill(options, { build, project: repository.root, jobs: 4 }, environment);
    expect(logOf(options.folder, SITE)).toEqual(truth);
    expect(truth).toContain("2023-11-14T22:13:50Z deleted /posts/two/");
    expect(projectOf(repository, (file) => file.startsWith("dist/"))).toEqual(before);
    expect(isTidy(repository)).toBe(true);
  },
);

const CONTENT = `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = {
  posts: defineCollection({ loader: glob({ pattern: "*.md", base: "./src/content/posts" }) }),
};
`;

const LIST = `---
import { getCollection } from "astro:content";
const titles = (await getCollection("posts")).map(({ data }) => data.title).sort();
---
<html><head><title>Home</title></head><body><nav>Menu</nav><main>{titles.join(", ")}</main></body></html>
`;

const POST = `---
import { getCollection, render } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("posts")).map((post) => ({ params: { id: post.id }, props: { post } }));
}
const { Content } = await render(Astro.props.post);
---
<html><head><title>{Astro.props.post.data.title}</title></head><body><nav>Menu</nav><main><Content /></main></body></html>
`;
