export { EmitError } from "@rs-emit/core";
export type { FillPage, LastChanged } from "@rs-emit/core/adapter";
export {
  type Annotation,
  anyOf,
  type Builder,
  isEmitError,
  isPage,
  object,
  optional,
  optionError,
  parseCollections,
  parseSiteUrl,
  pathBelow,
  SOURCE_DESCRIPTION,
  text,
  urlOf,
  withDefault,
  withoutSlash,
} from "@rs-emit/core/adapter";
export { backUp } from "./backup.ts";
export { capabilityListOf, resourceSyncLink } from "./link.ts";
export {
  type AdapterOptions,
  adapterOptions,
  inConfig,
  parseAdapterOptions,
} from "./options.ts";
export { previewBuild } from "./preview.ts";
export { type Logger, publishBuild } from "./publish.ts";
export { fillAsPublished, lastChangedAsPublished } from "./published.ts";
export * from "./source-files.ts";
