import {
  adapterOptions,
  parseAdapterOptions,
  type SourceFilesOption,
  sourceFilesOption,
  z,
} from "@rs-emit/adapter";
import type { input, output } from "zod";

/** The argument of the option `sourceFiles`. */
export interface SourcedPage {
  readonly url: string;
  readonly file: string;
  /** The pattern of its route, such as `/blog/[...slug]`. */
  readonly pattern: string;
}

/** The README's table of options is generated from it. */
export const pluginOptions = adapterOptions.extend({
  url: adapterOptions.shape.url.describe(
    "the site's address; Astro's `site` and `base` unless given",
  ),
  sourceFiles: sourceFilesOption<SourcedPage>(),
  customPages: z
    .custom<string[]>(isListOfText, { error: "a list of addresses" })
    .default([])
    .describe("addresses of pages that a server makes"),
});

function isListOfText(given: unknown): boolean {
  return Array.isArray(given) && given.every((one) => typeof one === "string");
}

/** The options of the integration; the README describes each. */
export interface AstroOptions extends input<typeof pluginOptions> {
  /** Names the source files of a page, its own first, by paths relative to the project's root. */
  readonly sourceFiles?: SourceFilesOption<SourcedPage> | undefined;
}

export type AstroSettings = output<typeof pluginOptions>;

/** @throws {OptionError} naming the option, what was given and what is allowed */
export function parseAstroOptions(given: unknown): AstroSettings {
  return parseAdapterOptions(pluginOptions, given);
}
