/** What `@rs-emit/adapter` needs of core, besides `emit`. */
export type { Annotation, Builder } from "./builder.ts";
export { OptionError, UrlError } from "./errors.ts";
export { anyOf, fileRules, isPage } from "./inventory/candidates.ts";
export { byDepth } from "./inventory/sort-out.ts";
export { walk } from "./inventory/walk.ts";
export { beginsAsOurs, CAPABILITY_LIST, isDocumentName, SOURCE_DESCRIPTION } from "./layout.ts";
export type { Collection } from "./model.ts";
export { optionError } from "./option-error.ts";
export {
  collectionOptionNames,
  flag,
  parseNow,
  parseOptions,
  type Settings,
  siteOptions,
} from "./options.ts";
export { ownDocuments } from "./own-documents.ts";
export { SiteUnreachableError } from "./recall/site-errors.ts";
export { parseSiteUrl } from "./site/address.ts";
export { deepestFirst, parseCollections } from "./site/collections.ts";
export { isBelow, urlOf, withoutSlash } from "./site/url.ts";
export * as z from "./zod.ts";
