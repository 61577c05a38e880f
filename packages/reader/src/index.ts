export * from "./address.ts";
export { discover, NotFoundError } from "./discover/discover.ts";
export { codeOf, HarvestError, hasCode, reasonOf } from "./errors.ts";
export { HostTokens, type TokenPlace } from "./http/bearer-tokens.ts";
export type { RequestGuard } from "./http/client.ts";
export {
  BusyError,
  FetchError,
  isAbsent,
  isSilence,
  OptedOutError,
  UnreachableError,
} from "./http/errors.ts";
export { FETCH_LIMITS, HOSTS_AT_ONCE } from "./http/fetch-limits.ts";
export { isAnswered, keepScheme, keptScheme, plainNotice } from "./http/https-first.ts";
export { type KnownRobots, RobotsMemory, respectRobots } from "./http/robots.ts";
export { openTransport, readHttpDate, type Transport } from "./http/transport.ts";
export { ownVersion, type Requester } from "./http/user-agent.ts";
export type { Description, ListedChange, Validators } from "./model.ts";
export { Authority } from "./read/authority.ts";
export { AHEAD } from "./read/change.ts";
export {
  compareDigests,
  DigestedBytes,
  digestsIn,
  type ListedBytes,
  listedDigest,
  listedIn,
} from "./read/digest.ts";
export { unreadableError } from "./read/errors.ts";
export type {
  CollectionReading,
  ListReading,
  Reading,
  RememberedDocument,
} from "./read/reading-result.ts";
export { decodeMarkup } from "./read/site-descriptions.ts";
