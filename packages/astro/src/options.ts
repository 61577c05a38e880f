import {
  adapterOptions,
  functionOption,
  OptionError,
  parseAdapterOptions,
} from "@rs-emit/core/adapter";
import { z } from "zod";
import { SourceOptionError } from "./errors.ts";

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
  customPages: z.custom<string[]>(isListOfText, { error: "a list of addresses" }).default([]),
});

function isListOfText(given: unknown): boolean {
  return Array.isArray(given) && given.every((one) => typeof one === "string");
}

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
 * @throws {SourceOptionError} when it throws, or gives a promise
 */
export function askSource(option: SourceOption, page: PageOfSite): readonly string[] | undefined {
  const given: unknown = answer(option, page);
  const parsed = paths.safeParse(given);
  if (!parsed.success) throw new OptionError("source", given, A_FUNCTION);
  return parsed.data;
}

function answer(option: SourceOption, page: PageOfSite): unknown {
  let given: unknown;
  try {
    given = option(page);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SourceOptionError(page.url, `broke off, saying "${reason}"`);
  }
  if (!(given instanceof Promise)) return given;
  // What becomes of it concerns nobody any more.
  given.catch(() => {});
  throw new SourceOptionError(page.url, "gave a promise; it must give paths at once, not be async");
}
