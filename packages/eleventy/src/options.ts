import {
  type AdapterOptions,
  adapterOptions,
  functionOption,
  parseAdapterOptions,
} from "@rs-emit/core/adapter";

/** A page, as the option `sources` is asked about it. */
export interface SourcedPage {
  /** Its URL as templates know it: without the path prefix. */
  readonly url: string;
  /** Its template, relative to the project's folder. */
  readonly inputPath: string;
  /** Its file, relative to the project's folder. */
  readonly outputPath: string;
  /** What `eleventyConfig.dataFilterSelectors` names of its data. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** What an author may say to the plugin: the options of `rs-emit`, and one more. */
export interface RsEmitOptions extends AdapterOptions {
  /**
   * The other files that a page is made from, relative to the project's folder. One that makes no
   * other page dates it: an entry's own data file, say.
   */
  readonly sources?: ((page: SourcedPage) => readonly string[] | undefined) | undefined;
}

const schema = adapterOptions.extend({
  sources: functionOption<NonNullable<RsEmitOptions["sources"]>>(
    "a function that gives the paths of the files a page is made from",
  ),
});

/** The options, with their defaults. */
export type Settings = ReturnType<typeof parseOptions>;

/**
 * Checks the options before anything is built.
 *
 * @throws {OptionError} naming the option, what was given and what is allowed
 */
export function parseOptions(given: unknown) {
  return parseAdapterOptions(schema, given);
}
