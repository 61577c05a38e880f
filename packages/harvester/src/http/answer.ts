import type { Validators } from "../model.ts";
import { BusyError, type FetchError, GoneError, MissingError, StatusError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { FetchLimits } from "./limits.ts";
import type { RedirectChain } from "./redirect-chain.ts";

export interface Transport {
  /**
   * One document of a host at a time: read or discard it before requesting the next.
   * @param validators of the remembered answer
   * @param permit called before each request, redirects included; throws to refuse
   * @throws {FetchError}
   */
  get(url: string, validators?: Validators, permit?: Permit): Promise<Answer>;
}

/** Throws `FetchError` if an address may not be requested. */
export type Permit = (url: string) => Promise<void>;

export type Answer = FreshAnswer | UnchangedAnswer;

interface AnswerPlace {
  readonly url: string;
  /** After permanent redirects (301, 308), up to the first that is temporary or leaves https. */
  readonly permanentUrl: string;
}

export interface FreshAnswer extends AnswerPlace {
  readonly status: "fresh";
  readonly validators: Validators;
  readonly link: string | undefined;
  /** Decompressed, a `.gz` too; bounded in size and time; read it once. Throws `FetchError`. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): Promise<void>;
}

/** The remembered document is current (304). */
interface UnchangedAnswer extends AnswerPlace {
  readonly status: "unchanged";
}

/**
 * Interprets a status (RFC 9110, section 15). Without `validators` sent, 304 is an error.
 * @throws {FetchError} if there is no document
 */
export async function toAnswer(
  exchange: Exchange,
  { url, permanentUrl }: RedirectChain,
  validators: Validators,
  limits: FetchLimits,
  now: number,
): Promise<Answer> {
  const { status } = exchange;
  if (status === 304 && isConditional(validators)) {
    await exchange.discard();
    return { status: "unchanged", url, permanentUrl };
  }
  if (status !== 200 && status !== 203) {
    await exchange.discard();
    throw refusalOf(exchange, limits, now);
  }
  return {
    status: "fresh",
    url,
    permanentUrl,
    validators: validatorsOf(exchange, now),
    link: exchange.headerList("link"),
    body: exchange.read(limits),
    discard: () => exchange.discard(),
  };
}

function isConditional({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined;
}

export function refusalOf(
  exchange: Exchange,
  { retryAfter }: FetchLimits,
  now: number,
): FetchError {
  const { url, status } = exchange;
  if (status === 404) return new MissingError(url);
  if (status === 410) return new GoneError(url);
  if (status === 429 || status === 503) {
    const until = readRetryAfter(exchange.header("retry-after"), now, retryAfter);
    return new BusyError(url, status, until);
  }
  return new StatusError(url, status);
}

function validatorsOf(exchange: Exchange, now: number): Validators {
  const seconds = freshSeconds(exchange);
  return {
    etag: exchange.header("etag"),
    lastModified: exchange.header("last-modified"),
    freshUntil: seconds > 0 ? now + seconds : undefined,
  };
}

/** Seconds; a longer `max-age` counts as this. */
const LONGEST_FRESH = 7 * 86_400;

function freshSeconds(exchange: Exchange): number {
  const control = exchange.headerList("cache-control")?.toLowerCase() ?? "";
  if (/(?:^|[\s,])no-(?:cache|store)\b/.test(control)) return 0;
  const age = Number(exchange.header("age") ?? 0);
  const most = Number(/(?:^|[\s,])max-age="?(\d+)/.exec(control)?.[1] ?? 0);
  return Math.min(most - (Number.isFinite(age) ? age : 0), LONGEST_FRESH);
}

/** `Retry-After` (RFC 9110, section 10.2.3) in UTC seconds, at most `most` seconds ahead. */
function readRetryAfter(value: string | undefined, now: number, most: number): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value) ? now + Number(value) : readHttpDate(value);
  return time === undefined ? undefined : Math.min(Math.max(time, now), now + most);
}

/** An HTTP date (RFC 9110, section 5.6.7) in UTC seconds; `undefined` where it is none. */
export function readHttpDate(value: string): number | undefined {
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  // asctime's form, the only one without a zone, is in UTC too.
  const time = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time / 1000;
}
