/**
 * What plugins for site builders share. A plugin says which file is which page and what its source
 * files are; everything else is here and in core.
 */
export { EmitError, type EmitResult } from "@rs-emit/core";
export {
  type Annotation,
  anyOf,
  type Builder,
  isPage,
  OptionError,
  parseCollections,
  parseSiteUrl,
  SOURCE_DESCRIPTION,
  urlOf,
  withoutSlash,
  z,
} from "@rs-emit/core/adapter";
export { inConfigWords } from "./errors.ts";
export { capabilityListOf, resourceSyncLink } from "./link.ts";
export {
  type AdapterOptions,
  type AdapterSettings,
  adapterOptions,
  parseAdapterOptions,
} from "./options.ts";
export { previewBuild, type Variables } from "./preview.ts";
export { type Build, type Logger, publishBuild } from "./publish.ts";
export { putAside } from "./put-aside.ts";
export {
  askSourceFiles,
  joinSourceFiles,
  type SourceFilesOption,
  sourceFilesOption,
} from "./source-files.ts";
