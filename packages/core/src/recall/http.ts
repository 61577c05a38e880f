import { randomUUID } from "node:crypto";
import { SiteStatusError, SiteUnreachableError } from "./site-errors.ts";

const MOVED =
  "If the site is there, give that address with the option url (--url); if it was published under the " +
  "old one before, give that with the option movedFrom (--moved-from). If nothing was ever published, " +
  "say so with the option first (--first). Nothing was written.";

/** Bounds on reading the live site. */
export interface SiteLimits {
  /** Milliseconds for one document, from the request to its last byte. */
  readonly milliseconds: number;
  /** Bytes of one document after decompression; ours end at 50 MB. */
  readonly bytes: number;
  readonly redirects: number;
}

export const SITE_LIMITS: SiteLimits = { milliseconds: 60_000, bytes: 64_000_000, redirects: 5 };

/** A document as the live site serves it. */
export interface SiteAnswer {
  /** Absent when the site says that there is no such document (404 or 410). */
  readonly bytes: Uint8Array | undefined;
  /** The host's clock in UTC seconds, where it tells it. */
  readonly hostTime: number | undefined;
}

/**
 * Fetches a document past caches, with bounded time and size, following redirects on its own host.
 *
 * @throws {SiteStatusError} for any status but 200, 404 and 410
 * @throws {SiteUnreachableError} when no whole answer arrives within the limits
 */
export async function fetchDocument(address: string, limits: SiteLimits): Promise<SiteAnswer> {
  const signal = AbortSignal.timeout(limits.milliseconds);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= limits.redirects; redirects++) {
      const response = await fetch(pastCaches(url), {
        redirect: "manual",
        signal,
        headers: { "cache-control": "no-cache", pragma: "no-cache", "user-agent": "rs-emit" },
      });
      const next = redirectOf(response, url);
      if (next === undefined) return await readAnswer(response, address, limits);
      await response.body?.cancel();
      if (next.hostname !== url.hostname) {
        throw new SiteUnreachableError(address, `leads to another host, ${next.origin}`, MOVED);
      }
      url = next;
    }
  } catch (error) {
    if (error instanceof SiteUnreachableError || error instanceof SiteStatusError) throw error;
    throw new SiteUnreachableError(address, failure(error, limits));
  }
  throw new SiteUnreachableError(address, "redirects in a circle");
}

function pastCaches(url: URL): URL {
  const unique = new URL(url);
  unique.searchParams.set("rs-emit", randomUUID());
  return unique;
}

function redirectOf(response: Response, url: URL): URL | undefined {
  const location = response.headers.get("location");
  if (response.status < 300 || response.status > 399 || location === null) return undefined;
  const next = new URL(location, url);
  next.searchParams.delete("rs-emit");
  return next;
}

async function readAnswer(
  response: Response,
  address: string,
  limits: SiteLimits,
): Promise<SiteAnswer> {
  const date = Date.parse(response.headers.get("date") ?? "");
  // A cache gives the time of the answer it keeps, and how many seconds ago that was.
  const age = Number(response.headers.get("age") ?? 0) || 0;
  const hostTime = Number.isNaN(date) ? undefined : Math.floor(date / 1000) + age;
  if (response.status === 404 || response.status === 410) {
    await response.body?.cancel();
    return { bytes: undefined, hostTime };
  }
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new SiteStatusError(address, response.status);
  }
  return { bytes: await readBody(response, address, limits), hostTime };
}

async function readBody(
  response: Response,
  address: string,
  limits: SiteLimits,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limits.bytes) {
      throw new SiteUnreachableError(address, `is larger than ${limits.bytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function failure(error: unknown, limits: SiteLimits): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `did not answer within ${limits.milliseconds / 1000} s`;
  const cause = error.cause instanceof Error ? error.cause.message : error.message;
  if (/ssl|tls|certificate/i.test(cause)) return "offers no secure connection that can be trusted";
  return `could not be fetched (${cause})`;
}
