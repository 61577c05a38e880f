import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { siteOptions } from "@rs-emit/core/adapter";
import { Ajv } from "ajv";
import { safeParse } from "valibot";
import { describe, expect, test } from "vitest";
import { asFlag } from "../src/flags.ts";
import { rsEmit, rsEmitProcess } from "./support/command.ts";
import { contentsOf, folderOf, SITE, write } from "./support/folder.ts";

const OPTIONS = {
  folder: "site",
  url: "https://config.example/",
  title: "By config",
  previous: "output",
};
const TEXT = JSON.stringify(OPTIONS);

const FORMATS = {
  "rs-emit.config.json": TEXT,
  "rs-emit.config.mjs": `export default ${TEXT};`,
  "rs-emit.config.js": `module.exports = ${TEXT};`,
  "rs-emit.config.ts": `import { defineConfig, type Config } from "rs-emit";
    const config: Config = ${TEXT};
    export default defineConfig(config);`,
};

/** A project: the built site in `site`, and what stands beside it. */
function project(beside: Readonly<Record<string, string>>): string {
  const site = Object.entries(SITE).map(([file, html]) => [`site/${file}`, html]);
  return folderOf({ ...Object.fromEntries(site), ...beside });
}

describe.for(Object.entries(FORMATS))("%s", { concurrent: true }, ([name, text]) => {
  test("says what the command line need not", async () => {
    const cwd = project({ [name]: text });
    const result = await resultOf([], cwd);
    expect(result).toMatchObject({ site: OPTIONS.url, folder: join(cwd, "site") });
    expect(result.collections[0].title).toBe("By config");
  });

  test("gives way to the command line", async () => {
    const cwd = project({ [name]: text });
    const args = ["--url", "https://line.example/", "--title", "By line"];
    const result = await resultOf(args, cwd);
    expect(result).toMatchObject({ site: "https://line.example/", folder: join(cwd, "site") });
    expect(result.collections[0].title).toBe("By line");
  });
});

test.for(Object.entries(FORMATS))("%s may be written in UTF-16", async ([name, text]) => {
  const cwd = project({});
  writeFileSync(join(cwd, name), `\uFEFF${text}`, "utf16le");
  const result = await resultOf([], cwd);
  expect(result.collections[0].title).toBe("By config");
});

describe("the JSON Schema of a config", () => {
  const ROOT = join(import.meta.dirname, "../../..");
  const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
  const schema = JSON.parse(read("packages/cli/config.schema.json"));
  const isValid = new Ajv().compile(schema);

  test("has each option, and says what it is for", () => {
    const { $schema: _, ...options } = schema.properties;
    expect(Object.keys(options)).toEqual(Object.keys(siteOptions.entries));
    const undescribed = Object.keys(options).filter((name) => !options[name].description);
    expect(undescribed).toEqual([]);
  });

  test("is named in a config, as the docs show it", async () => {
    const [, text = ""] =
      /```json\n(\{[^`]*"\$schema"[^`]*\})\n```/.exec(read("docs/config.md")) ?? [];
    const config = { ...JSON.parse(text), ...OPTIONS };
    expect(isValid(config)).toBe(true);
    const cwd = project({ "rs-emit.config.json": JSON.stringify(config) });
    expect((await resultOf([], cwd)).site).toBe(OPTIONS.url);
    const { exports } = JSON.parse(read("packages/cli/package.json"));
    expect(text).toContain(`rs-emit/${exports["./config.schema.json"].slice("./".length)}"`);
  });

  test.for([
    [true, {}],
    [true, { collections: ["a/", { path: "b/", title: "B" }], feed: { entries: "week" } }],
    [
      true,
      { dump: { changes: 5 }, include: "*.pdf", exclude: ["a", "b"], now: "2026-10-05T18:30:00Z" },
    ],
    [true, { hub: "https://hub.example/", sitemap: "pages.xml", cleanUrls: false }],
    [false, { titel: "Moss" }],
    [false, { collections: [{ title: "B" }] }],
    [false, { dump: { changes: 0 } }],
    [false, { link: "yes" }],
    [false, { period: "week" }],
  ] as const)("says %s of %j, as the run does", ([isAllowed, config]) => {
    expect(isValid(config)).toBe(isAllowed);
    expect(safeParse(siteOptions, { folder: ".", ...config }).success).toBe(isAllowed);
  });
});

