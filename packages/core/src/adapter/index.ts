/**
 * What adapters for site builders share. An adapter names the pages and their sources; everything
 * else is core's.
 */
export type {
  Annotation,
  Builder,
  Facts,
  Making,
  MakingPage,
  SourceRole,
  SourceRules,
} from "../builder.ts";
export { EmitError, OptionError } from "../errors.ts";
export { isPage } from "../inventory/candidates.ts";
export type { EmitResult } from "../result.ts";
export { parseSiteUrl } from "../site/address.ts";
export { parseCollections } from "../site/collections.ts";
export { urlOf, withoutSlash } from "../site/url.ts";
export { frontMatter } from "./front-matter.ts";
export { capabilityListOf, resourceSyncLink } from "./link.ts";
export {
  type AdapterOptions,
  type AdapterSettings,
  adapterOptions,
  functionOption,
  parseAdapterOptions,
} from "./options.ts";
export { previewBuild } from "./preview.ts";
export { type Build, publishBuild, type Voice } from "./publish.ts";
export { putAside } from "./put-aside.ts";
export { inConfigWords } from "./wording.ts";
