import {
  type AdapterOptions,
  adapterOptions,
  parseAdapterOptions,
  type SourceFilesOption,
  sourceFilesOption,
} from "@rs-emit/adapter";

/** A page, as the option `sourceFiles` is asked about it. */
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

/** The options of the plugin: those of `rs-emit`, and one more. */
export interface RsEmitOptions extends AdapterOptions {
  /**
   * Names the source files of a page, its own first, by paths relative to the project's folder. The
   * page's template follows them by itself.
   */
  readonly sourceFiles?: SourceFilesOption<SourcedPage> | undefined;
}

/** The schema of the options; the README lists them from it. */
export const pluginOptions = adapterOptions.extend({
  url: adapterOptions.shape.url.describe(
    "the site's address, to which the path prefix is added unless it ends with it; Netlify's own in its production builds",
  ),
  sourceFiles: sourceFilesOption<SourcedPage>(),
});

/** The options, with their defaults. */
export type Settings = ReturnType<typeof parseOptions>;

/**
 * Checks the options before anything is built.
 *
 * @throws {OptionError} naming the option, what was given and what is allowed
 */
export function parseOptions(given: unknown) {
  return parseAdapterOptions(pluginOptions, given);
}
