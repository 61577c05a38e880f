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

const astroOptions = adapterOptions.extend({
  sourceFiles: sourceFilesOption<SourcedPage>(),
  customPages: z.custom<string[]>(isListOfText, { error: "a list of addresses" }).default([]),
});

function isListOfText(given: unknown): boolean {
  return Array.isArray(given) && given.every((one) => typeof one === "string");
}

/** The options of the integration; see the README for each. */
export interface AstroOptions extends input<typeof astroOptions> {
  /** Names the source files of a page, its own first, by paths relative to the project's root. */
  readonly sourceFiles?: SourceFilesOption<SourcedPage> | undefined;
}

/** The options with their defaults. */
export type AstroSettings = output<typeof astroOptions>;

/** @throws {OptionError} naming the option, what was given and what is allowed */
export function parseAstroOptions(given: unknown): AstroSettings {
  return parseAdapterOptions(astroOptions, given);
}
