import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../core/test/support/site.ts";
import {
  adapterOptions,
  askSourceFiles,
  joinSourceFiles,
  object,
  sourceFilesOption,
} from "../src/index.ts";
import { parseAdapterOptions } from "../src/options.ts";

const PAGE = { url: "https://example.org/moss/" };

let project: string;

beforeEach(() => {
  project = temporaryFolder();
  mkdirSync(join(project, "notes"));
  for (const file of ["a.md", "notes/b.md"]) writeFileSync(join(project, file), "");
});

test.each<[unknown, readonly string[] | undefined]>([
  ["a.md", ["a.md"]],
  ["./notes/../a.md", ["a.md"]],
  [
    ["notes/b.md", "a.md"],
    ["notes/b.md", "a.md"],
  ],
  [[], []],
  [undefined, undefined],
])("an author who gives %j names %j", (given, expected) => {
  const option = optionOf(() => given);
  const files = expected?.map((file) => join(project, file));
  expect(askSourceFiles(option, PAGE, project)).toEqual(files);
});

test("an absolute path is taken as it is", () => {
  const file = join(project, "a.md");
  expect(
    askSourceFiles(
      optionOf(() => file),
      PAGE,
      "/elsewhere",
    ),
  ).toEqual([file]);
});

test("without the option, nothing is named", () => {
  expect(askSourceFiles(undefined, PAGE, project)).toBe(undefined);
});

test.each<[string, () => unknown, string]>([
  ["null", () => null, "it gave null. It must give a path, a list of paths, or nothing."],
  ["a list of something else", () => [1], "it gave [1]. It must give a path"],
  ["a path that is none", () => "c.md", 'it named "c.md", and there is no such file below'],
  [
    "a promise",
    async () => Promise.reject(new Error("later")),
    "it gave a promise. It must give paths at once",
  ],
  ["an error", () => [].join.call(null), "it threw"],
])("%s is refused with the page's URL and the cure", (_, give, problem) => {
  expect(() => askSourceFiles(optionOf(give), PAGE, project)).toThrow(
    expect.objectContaining({
      code: "SOURCE_FILES",
      message: expect.stringContaining(`The option sourceFiles failed for ${PAGE.url}: ${problem}`),
    }),
  );
});

test("what the author names comes first, each file once", () =>
  fc.assert(
    fc.property(paths(), paths(), (named, known) => {
      const files = joinSourceFiles(named, known);
      if (named.length === 0) expect(files).toEqual([]);
      else expect(new Set(files)).toEqual(new Set([...named, ...known]));
      expect(files[0]).toBe(named[0]);
      expect(new Set(files).size).toBe(files.length);
      expect(joinSourceFiles(undefined, known)).toBe(known);
    }),
  ));

function paths() {
  return fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 3 });
}

/** The option as a plugin parses it: authors' code has no types. */
function optionOf(give: () => unknown) {
  const schema = object({
    ...adapterOptions.entries,
    sourceFiles: sourceFilesOption<typeof PAGE>(),
  });
  return parseAdapterOptions(schema, { sourceFiles: give }).sourceFiles;
}
