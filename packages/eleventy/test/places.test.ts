import { cpSync, existsSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { logOf } from "../../core/test/support/site.ts";
import { page } from "./support/template.ts";
import { VERSIONS, Workspace } from "./support/workspace.ts";

const OPTIONS = "{ url: 'https://moss.example/', previous: 'output' }";

test.concurrent.each(VERSIONS)(
  "Eleventy %i: a site in a subfolder, with folders and a path prefix of its own",
  async (version) => {
    using workspace = new Workspace(version);
    const { site } = workspace;
    site
      .write("web/package.json", '{ "type": "module" }')
      .write(
        "web/eleventy.config.js",
        `import { HtmlBasePlugin } from "@11ty/eleventy";
      import rsEmit from "@rs-emit/eleventy";
      export default function (eleventyConfig) {
        eleventyConfig.addPlugin(HtmlBasePlugin);
        eleventyConfig.addPlugin(rsEmit, ${OPTIONS});
        eleventyConfig.addPassthroughCopy("../shared/public");
        eleventyConfig.addPassthroughCopy({ "pages/copied": "as-it-is" });
        eleventyConfig.ignores.add("pages/copied/**");
        return { dir: { input: "pages", output: "../out/public", includes: "../layouts" }, pathPrefix: "/web/" };
      }`,
      )
      .write(".gitignore", "out\n")
      .write("web/layouts/base.liquid", "<main>{{ content }}</main>")
      .write(
        "web/pages/pages.json",
        JSON.stringify({ layout: "base.liquid", permalink: "{{ page.filePathStem }}.html" }),
      )
      .write("web/pages/index.md", page({ permalink: "/" }, "Home"))
      .write("web/pages/linked.liquid", "<head>{% resourcesync %}</head>")
      .write("web/pages/one.md", "One")
      .write("web/pages/deep/two.md", "Two")
      .write("web/pages/copied/c.html", "<body><main>C</main>")
      .write("elsewhere/three.md", "Not of this site")
      .commit(1_700_000_000);
    site
      .write("web/pages/deep/two.md", "Two, edited")
      .write("web/pages/copied/c.html", "<body><main>See</main>");
    site.write("elsewhere/three.md", "Still not of this site").commit(1_700_000_060);
    const { code, out, err } = await workspace.eleventy([], {}, site.path("web"));
    expect(code, out + err).toBe(0);
    expect(logOf(site.path("out/public"), "https://moss.example/web/")).toEqual([
      "2023-11-14T22:13:20Z created /",
      "2023-11-14T22:13:20Z created /as-it-is/c.html",
      "2023-11-14T22:13:20Z created /deep/two.html",
      "2023-11-14T22:13:20Z created /linked.html",
      "2023-11-14T22:13:20Z created /one.html",
      "2023-11-14T22:14:20Z updated /as-it-is/c.html",
      "2023-11-14T22:14:20Z updated /deep/two.html",
    ]);
    expect(readFileSync(site.path("out/public/linked.html"), "utf8")).toContain(
      '<link rel="resourcesync" href="https://moss.example/web/capabilitylist.xml">',
    );
  },
);

test.concurrent("a shallow clone is no place to begin in, and one to go on in", async () => {
  using workspace = new Workspace().configure(OPTIONS);
  const { site } = workspace;
  site.write("one.md", "One").commit(1_700_000_000);
  site.write("two.md", "Two").commit(1_700_000_060);
  const clone = workspace.path("clone");
  site.git("clone", "--quiet", "--depth=1", `file://${site.root}`, clone);

  const begun = await workspace.eleventy([], {}, clone);
  expect(begun.code).toBe(1);
  expect(begun.err).toContain("fetch-depth: 0");
  expect(existsSync(workspace.path("clone/_site/changelist.xml"))).toBe(false);

  expect(await workspace.eleventy()).toMatchObject({ code: 0 });
  rmSync(workspace.path("clone/_site"), { recursive: true });
  cpSync(site.path("_site"), workspace.path("clone/_site"), { recursive: true });
  workspace.write("clone/one.md", "One, edited");
  const continued = await workspace.eleventy([], {}, clone);
  expect(continued.out).toContain("updated  /one/");
});

test.concurrent("without git, pages are as old as their sources", async () => {
  using workspace = new Workspace().configure(
    OPTIONS,
    'eleventyConfig.addPassthroughCopy("static"); eleventyConfig.ignores.add("static/**");',
  );
  const { site } = workspace;
  rmSync(site.path(".git"), { recursive: true });
  const layout = "<main>{{ content }}</main>";
  site
    .write("_includes/base.liquid", layout)
    .write("static/copied.html", "<body><main>Copied</main>");
  site.write("written.md", page({ layout: "base.liquid" }, "Written"));
  utimesSync(site.path("_includes/base.liquid"), 1_700_000_120, 1_700_000_120);
  utimesSync(site.path("written.md"), 1_700_000_000, 1_700_000_000);
  utimesSync(site.path("static/copied.html"), 1_700_000_060, 1_700_000_060);
  const { code, out, err } = await workspace.eleventy();
  expect(code, out + err).toBe(0);
  expect(logOf(site.path("_site"), "https://moss.example/")).toEqual([
    "2023-11-14T22:13:20Z created /written/",
    "2023-11-14T22:14:20Z created /static/copied.html",
  ]);
});

test.concurrent("the output folder may be named on the command line, and lie anywhere", async () => {
  using workspace = new Workspace().configure(OPTIONS);
  workspace.site.write("pages/one.md", "One").write("notes/two.md", "Two").commit(1_700_000_000);
  const output = workspace.path("elsewhere");
  for (const to of [output, "../elsewhere"]) {
    const { code, out, err } = await workspace.eleventy(["--input=pages", `--output=${to}`]);
    expect(code, out + err).toBe(0);
    expect(logOf(output, "https://moss.example/")).toEqual(["2023-11-14T22:13:20Z created /one/"]);
  }
});
