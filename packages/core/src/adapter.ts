/** What `@rs-emit/adapter` needs of core, besides `emit`. */

export { type FillPage, publishedPages } from "./fill-page.ts";
export { anyOf, isPage } from "./inventory/file-rules.ts";
export { walk } from "./inventory/walk.ts";
export { type Collection, deepestFirst, parseCollections } from "./model/collections.ts";
export type { Annotation, Builder } from "./model/environment.ts";
export { isEmitError, optionError } from "./model/errors.ts";
export { pathBelow } from "./model/file-system.ts";
export {
  beginsAsOurs,
  CAPABILITY_LIST,
  documentName,
  isDocumentName,
  isOfResourceDump,
  SOURCE_DESCRIPTION,
} from "./model/layout.ts";
export { asInCode, mention, type Spell, sentence } from "./model/sentence.ts";
export { parseSiteUrl } from "./model/site-address.ts";
export { isBelow, urlOf, withoutSlash } from "./model/url.ts";
export {
  type OptionInfo,
  object,
  oneOf,
  optional,
  optionsError,
  text,
  withDefault,
} from "./options/option.ts";
export { parseNow } from "./options/settings.ts";
export { siteOptions } from "./options/site-options.ts";
export { type LastChanged, publishedDates } from "./published-dates.ts";
export { isSiteUnclear } from "./recall/previous-publication.ts";
export { hasNoLogFile, leaveNoLogFile } from "./write/no-log-file.ts";
export { NOTIFIED } from "./write/notified.ts";
