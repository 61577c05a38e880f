import { describe, expect, test } from "vitest";
import { parseOptions, siteUrl } from "../src/options.ts";
import { page } from "./support/template.ts";
import { VERSIONS, Workspace } from "./support/workspace.ts";

describe("a wrong option is named, with what was given and what is allowed", () => {
  test.each<[unknown, ...string[]]>([
    [{ url: "example.org" }, "option url", '"example.org"', "https://example.com/"],
    [{ url: 7 }, "option url", "7", "text"],
    [{ url: "https://moss.example/?x" }, "option url", "without ?"],
    [{ url: "https://moss.example//" }, "option url", '"https://moss.example//"', "//"],
    [{ movedFrom: "old" }, "option movedFrom", '"old"', "https://example.com/"],
    [{ uri: "https://moss.example/" }, '"uri" is not known', "url", "sourceFiles", "link"],
    [{ folder: "_site" }, '"folder" is not known'],
    [{ link: "yes" }, "option link", '"yes"', "true or false"],
    [{ period: "week" }, "option period", '"week"', "year, month, day"],
    [{ collections: ["a/", "a"] }, "option collections", "each path once"],
    [{ collections: [{ path: "a/", name: "A" }] }, "name"],
    [{ sourceFiles: ["a.md"] }, "option sourceFiles", '["a.md"]', "a function"],
    ["https://moss.example/", "an object"],
  ])("%j", (given, ...words) => {
    let message = "";
    try {
      parseOptions(given);
    } catch (error) {
      message = error instanceof Error ? error.message : "";
    }
    for (const word of words) expect(message).toContain(word);
  });
});

test.each<[option: string | undefined, prefix: string | undefined, expected: string | undefined]>([
  ["https://moss.example", undefined, "https://moss.example/"],
  ["https://moss.example", "/", "https://moss.example/"],
  ["https://moss.example/", "/garden/", "https://moss.example/garden/"],
  ["https://moss.example/garden", "/garden/", "https://moss.example/garden/"],
  ["https://moss.example/garden/", "garden", "https://moss.example/garden/"],
  ["https://moss.example/my/", "/garden/north", "https://moss.example/my/garden/north/"],
  ["https://garden/", "/garden/", "https://garden/garden/"],
  ["https://moss.example/", "/größe/", "https://moss.example/gr%C3%B6%C3%9Fe/"],
  ["https://moss.example/gr%C3%B6%C3%9Fe/", "/größe/", "https://moss.example/gr%C3%B6%C3%9Fe/"],
  [undefined, "/garden/", "https://netlify.example/garden/"],
])("the site's address: %s with the path prefix %s is %s", (option, prefix, expected) => {
  const variables = { CONTEXT: "production", URL: "https://netlify.example" };
  expect(siteUrl(option, prefix, variables)).toBe(expected);
});

test("Netlify's address is taken for its production only", () => {
  const URL = "https://netlify.example";
  expect(siteUrl(undefined, "/", { CONTEXT: "deploy-preview", URL })).toBeUndefined();
  expect(siteUrl(undefined, "/", { URL })).toBeUndefined();
});

/** Hosts that say they build a preview. */
const PREVIEWS = {
  3: { NETLIFY: "true", CONTEXT: "deploy-preview", URL: "https://netlify.example" },
  4: { CF_PAGES: "1", CF_PAGES_BRANCH: "side" },
} as const;

test.concurrent.each(VERSIONS)(
  "Eleventy %i: what stops a build says why, and nothing else",
  async (version) => {
    using workspace = new Workspace(version);
    workspace.site.write("index.md", "Home").commit(1_700_000_000);
    const build = async (options: string, variables = {}, ...args: string[]) => {
      workspace.configure(options);
      const { code, out, err } = await workspace.eleventy(args, variables);
      return { code, said: out + err, isPublished: workspace.isPublished() };
    };

    const wrong = await build("{ url: 'https://moss.example/', perod: 'day' }");
    expect(wrong).toMatchObject({ code: 1, isPublished: false });
    expect(wrong.said).toContain(
      'The option "perod" is not known. Did you mean period? There are: url,',
    );
    expect(wrong.said.match(/perod/g)).toHaveLength(1);
    expect(wrong.said).not.toContain("    at ");

    const missing = await build("{ previous: 'none' }");
    expect(missing).toMatchObject({ code: 1, isPublished: false });
    expect(missing.said).toContain(
      'eleventyConfig.addPlugin(rsEmit, { url: "https://example.com/" });',
    );
    expect(missing.said).not.toContain("    at ");
    expect(await build("{ previous: 'none' }", {}, "--to=json")).toMatchObject({ code: 0 });

    const preview = await build("{ previous: 'none' }", PREVIEWS[version]);
    expect(preview).toMatchObject({ code: 0, isPublished: false });
    expect(preview.said).toMatch(
      /\[rs-emit\] A preview build on \w+.*: no change log is published/,
    );

    const failed = await build("{ url: 'https://moss.example/', previous: 'gone' }");
    expect(failed).toMatchObject({ code: 1, isPublished: false });
    expect(failed.said).toMatch(/gone.*\(via rs-emit\)/);
    expect(failed.said.match(/There is no folder/g)).toHaveLength(1);
    expect(failed.said).not.toContain("--previous");
    expect(failed.said).not.toContain("    at ");

    workspace.site.write("shy.md", page({ resourcesync: "no" }, "Shy"));
    const shy = await build("{ url: 'https://moss.example/', previous: 'output' }");
    expect(shy).toMatchObject({ code: 1, isPublished: false });
    expect(shy.said).toMatch(/\.\/shy\.md has resourcesync: "no".*It must be false/);
    workspace.site.remove("shy.md").remove("_site/shy");

    const typo =
      "{ url: 'https://moss.example/', previous: 'output', sourceFiles: () => 'typo.txt' }";
    expect((await build(typo)).said).toMatch(/sourceFiles failed for \/: it named "typo\.txt"/);

    const dry = await build("{ url: 'https://moss.example/', previous: 'output', dryRun: true }");
    expect(dry).toMatchObject({ code: 0, isPublished: false });
    expect(dry.said).toContain("[rs-emit] A dry run");

    const netlify = { NETLIFY: "true", CONTEXT: "production", URL: "https://netlify.example" };
    const published = await build("{ previous: 'output' }", netlify);
    expect(published).toMatchObject({ code: 0, isPublished: true });
    expect(published.said).toContain("the change log of https://netlify.example/ is written");

    const quiet = await build("{ previous: 'output' }", netlify, "--quiet");
    expect(quiet.said).not.toContain("rs-emit");
  },
);
