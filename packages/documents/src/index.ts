export { bodyWithin, wholeBodyWithin } from "./bounded-body.ts";
export { escapeText, replaceIllegalCharacters } from "./characters.ts";
export { ownCacheFolder } from "./compiled-code.ts";
export * from "./datetime.ts";
export { areDigests, digestsIn } from "./digests.ts";
export {
  DocumentError,
  encodingError,
  isDocumentError,
} from "./errors.ts";
export { groupBy } from "./group.ts";
export * from "./kinds.ts";
export type { ReadOptions } from "./limits.ts";
export { READ_LIMITS, type ReadLimits, WRITE_LIMITS, type WriteLimits } from "./limits.ts";
export { isMassDelete } from "./mass-delete-limit.ts";
export type * from "./model.ts";
export * from "./namespaces.ts";
export * from "./no-log.ts";
export type { DocumentLines } from "./read/builder.ts";
export { decodeText, markedEncoding } from "./read/decoder.ts";
export * from "./read/reader.ts";
export { isRelation } from "./relations.ts";
export { robotsAllow, robotsRules, robotsSitemaps } from "./robots-txt.ts";
export { isSameUrl, isWebAddress, urlKey } from "./urls.ts";
export * from "./well-known-names.ts";
export * from "./words.ts";
export type { WriteOptions } from "./write/checked-document.ts";
export { ListWriter, writeBounded } from "./write/list-writer.ts";
export { REQUIREMENTS, type TimeAttribute } from "./write/requirements.ts";
export * from "./write/split.ts";
export { FREQUENCIES, PATH } from "./write/values.ts";
