import {
  asInCode,
  collectionOptionNames,
  OptionError,
  optionError,
  parseCollections,
  parseNow,
  parseSiteUrl,
  type Spell,
  siteOptions,
  UrlError,
  z,
} from "@rs-emit/core/adapter";
import type { input, output } from "zod";
import { ON_UNREACHABLE } from "./unreachable.ts";

/** The builder knows these; a note is for one publication only. */
const NOT_FOR_PLUGINS = {
  anyFolder: true,
  folder: true,
  note: true,
  sourceFolder: true,
  sourceMap: true,
} as const;

export const adapterOptions = siteOptions.omit(NOT_FOR_PLUGINS).extend({
  onUnreachable: z
    .literal(ON_UNREACHABLE, { error: "warn or fail" })
    .optional()
    .describe(
      "where the live site does not show what was published: `warn` goes on without a log, and `fail` does not; see below",
    ),
  productionBranch: z
    .string({ error: "the name of a branch" })
    .optional()
    .describe(
      "the branch that Cloudflare Pages deploys as the site itself; `main`, `master` or `production` unless given",
    ),
});

export const inConfig: Spell = (mention) =>
  mention.option in NOT_FOR_PLUGINS ? undefined : asInCode(mention);

export type AdapterOptions = input<typeof adapterOptions>;

export type AdapterSettings = output<typeof adapterOptions>;

/**
 * Called before a long build.
 * @throws {OptionError} naming the option, what was given and what is allowed
 */
export function parseAdapterOptions<Schema extends typeof adapterOptions>(
  schema: Schema,
  given: unknown,
): output<Schema> {
  const parsed = schema.safeParse(given ?? {});
  if (!parsed.success) {
    const names = { site: Object.keys(schema.shape), collection: collectionOptionNames };
    throw optionError(parsed.error, given, names);
  }
  const { collections, movedFrom, now, url } = adapterOptions.strip().parse(parsed.data);
  requireAddress("url", url);
  requireAddress("movedFrom", movedFrom);
  parseCollections(SOME_SITE, collections, {});
  parseNow(now);
  return parsed.data;
}

const SOME_SITE = "https://example.com/";

function requireAddress(option: string, given: string | undefined): void {
  if (given === undefined) return;
  try {
    parseSiteUrl(option, given);
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    throw new OptionError(option, given, `an address in full, such as "${SOME_SITE}"`);
  }
}
