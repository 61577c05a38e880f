export { EmitError, type EmitResult } from "@rs-emit/core";
export type { FillPage } from "@rs-emit/core/adapter";
export {
  type Annotation,
  anyOf,
  type Builder,
  isEmitError,
  isPage,
  mention,
  type OptionInfo,
  object,
  optional,
  optionError,
  parseCollections,
  parseSiteUrl,
  pathBelow,
  SOURCE_DESCRIPTION,
  sentence,
  text,
  urlOf,
  withDefault,
  withoutSlash,
} from "@rs-emit/core/adapter";
export { backUp } from "./backup.ts";
export { fillAsPublished } from "./development.ts";
export { capabilityListOf, resourceSyncLink } from "./link.ts";
export {
  type AdapterOptions,
  type AdapterSettings,
  adapterOptions,
  inConfig,
  parseAdapterOptions,
} from "./options.ts";
export { previewBuild, type Variables } from "./preview.ts";
export { type Build, type Logger, publishBuild } from "./publish.ts";
export {
  askSourceFiles,
  joinSourceFiles,
  type SourceFilesOption,
  sourceFilesOption,
} from "./source-files.ts";
