import {
  type AdapterOptions,
  adapterOptions,
  object,
  optional,
  parseAdapterOptions,
  parseSiteUrl,
  type SourceFilesOption,
  sourceFilesOption,
  text,
} from "@rs-emit/adapter";

export interface EleventyPage {
  /** Without the path prefix, as in templates. */
  readonly url: string;
  readonly inputPath: string;
  readonly outputPath: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The options of the plugin; the README describes each. */
export interface RsEmitOptions extends AdapterOptions {
  /** Paths relative to the project's folder, a page's own source file first. */
  readonly sourceFiles?: SourceFilesOption<EleventyPage> | undefined;
}

/** docs/options.md is generated from it. */
export const pluginOptions = object({
  ...adapterOptions.entries,
  url: optional(text, {
    words:
      "the site's address, to which the path prefix is added unless it ends with it; Netlify's own in its production builds",
  }),
  sourceFiles: sourceFilesOption<EleventyPage>(),
});

export type EleventySettings = ReturnType<typeof parseOptions>;

/** @throws {EmitError} `OPTION` names the option, its value and what is allowed */
export function parseOptions(given: unknown) {
  return parseAdapterOptions(pluginOptions, given);
}

type HostVariables = Readonly<Record<string, string | undefined>>;

/** The path prefix is added unless the address ends with it. */
export function siteUrl(
  option: string | undefined,
  pathPrefix: string | undefined,
  variables: HostVariables,
): string | undefined {
  // https://docs.netlify.com/build/configure-builds/environment-variables/
  const address = option ?? (variables.CONTEXT === "production" ? variables.URL : undefined);
  if (address === undefined) return undefined;
  const site = parseSiteUrl("url", address);
  const segments = (pathPrefix ?? "").split("/").filter((segment) => segment !== "");
  const prefix = segments.map((segment) => `${segment}/`).join("");
  const whole = parseSiteUrl("url", `${site}${prefix}`);
  return new URL(site).pathname.endsWith(`/${whole.slice(site.length)}`) ? site : whole;
}
