/** The parts of Eleventy 3 and 4 that this plugin uses; Eleventy 3 has no types. */

export interface EleventyConfig {
  readonly dataFilterSelectors: Set<string>;
  readonly events: {
    removeListener(name: string, listener: (event: AfterEvent) => Promise<void>): unknown;
  };
  readonly logger: EleventyLogger;
  readonly pathPrefix?: string;
  readonly quietMode: boolean;
  addAsyncFilter(
    name: string,
    filter: (this: Context, url?: unknown) => Promise<string | undefined>,
  ): void;
  addFilter(name: string, filter: (this: Context, url?: unknown) => string): void;
  addTransform(name: string, transform: (this: Context, content: unknown) => unknown): void;
  addShortcode(name: string, shortcode: (this: Context) => string): void;
  on<Name extends keyof Events>(
    name: Name,
    listener: (event: Events[Name]) => Promise<void> | void,
  ): unknown;
  setEventEmitterMode(mode: "sequential"): void;
  versionCheck(range: string): void;
}

export interface Events {
  "eleventy.config": TemplateConfig;
  "eleventy.before": BuildEvent;
  "eleventy.contentMap": ContentMap;
  "buildawesome.contentmap": ContentMap;
  "eleventy.passthrough": PassthroughEvent;
  "eleventy.after": AfterEvent;
  "buildawesome.after": AfterEvent;
}

export interface BuildEvent {
  readonly directories: Directories;
  readonly runMode: "build" | "serve" | "watch";
  readonly outputMode: string;
  readonly incremental: boolean;
}

export interface AfterEvent extends BuildEvent {
  readonly results: readonly BuildResult[];
}

export interface BuildResult {
  readonly inputPath: string;
  readonly outputPath: string;
  readonly url: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface Directories {
  readonly output: string;
}

interface ContentMap {
  /** By URL; `false` for pages that are not written. */
  readonly urlToInputPath: Readonly<Record<string, unknown>>;
}

interface PassthroughEvent {
  /** Source files by escaped path in the output folder, which begins with a slash. */
  readonly map: Readonly<Record<string, string>>;
}

export interface Context {
  readonly page?: { readonly url?: string | false; readonly outputPath?: string | false };
}

export interface EleventyLogger {
  logWithOptions(line: {
    message: string;
    prefix: string;
    type?: "log" | "warn";
    color?: "blue" | "yellow";
    force?: boolean;
  }): void;
}

export interface TemplateConfig {
  readonly templateFormats: {
    getAllTemplateFormats(): readonly string[];
    getTemplateFormats(): readonly string[];
  };
}
