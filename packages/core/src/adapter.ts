/** What `@rs-emit/adapter` needs of core, besides `emit`. */

export { anyOf, fileRules, isPage } from "./inventory/candidates.ts";
export { byDepth } from "./inventory/sort-out.ts";
export { walk } from "./inventory/walk.ts";
export { parseSiteUrl } from "./model/address.ts";
export type { Annotation, Builder } from "./model/builder.ts";
export { deepestFirst, parseCollections } from "./model/collections.ts";
export { OptionError, UrlError } from "./model/errors.ts";
export {
  beginsAsOurs,
  CAPABILITY_LIST,
  isDocumentName,
  SOURCE_DESCRIPTION,
} from "./model/layout.ts";
export { optionError } from "./model/option-error.ts";
export {
  collectionOptionNames,
  flag,
  parseNow,
  parseOptions,
  type Settings,
  siteOptions,
} from "./model/options.ts";
export { ownDocuments } from "./model/own-documents.ts";
export type { Collection } from "./model/types.ts";
export { isBelow, urlOf, withoutSlash } from "./model/url.ts";
export * as z from "./model/zod.ts";
export { SiteUnreachableError } from "./recall/site-errors.ts";
