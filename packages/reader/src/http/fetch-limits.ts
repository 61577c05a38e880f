export interface FetchLimits {
  /** Redirects in a row (RFC 9309, section 2.3.1.2, asks for five; browsers follow twenty). */
  readonly redirects: number;
  /** Bytes of a document, after decompression. ResourceSync 1.1, section 7, allows 50 MB. */
  readonly bytes: number;
  readonly headerBytes: number;
  /** Seconds until a connection is there. Shorter than those to the headers, so that a closed port is known as one. */
  readonly secondsToConnect: number;
  /** Seconds from the request to the headers of its response, for each redirect anew. */
  readonly secondsToHeaders: number;
  /** Seconds for a document in all, from the first request to the last byte. */
  readonly seconds: number;
  /** Requests in a row without an answer, after which a check leaves a host alone. */
  readonly unanswered: number;
  /** Seconds ahead of a `Retry-After`; a longer one counts as this. */
  readonly retryAfter: number;
  /** Bytes read of a robots.txt (RFC 9309, section 2.5: at least 500 KiB). */
  readonly robotsBytes: number;
  /** Seconds a robots.txt is valid (RFC 9309, section 2.4: at most a day). */
  readonly robotsSeconds: number;
  readonly robotsMemory: number;
}

/** Hosts that are asked at once, unless `--concurrency` says otherwise. */
export const HOSTS_AT_ONCE = 32;

export const FETCH_LIMITS: FetchLimits = {
  redirects: 5,
  bytes: 64_000_000,
  headerBytes: 16_384,
  secondsToConnect: 10,
  secondsToHeaders: 20,
  seconds: 60,
  unanswered: 3,
  retryAfter: 86_400,
  robotsBytes: 512_000,
  robotsSeconds: 86_400,
  robotsMemory: 16_000_000,
};
