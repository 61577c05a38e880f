export {
  addressError,
  addressIn,
  decoded,
  foldersAbove,
  inHttps,
  isBare,
  isHttp,
  isOfHost,
  isSameHost,
  normalizeAddress,
  relativeTo,
  resolveLoc,
  resolveUrl,
  shownAddress,
  siteFolder,
  siteHost,
  urlOf,
} from "./address.ts";
export { discover, NotFoundError } from "./discover/discover.ts";
export { readTitles } from "./discover/page-titles.ts";
export {
  documentIn,
  feedOf,
  type PeekedDocument,
  partOf,
  peek,
} from "./discover/peek.ts";
export { codeOf, type Fault, HarvestError, hasCode, reasonOf } from "./errors.ts";
export { BackOff } from "./http/back-off.ts";
export { HostTokens, type TokenPlace } from "./http/bearer-tokens.ts";
export { ACCEPTED_CODINGS, openBody } from "./http/body.ts";
export { Client, type ClientResponse, REDIRECTS, type RequestGuard } from "./http/client.ts";
export {
  BusyError,
  FetchError,
  forbiddenError,
  GoneError,
  isAbsent,
  isSilence,
  isUnanswered,
  MissingError,
  OptedOutError,
  RedirectError,
  StatusError,
  toFetchError,
  UnreachableError,
} from "./http/errors.ts";
export { FETCH_LIMITS, HOSTS_AT_ONCE } from "./http/fetch-limits.ts";
export { folderTransport } from "./http/folder-transport.ts";
export { askTyped, isAnswered, keepScheme, keptScheme, plainNotice } from "./http/https-first.ts";
export {
  ANYWHERE,
  guardedAgent,
  INTERNET,
  requireAllowed,
  URL_CHARACTERS,
} from "./http/network-policy.ts";
export { type KnownRobots, RobotsMemory, respectRobots, robotsGuard } from "./http/robots.ts";
export {
  type Answer,
  type FreshAnswer,
  LONGEST_FRESH,
  type NetworkTransport,
  openPoster,
  openTransport,
  type Poster,
  readHttpDate,
  type Transport,
  transportOver,
} from "./http/transport.ts";
export {
  DEFAULT_CONTACT,
  ownVersion,
  PRODUCT,
  type Requester,
  userAgent,
} from "./http/user-agent.ts";
export type { Description, ListedChange, Validators } from "./model.ts";
export { linksOf, parseLinkHeader } from "./page-links.ts";
export { Authority } from "./read/authority.ts";
export {
  AHEAD,
  type ChangeRules,
  changeOf,
  readDate,
  resourceUrl,
} from "./read/change.ts";
export { capabilitiesOf } from "./read/collection.ts";
export {
  DescriptionReader,
  type Descriptions,
  decodeMarkup,
  readDescriptions,
  understand,
} from "./read/descriptions.ts";
export {
  compareDigests,
  DigestedBytes,
  digestsIn,
  type ListedBytes,
  listedDigest,
  listedIn,
} from "./read/digest.ts";
export { DocumentCache } from "./read/document-cache.ts";
export { otherHostError, unreadable, unreadableError } from "./read/errors.ts";
export { referencesIn } from "./read/named-lists.ts";
export { OpenDocument, summaryOf } from "./read/open-document.ts";
export { hasPublications, readChangeList } from "./read/read-change-list.ts";
export { readSource } from "./read/read-source.ts";
export {
  type CollectionReading,
  type DocumentSummary,
  IGNORED,
  type Ignored,
  type ListReading,
  type NotificationChannel,
  type Reading,
  type RememberedDocument,
} from "./read/reading.ts";
export { Budget, READING_LIMITS } from "./read/reading-limits.ts";
export { readContents, TOP } from "./read/source-descriptions.ts";
