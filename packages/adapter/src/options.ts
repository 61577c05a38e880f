import { EmitError, type EmitOptions } from "@rs-emit/core";
import {
  asInCode,
  object,
  oneOf,
  optional,
  optionError,
  optionsError,
  parseCollections,
  parseNow,
  parseSiteUrl,
  type Spell,
  siteOptions,
} from "@rs-emit/core/adapter";
import * as v from "valibot";
import { ON_UNREACHABLE } from "./unreachable.ts";

/** The builder knows these; a note is for one publication only. */
const NOT_FOR_PLUGINS = ["anyFolder", "folder", "note", "sourceFolder", "sourceMap"] as const;

const ofPlugins = object({
  onUnreachable: optional(oneOf(ON_UNREACHABLE), {
    words:
      "where the live site does not show what was published: `warn` goes on without a log, and `fail` does not",
  }),
  productionBranch: optional(v.string("the name of a branch"), {
    words:
      "the branch that Cloudflare Pages deploys as the site itself; `main`, `master` or `production` unless given",
  }),
});

/** Every option of all plugins, each in one row. A plugin adds its own options. */
export const adapterOptions = object({
  ...v.omit(siteOptions, NOT_FOR_PLUGINS).entries,
  ...ofPlugins.entries,
});

export const inConfig: Spell = (mention) =>
  NOT_FOR_PLUGINS.some((name) => name === mention.option) ? undefined : asInCode(mention);

export interface AdapterOptions
  extends Omit<EmitOptions, (typeof NOT_FOR_PLUGINS)[number]>,
    v.InferInput<typeof ofPlugins> {}

export type AdapterSettings = v.InferOutput<typeof adapterOptions>;

/**
 * Called before a long build.
 * @throws {EmitError} `OPTION` names the option, its value and what is allowed
 */
export function parseAdapterOptions<Options extends v.GenericSchema<unknown, AdapterSettings>>(
  options: Options,
  given: unknown,
): v.InferOutput<Options> {
  const parsed = v.safeParse(options, given ?? {});
  if (!parsed.success) throw optionsError(parsed.issues, given);
  const { collections, movedFrom, now, url } = parsed.output;
  requireAddress("url", url);
  requireAddress("movedFrom", movedFrom);
  parseCollections(SOME_SITE, collections, {});
  parseNow(now);
  return parsed.output;
}

const SOME_SITE = "https://example.com/";

function requireAddress(option: string, given: string | undefined): void {
  if (given === undefined) return;
  try {
    parseSiteUrl(option, given);
  } catch (error) {
    if (!(error instanceof EmitError) || error.code === "OPTION") throw error;
    throw optionError(option, given, `an address in full, such as "${SOME_SITE}"`);
  }
}
