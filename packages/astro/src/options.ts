import {
  type AdapterOptions,
  adapterOptions,
  object,
  optional,
  parseAdapterOptions,
  type SourceFilesOption,
  sourceFilesOption,
  text,
  withDefault,
} from "@rs-emit/adapter";
import * as v from "valibot";

/** The argument of the option `sourceFiles`. */
export interface AstroPage {
  readonly url: string;
  readonly file: string;
  /** The pattern of its route, such as `/blog/[...slug]`. */
  readonly pattern: string;
}

/** docs/options.md is generated from it. */
export const pluginOptions = object({
  ...adapterOptions.entries,
  url: optional(text, { words: "the site's address; Astro's `site` and `base` unless given" }),
  sourceFiles: sourceFilesOption<AstroPage>(),
  customPages: withDefault(v.custom<string[]>(isListOfText, "a list of addresses"), [], {
    words: "addresses of pages that a server makes",
  }),
});

function isListOfText(given: unknown): boolean {
  return Array.isArray(given) && given.every((one) => typeof one === "string");
}

/** The options of the integration; the README describes each. */
export interface AstroOptions extends AdapterOptions {
  /** The source files of a page, its own first: paths relative to the project's root. */
  readonly sourceFiles?: SourceFilesOption<AstroPage> | undefined;
  /** Addresses of pages that a server makes. */
  readonly customPages?: string[] | undefined;
}

export type AstroSettings = ReturnType<typeof parseAstroOptions>;

/** @throws {EmitError} `OPTION` names the option, its value and what is allowed */
export function parseAstroOptions(given: unknown) {
  return parseAdapterOptions(pluginOptions, given);
}
