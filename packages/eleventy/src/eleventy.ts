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

/** The folders of the project, relative to the project's own. */
interface Directories {
  readonly output: string;
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
  readonly templateFormats: {
    /** Those of the configuration. */
    getAllTemplateFormats(): readonly string[];
    /** Those of this build. */
    getTemplateFormats(): readonly string[];
  };
}