describe("is found", { concurrent: true }, () => {
  test("beside the site, from anywhere", async () => {
    const cwd = project({ "rs-emit.config.json": TEXT });
    const result = await resultOf([join(cwd, "site")], join(cwd, ".."));
    expect(result.site).toBe(OPTIONS.url);
  });

  test("in the site", async () => {
    const cwd = project({ "site/rs-emit.config.json": JSON.stringify({ url: OPTIONS.url }) });
    const result = await resultOf(["site", "--previous", "output"], cwd);
    expect(result.site).toBe(OPTIONS.url);
  });

  test("in the working directory first, and where asked before all", async () => {
    const cwd = project({
      "rs-emit.config.json": TEXT,
      "other/rs-emit.config.json": JSON.stringify({ ...OPTIONS, url: "https://other.example/" }),
      "other/site/index.html": SITE["index.html"],
    });
    expect((await resultOf(["other/site", "--dry-run"], cwd)).site).toBe(OPTIONS.url);
    const asked = await resultOf(["--config", "other/rs-emit.config.json"], cwd);
    expect(asked).toMatchObject({
      site: "https://other.example/",
      folder: join(cwd, "other/site"),
    });
  });

  test("and its paths are its own", async () => {
    const options = { ...OPTIONS, previous: "site" };
    const cwd = project({ "deep/er/rs-emit.config.json": JSON.stringify(options) });
    write(cwd, { "deep/er/site/index.html": SITE["index.html"] });
    const args = ["--config", "deep/er/rs-emit.config.json", "--previous", "deep/er/site"];
    expect((await resultOf(args, cwd)).folder).toBe(join(cwd, "deep/er/site"));
  });
});

describe("a wrong config", { concurrent: true }, () => {
  test.for([
    ["syntax.json", "{ url: 1 }", "CONFIG_BROKEN", /SyntaxError/],
    ["syntax.mjs", "export default {", "CONFIG_BROKEN", /SyntaxError/],
    ["syntax.ts", "export default {", "CONFIG_BROKEN", /SyntaxError|ParseError/],
    ["throws.mjs", "throw new Error('no\\nwonder')", "CONFIG_BROKEN", /Error: no wonder\./],
    ["missing.mjs", "import 'not-there-at-all'", "CONFIG_BROKEN", /not-there-at-all/],
    ["empty.mjs", "export const url = 'https://a.example/'", "CONFIG_EXPORT", /export default \{/],
    ["empty.ts", "export const url = 'https://a.example/'", "CONFIG_EXPORT", /export default \{/],
    ["list.json", "[]", "CONFIG_EXPORT", /\{ "url": "https:/],
    ["unknown.json", '{ "colour": "red" }', "OPTION", /"colour"/],
    ["wrong.json", '{ "history": "svn" }', "OPTION", /The option history is "svn"/],
    ["kind.json", '{ "first": "yes" }', "OPTION", /The option first is "yes"/],
    ["url.json", '{ "url": "example.org" }', "URL_SCHEME", /no scheme/],
    ["nested.json", '{ "collections": [{ "path": "a", "titel": "A" }] }', "OPTION", /titel/],
  ] as const)("%s", async ([name, text, code, message]) => {
    const cwd = project({ [name]: text });
    const before = contentsOf(cwd);
    const args = ["site", "--config", name, "--previous", "output", "--json"];
    const address = name === "url.json" ? [] : ["--url", OPTIONS.url];
    // Vitest's loader has words of its own for a module that cannot be parsed.
    const run = name === "syntax.mjs" ? rsEmitProcess : rsEmit;
    const outcome = await run([...args, ...address], { cwd });
    expect(outcome).toMatchObject({ exit: 2, stderr: "" });
    const { error } = JSON.parse(outcome.stdout);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(error.message).toContain(`${error.problem} ${error.cure}`);
    expect(error.message).toContain(join(cwd, name));
    expect(error.message).not.toContain("\n");
    expect(contentsOf(cwd)).toEqual(before);
  });

  test("two in one folder", async () => {
    const cwd = project({ "rs-emit.config.json": TEXT, "rs-emit.config.ts": "" });
    const { exit, stderr } = await rsEmit([], { cwd });
    expect(exit).toBe(2);
    expect(stderr).toContain(join(cwd, "rs-emit.config.ts"));
    expect(stderr).toContain(join(cwd, "rs-emit.config.json"));
  });
});

async function resultOf(args: readonly string[], cwd: string) {
  const outcome = await rsEmit([...args, "--json"], { cwd });
  expect(outcome).toMatchObject({ exit: 0, stderr: "" });
  return JSON.parse(outcome.stdout);
}

test.each([
  [{ option: "cleanUrls", value: "false" }, "--no-clean-urls"],
  [{ option: "cleanUrls", value: "true" }, "--clean-urls"],
  [{ option: "collections", value: undefined }, "--collection"],
  [{ option: "previous", value: "site" }, "--previous site"],
  [{ option: "feed.file", value: undefined }, "--feed"],
  [{ option: "headers", value: "true" }, "headers: true of the config file"],
  [{ option: "links.0.rel", value: undefined }, "links.0.rel of the config file"],
  [{ option: "sourceFiles", value: undefined }, undefined],
])("the option %j is %s on the command line", (mention, flag) => {
  expect(asFlag(mention)).toBe(flag);
});

test("every option has a flag, or is said to stand in the config file", async () => {
  const { stdout: help } = await rsEmit(["--help", "all"]);
  const options = Object.keys(siteOptions.entries).filter((option) => option !== "folder");
  const flags = options.map((option) => asFlag({ option, value: undefined }) ?? "");
  expect(flags.length).toBeGreaterThan(30);
  const unknown = flags.filter((flag) => !new RegExp(`${flag}[ ,]`).test(help));
  expect(unknown).toEqual(unknown.filter((flag) => flag.endsWith(" of the config file")));
});
