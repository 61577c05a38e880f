import type { EmitOptions } from "@rs-emit/core";

export type { CollectionOption, EmitOptions } from "@rs-emit/core";

/** What a config file may contain: any option of a run. */
export type Config = Partial<EmitOptions>;

/** Types a config file: `export default defineConfig({ url: "https://example.org/" })`. */
export function defineConfig(config: Config): Config {
  return config;
}
