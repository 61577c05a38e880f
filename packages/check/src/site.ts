import { constants, gunzipSync } from "node:zlib";
import { bodyWithin, encodingError } from "@rs-emit/documents";

/** The checked site: a live one, or anything else that answers to URLs. */
export interface Site {
  /** Whether a host answers, so that its headers and redirects matter. */
  readonly isLive: boolean;
  /**
   * Requests an address and follows redirects.
   * @param pastCaches bypass caches
   * @throws {NoAnswerError}
   */
  get(url: string, pastCaches?: boolean): Promise<SiteAnswer>;
  /** Whether the site has an address, if it has only some. */
  covers?(url: string): boolean;
}

export interface SiteAnswer {
  /** The status of the last answer: 200, or the reason why there is no body. */
  readonly status: number;
  readonly redirects: readonly Redirect[];
  /** A header of the last answer, by its name in lower case. */
  header(name: string): string | undefined;
  /** Decoded. Read it once, and for a folder before the next `get`. Empty unless the status is 200. */
  readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** The file's path, if the site is a folder. */
  readonly file?: string | undefined;
}

export interface Redirect {
  readonly status: number;
  /** An absolute URL. */
  readonly to: string;
}

/** An address that did not answer at all. */
export class NoAnswerError extends Error {
  readonly code = "NO_ANSWER";
  readonly url: string;
  /** Such as `does not answer within 60 s`. */
  readonly reason: string;
  constructor(url: string, reason: string, cause?: unknown) {
    super(`${url} ${reason}.`, { cause });
    this.url = url;
    this.reason = reason;
  }
}

/** Limits for one address. */
interface RequestBounds {
  readonly milliseconds: number;
  /** Bytes of a body, decoded. */
  readonly bytes: number;
  readonly redirects: number;
}

/** The harvester's limits: it would not read more either. */
export const SITE_LIMITS: RequestBounds = { milliseconds: 60_000, bytes: 64_000_000, redirects: 5 };

/** The Fetch standard's function, as far as a check needs it. */
export type Fetch = (
  url: string,
  init: {
    readonly redirect: "manual";
    readonly signal: AbortSignal;
    readonly headers: Readonly<Record<string, string>>;
  },
) => Promise<FetchResponse>;

interface FetchResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
}

export function liveSite(
  fetch: Fetch,
  userAgent: string,
  limits: Partial<RequestBounds> = {},
): Site {
  const bounds = { ...SITE_LIMITS, ...limits };
  const headers = { "user-agent": userAgent };
  const pastHeaders = { ...headers, "cache-control": "no-cache", pragma: "no-cache" };
  return {
    isLive: true,
    async get(address, pastCaches = false) {
      const signal = AbortSignal.timeout(bounds.milliseconds);
      const redirects: Redirect[] = [];
      let url = pastCaches ? uniqueAddress(address) : address;
      try {
        for (;;) {
          const init = { redirect: "manual", signal, headers: pastCaches ? pastHeaders : headers };
          const response = await fetch(url, { ...init, redirect: "manual" });
          const location = response.headers.get("location");
          if (!isRedirect(response.status) || location === null || !URL.canParse(location, url)) {
            return await toAnswer(address, response, redirects, bounds);
          }
          await response.body?.cancel();
          url = new URL(location, url).href;
          redirects.push({ status: response.status, to: commonAddress(url) });
          if (redirects.length > bounds.redirects) {
            throw new NoAnswerError(address, "redirects in a circle");
          }
        }
      } catch (error) {
        throw error instanceof NoAnswerError ? error : failure(address, error, bounds);
      }
    },
  };
}

const UNIQUE = "rs-check";

/** An address that no cache has: caches include the query in their key. */
export function uniqueAddress(address: string): string {
  const url = new URL(address);
  url.searchParams.set(UNIQUE, crypto.randomUUID());
  return url.href;
}

/** The address from which {@link uniqueAddress} made this one. */
export function commonAddress(address: string): string {
  if (!address.includes(UNIQUE)) return address;
  const url = new URL(address);
  url.searchParams.delete(UNIQUE);
  return url.href;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status <= 399 && status !== 304;
}

async function toAnswer(
  address: string,
  { status, headers, body }: FetchResponse,
  redirects: readonly Redirect[],
  limits: RequestBounds,
): Promise<SiteAnswer> {
  if (status !== 200) await body?.cancel();
  return {
    status,
    redirects,
    header: (name) => headers.get(name) ?? undefined,
    body: status === 200 && body !== null ? bounded(address, body, limits) : [],
  };
}

async function* bounded(
  address: string,
  body: AsyncIterable<Uint8Array>,
  limits: RequestBounds,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of bodyWithin(body, limits.milliseconds)) {
      bytes += chunk.length;
      if (bytes > limits.bytes) {
        throw new NoAnswerError(address, `is longer than ${limits.bytes} bytes`);
      }
      yield chunk;
    }
  } catch (error) {
    throw error instanceof NoAnswerError ? error : failure(address, error, limits);
  }
}

function failure(address: string, error: unknown, limits: RequestBounds): NoAnswerError {
  if (!(error instanceof Error)) return new NoAnswerError(address, `fails (${error})`, error);
  if (error.name === "TimeoutError") {
    const seconds = limits.milliseconds / 1000;
    return new NoAnswerError(address, `does not answer within ${seconds} s`, error);
  }
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return new NoAnswerError(address, `cannot be fetched (${reason})`, error);
}

const START = { line: 1, column: 1 };

/**
 * A document's bytes without gzip: many hosts serve packed sitemaps as they are, with no Content-Encoding.
 * @throws {DocumentError} `ENCODING` if they cannot be unpacked, or exceed a document's limit
 */
export function unpacked(bytes: Uint8Array): Uint8Array {
  if (!isPacked(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: SITE_LIMITS.bytes });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `this is gzip that cannot be unpacked (${reason})`;
    throw encodingError(START, problem, "XML, or whole gzip data of it");
  }
}

/** The beginning of a document from its first packed bytes. Empty if they cannot be unpacked. */
export function unpackedBeginning(bytes: Uint8Array): Uint8Array {
  if (!isPacked(bytes)) return bytes;
  try {
    const maxOutputLength = SITE_LIMITS.bytes;
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
  } catch {
    return new Uint8Array();
  }
}

/** RFC 1952, section 2.3.1: identification and the only method. */
function isPacked([first, second, method]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8;
}
