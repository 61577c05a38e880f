export { bodyWithin, wholeBodyWithin } from "./body.ts";
export { escapeText, replaceIllegalCharacters } from "./characters.ts";
export {
  type Datetime,
  differ,
  durationIn,
  formatDatetime,
  isBefore,
  type Precision,
  parseDatetime,
  secondsOf,
  spanOf,
  type TimeSpan,
} from "./datetime.ts";
export { areDigests, digestsIn } from "./digests.ts";
export {
  DocumentError,
  type DocumentErrorCode,
  encodingError,
  isDocumentError,
  type Position,
} from "./errors.ts";
export { groupedBy, INDEXES, indexOf, isChangeKind, kindOf } from "./kinds.ts";
export { isLikelyMistake } from "./likely-mistake.ts";
export type { ReadOptions } from "./limits.ts";
export { READ_LIMITS, type ReadLimits, WRITE_LIMITS, type WriteLimits } from "./limits.ts";
export type * from "./model.ts";
export * from "./names.ts";
export * from "./namespaces.ts";
export * from "./no-log.ts";
export { ownCacheFolder } from "./own-cache.ts";
export type { DocumentLines } from "./read/builder.ts";
export {
  type DocumentReader,
  type DocumentSource,
  type LocatedDocument,
  openDocument,
  openSitemap,
  readDocument,
  readDocumentSync,
  readLocated,
} from "./read/reader.ts";
export { isRelation } from "./relations.ts";
export { robotsAllow, robotsRules, robotsSitemaps } from "./robots-txt.ts";
export { decodeText, markedEncoding, type TextEncoding } from "./text-file.ts";
export { isSameUrl, isWebAddress, urlKey } from "./urls.ts";
export {
  count,
  list,
  numeral,
  plural,
  printable,
  printableJson,
  printableLines,
} from "./words.ts";
export type { WriteOptions } from "./write/checked-document.ts";
export { type LateHead, ListWriter, writeBounded } from "./write/list-writer.ts";
export { REQUIREMENTS, type TimeAttribute } from "./write/requirements.ts";
export {
  type Naming,
  type SplitHead,
  type SplitPlace,
  splitList,
  type WrittenList,
} from "./write/split.ts";
export { FREQUENCIES, PATH } from "./write/values.ts";
