import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { EmitError } from "@rs-emit/core";
import { mention, optional, sentence } from "@rs-emit/core/adapter";
import * as v from "valibot";

/** Paths relative to the project's folder, the page's own first; `undefined`: the plugin decides. */
export type SourceFilesOption<Page> = (page: Page) => string | readonly string[] | undefined;

const toList = v.pipe(
  v.string(),
  v.transform((path) => [path]),
);
const answers = v.optional(v.union([toList, v.array(v.string())]));

export function sourceFilesOption<Page>() {
  const schema = v.custom<SourceFilesOption<Page>>(
    (value) => typeof value === "function",
    "a function that is given a page and gives a path, a list of paths, or nothing",
  );
  return optional(schema, {
    words: "a function that is given a page and names its source files",
  });
}

/**
 * @returns absolute paths; `undefined` where the author leaves the page to the plugin
 * @throws {EmitError} `SOURCE_FILES` when the function throws, or returns anything but paths of files
 */
export function askSourceFiles<Page extends { readonly url: string }>(
  option: SourceFilesOption<Page> | undefined,
  page: Page,
  project: string,
): readonly string[] | undefined {
  if (option === undefined) return undefined;
  const given = answer(option, page);
  const { success, output: paths } = v.safeParse(answers, given);
  if (!success) {
    throw sourceFilesError(
      page.url,
      `gave ${JSON.stringify(given)}`,
      "It must give a path, a list of paths, or nothing.",
    );
  }
  return paths?.map((path) => {
    const file = resolve(project, path);
    if (existsSync(file)) return file;
    throw sourceFilesError(
      page.url,
      `named "${path}", and there is no such file below ${project}`,
      "It must name files that exist, relative to that folder.",
    );
  });
}

export function joinSourceFiles(
  named: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] {
  if (named === undefined) return known;
  return named.length === 0 ? [] : [...new Set([...named, ...known])];
}

function answer<Page extends { readonly url: string }>(
  option: SourceFilesOption<Page>,
  page: Page,
): unknown {
  let given: unknown;
  try {
    given = option(page);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw sourceFilesError(page.url, `threw "${reason}"`, "Correct the function.");
  }
  if (!(given instanceof Promise)) return given;
  // An unhandled rejection would end the process with another message.
  given.catch(() => {});
  throw sourceFilesError(page.url, "gave a promise", "It must give paths at once, not be async.");
}

/** @param fault what the function did, in the past tense */
function sourceFilesError(url: string, fault: string, cure: string): EmitError {
  return new EmitError({
    code: "SOURCE_FILES",
    problem: sentence`The option ${mention("sourceFiles")} failed for ${url}: it ${fault}.`,
    cure,
  });
}
