import {
  adapterOptions,
  functionOption,
  OptionError,
  parseAdapterOptions,
} from "@rs-emit/core/adapter";
import { z } from "zod";

/** A page whose sources an author is asked for. */
export interface PageOfSite {
  readonly url: string;
  /** Its file below the output folder. */
  readonly file: string;
  /** The pattern of its route, such as `/blog/[...slug]`. */
  readonly pattern: string;
}

/**
 * Names the files that a page is made from: one or several paths below the project's root, an empty
 * list for none, `undefined` to leave it to the integration.
 */
export type SourceOption = (page: PageOfSite) => string | readonly string[] | undefined;

const A_FUNCTION = "a function that is given a page and gives a path, a list of paths, or nothing";

const astroOptions = adapterOptions.extend({
  source: functionOption<SourceOption>(A_FUNCTION),
  customPages: z.array(z.string(), { error: "a list of addresses" }).default([]),
});

/** What an author may say to the integration; see the README for each option. */
export type AstroOptions = z.input<typeof astroOptions>;

/** The options with their defaults. */
export type AstroSettings = z.output<typeof astroOptions>;

/** @throws {OptionError} naming the option, what was given and what is allowed */
export function parseAstroOptions(given: unknown): AstroSettings {
  return parseAdapterOptions(astroOptions, given);
}

const paths = z.union([z.string().transform((path) => [path]), z.array(z.string())]).optional();

/**
 * What the option `source` says of a page.
 *
 * @throws {OptionError} when it gives something else than paths
 */
export function askSource(option: SourceOption, page: PageOfSite): readonly string[] | undefined {
  const given: unknown = option(page);
  const parsed = paths.safeParse(given);
  if (!parsed.success) throw new OptionError("source", given, A_FUNCTION);
  return parsed.data;
}
