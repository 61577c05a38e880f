import {
  adapterOptions,
  parseAdapterOptions,
  type SourceFilesOption,
  sourceFilesOption,
  z,
} from "@rs-emit/adapter";
import type { input, output } from "zod";

/** A page, as the option `sourceFiles` is asked about it. */
export interface SourcedPage {
  readonly url: string;
  /** Its file below the output folder. */
  readonly file: string;
  /** The pattern of its route, such as `/blog/[...slug]`. */
  readonly pattern: string;
}

/** The schema of the options; the README lists them from it. */
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

/** The options of the integration; see the README for each. */
export interface AstroOptions extends input<typeof pluginOptions> {
  /** Names the source files of a page, its own first, by paths relative to the project's root. */
  readonly sourceFiles?: SourceFilesOption<SourcedPage> | undefined;
}

/** The options with their defaults. */
export type AstroSettings = output<typeof pluginOptions>;

/** @throws {OptionError} naming the option, what was given and what is allowed */
export function parseAstroOptions(given: unknown): AstroSettings {
  return parseAdapterOptions(pluginOptions, given);
}
