/** The parts of Eleventy, 3 and 4, that this plugin uses. Eleventy 3 has no types of its own. */

/** What a config function is given: Eleventy's `UserConfig`. */
export interface EleventyConfig {
  /** Names of data that results of a build carry. */
  readonly dataFilterSelectors: Set<string>;
  readonly events: {
    removeListener(name: string, listener: (event: AfterEvent) => Promise<void>): unknown;
  };
  readonly logger: Logger;
  /** The folder of the host that the site is deployed in. */
  readonly pathPrefix?: string;
  readonly quietMode: boolean;
  addFilter(name: string, filter: (this: Context, url?: unknown) => string): void;
  addShortcode(name: string, shortcode: (this: Context) => string): void;
  getFilter(name: string): ((value: string) => unknown) | undefined;
  on<Name extends keyof Events>(
    name: Name,
    listener: (event: Events[Name]) => Promise<void> | void,
  ): unknown;
  setEventEmitterMode(mode: "sequential"): void;
  /** Throws where Eleventy is another. */
  versionCheck(range: string): void;
}

/** The events of a build, in order. */
export interface Events {
  "eleventy.config": TemplateConfig;
  "eleventy.extensionmap": ExtensionMap;
  "eleventy.ignores": readonly string[];
  "eleventy.before": BuildEvent;
  "eleventy.contentMap": ContentMap;
  "buildawesome.contentmap": ContentMap;
  "eleventy.passthrough": PassthroughEvent;
  "eleventy.after": AfterEvent;
  "buildawesome.after": AfterEvent;
}

/** A build that begins. Folders are relative to the project's. */
export interface BuildEvent {
  readonly directories: Directories;
  readonly runMode: "build" | "serve" | "watch";
  readonly outputMode: string;
  readonly incremental: boolean;
}

/** A build that has ended. */
export interface AfterEvent extends BuildEvent {
  /** The templates that were written. */
  readonly results: readonly BuildResult[];
}

/** A page that a template was written to. */
export interface BuildResult {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly url: string;
  /** What `dataFilterSelectors` names. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Where everything lies, relative to the project's folder. */
export interface Directories {
  readonly input: string;
  /** Where the input is one file. */
  readonly inputFile?: string | undefined;
  /** Where it is a pattern. */
  readonly inputGlob?: string | undefined;
  readonly output: string;
  readonly data: string;
  readonly includes: string;
  readonly layouts?: string | undefined;
}

/** Every page that there would be, written or not. */
interface ContentMap {
  /** By URL; what is not written has the URL `false`. */
  readonly urlToInputPath: Readonly<Record<string, unknown>>;
}

/** The files that were copied. */
interface PassthroughEvent {
  /** Source by the escaped path in the output folder, which begins with a slash. */
  readonly map: Readonly<Record<string, string>>;
}

/** What filters and shortcodes are called on. */
export interface Context {
  readonly page?: { readonly url?: string | false };
}

export interface Logger {
  logWithOptions(line: {
    message: string;
    prefix: string;
    type?: "log" | "warn";
    color?: "blue" | "yellow";
    /** Also in quiet mode. */
    force?: boolean;
  }): void;
}

/** The configuration as Eleventy has put it together. */
export interface TemplateConfig {
  getConfig(): EleventySettings;
  readonly templateFormats: {
    /** Those of the configuration. */
    getAllTemplateFormats(): readonly string[];
    /** Those of this build. */
    getTemplateFormats(): readonly string[];
  };
}

/** What the configuration says of templates, data and copies. */
export interface EleventySettings {
  readonly dataExtensions: ReadonlyMap<
    string,
    { readonly parser: (text: string, file: string) => unknown }
  >;
  /** The name of every folder's data files, where it is not the folder's. */
  readonly dataFileDirBaseNameOverride: string | false;
  readonly dataFileSuffixes: readonly string[];
  readonly dynamicPermalinks: boolean;
  readonly extensionMap: Iterable<{
    readonly extension: string;
    /** The language; another than the extension for an alias. */
    readonly key: string;
    readonly outputFileExtension?: string;
  }>;
  readonly frontMatterParsingOptions?: {
    readonly delimiters?: unknown;
    /** That of front matter which names none. */
    readonly language?: string;
    readonly engines?: Readonly<Record<string, unknown>>;
  };
  readonly globalData: Readonly<Record<string, unknown>>;
  readonly htmlTemplateEngine: string | false;
  readonly layoutAliases?: Readonly<Record<string, unknown>>;
  readonly markdownTemplateEngine: string | false;
  /** By source. */
  readonly passthroughCopies: Readonly<Record<string, { readonly outputPath: string | true }>>;
  readonly preprocessors: Readonly<Record<string, Preprocessor>>;
}

/** Sees every template's data and contents first, and may leave it out. */
interface Preprocessor {
  readonly filter: string | readonly string[];
  readonly callback: (
    this: { readonly inputPath: string },
    data: Record<string, unknown>,
    content: unknown,
  ) => unknown;
}

/** Which files are templates. */
export interface ExtensionMap {
  /** The language of a template, by its path; `undefined` for what is none. */
  getKey(path: string): string | undefined;
  removeTemplateExtension(name: string): string;
}
