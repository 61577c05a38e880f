/** Texts that the command and the plugins share. */
export {
  count,
  list,
  numeral,
  plural,
  printable,
  printableJson,
  printableLines,
} from "@rs-emit/documents";
export {
  dayOf,
  OWN_ENTRIES as FEED_ENTRIES,
  type OwnEntries as FeedEntries,
  quoteLink,
} from "@rs-emit/feeds";
export { missingFolder } from "../inventory/errors.ts";
export {
  CAPABILITY_LIST,
  CHANGE_LIST_INDEX,
  INDEX_NOW_KEY,
  keyFileName,
  RESOURCE_LIST,
  SOURCE_DESCRIPTION,
} from "../model/layout.ts";
export { similarName } from "../model/sentence.ts";
export * from "../model/site-builders.ts";
export { GROUPS_OF_RUNS, type OptionFlag, type OptionGroup } from "../options/option.ts";
export { SITE_FLAGS, SITE_OPTION_NAMES } from "../options/site-options.ts";
export { pullCommand } from "../recall/errors.ts";
export { byInterest, COLOURS, changeRows, type Look } from "./change-rows.ts";
export { columnsOf, cutTo, padTo, wrap, wrapLine } from "./columns.ts";

export * from "./phrases.ts";
