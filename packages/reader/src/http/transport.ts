import type { Validators } from "../model.ts";
import type { TokenUse } from "./bearer-tokens.ts";
import { ACCEPTED_CODINGS } from "./body.ts";
import {
  Client,
  type ClientOptions,
  type ClientResponse,
  KEEPS_METHOD,
  REDIRECTS,
  type RequestGuard,
} from "./client.ts";
import { BusyError, type FetchError, GoneError, MissingError, StatusError } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import type { FetchLimits } from "./fetch-limits.ts";
import type { NetworkPolicy } from "./network-policy.ts";

export interface Transport {
  /**
   * One document of a host at a time: read or discard it before requesting the next.
   * @param validators of the remembered answer
   * @param guard called before each request, redirects included; throws to refuse
   * @throws {FetchError}
   */
  get(url: string, validators?: Validators, guard?: RequestGuard): Promise<Answer>;
}

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
async function toAnswer(
  { exchange, chain: { url, permanentUrl }, token }: ClientResponse,
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
    throw refusalOf(exchange, limits, now, token);
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

/** Whether a host says "not modified" of another version than the one it was asked about. */
function isOfAnother({ exchange }: ClientResponse, { etag }: Validators): boolean {
  const current = exchange.header("etag");
  if (exchange.status !== 304 || etag === undefined || current === undefined) return false;
  return opaque(etag) !== opaque(current);
}

/** Compared weakly (RFC 9110, section 8.8.3.2); servers that compress mark tags with the coding's name in one of two answers. */
function opaque(etag: string): string {
  return etag
    .trim()
    .replace(/^W\//, "")
    .replace(/[-;.](?:gzip|br|deflate)(?="?$)/, "");
}

function isConditional({ etag, lastModified }: Validators): boolean {
  return etag !== undefined || lastModified !== undefined;
}

function refusalOf(
  exchange: Exchange,
  { retryAfter }: FetchLimits,
  now: number,
  token?: TokenUse,
): FetchError {
  const { url, status } = exchange;
  if (status === 404) return new MissingError(url);
  if (status === 410) return new GoneError(url);
  if (status === 429 || status === 503) {
    const until = readRetryAfter(exchange.header("retry-after"), now, retryAfter);
    return new BusyError(url, status, until);
  }
  return new StatusError(url, status, token);
}

/**
 * What may be sent back. A tag that is none (RFC 9110, section 8.8.3) may match whatever comes, and a date after the answer's
 * (section 8.8.2.1) that of later versions too: either would bring 304 for a document that has changed.
 */
function validatorsOf(exchange: Exchange, now: number): Validators {
  const seconds = freshSeconds(exchange);
  const etag = exchange.headerList("etag");
  const lastModified = exchange.header("last-modified");
  const answered = readHttpDate(exchange.header("date") ?? "") ?? now;
  const modified = readHttpDate(lastModified ?? "") ?? Number.POSITIVE_INFINITY;
  return {
    etag: etag !== undefined && /^(?:W\/)?"[^"]*"$/.test(etag) ? etag : undefined,
    lastModified: modified <= answered ? lastModified : undefined,
    freshUntil: seconds > 0 ? now + seconds : undefined,
  };
}

/** Seconds; a longer `max-age` counts as this. */
export const LONGEST_FRESH = 7 * 86_400;

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

export interface TransportOptions extends ClientOptions {
  /**
   * What is asked for: documents, which are read; or files, which are kept byte for byte, even where they
   * are compressed themselves (`backup.gz`).
   */
  readonly wanted?: "documents" | "files";
}

export interface NetworkTransport extends Transport {
  close(): Promise<void>;
}

/**
 * A transport for addresses from strangers: public web servers, and responses of bounded cost.
 * @throws {TypeError} if the contact is no URL
 */
export function openTransport(
  { wanted = "documents", ...options }: TransportOptions = {},
  policy?: NetworkPolicy,
): NetworkTransport {
  const client = new Client(options, policy);
  return { ...transportOver(client, wanted), close: () => client.close() };
}

/** A transport that sends its requests through a client. */
export function transportOver(
  client: Client,
  wanted: "documents" | "files" = "documents",
): Transport {
  const { limits, now } = client;
  return {
    async get(url, validators = {}, guard): Promise<Answer> {
      const ask = (conditions: Readonly<Record<string, string>>) =>
        client.send(url, {
          method: "GET",
          headers: { accept: ACCEPTED[wanted], "accept-encoding": ACCEPTED_CODINGS, ...conditions },
          redirects: REDIRECTS,
          guard,
          unpack: wanted === "documents",
        });
      const response = await ask(conditionsOf(validators));
      if (!isOfAnother(response, validators)) return toAnswer(response, validators, limits, now());
      await response.exchange.discard();
      return toAnswer(await ask({}), {}, limits, now());
    },
  };
}

/** ResourceSync's documents come first; pages are read for their links. */
const ACCEPTED = {
  documents:
    "application/xml, text/xml, application/rdf+xml, application/atom+xml;q=0.9, text/html;q=0.8, */*;q=0.5",
  files: "*/*",
} as const;

function conditionsOf({ etag, lastModified }: Validators): Readonly<Record<string, string>> {
  return {
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(lastModified === undefined ? {} : { "if-modified-since": lastModified }),
  };
}

export interface Poster {
  /** Follows 307 and 308 (WebSub, section 5.1.2). Throws {@link FetchError} for all but 2xx. */
  post(url: string, form: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

/** Requests are guarded as those for documents are, unless `allowPrivate`. */
export function openPoster(options: ClientOptions = {}): Poster {
  const client = new Client(options);
  return {
    async post(url, form) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const body = form.toString();
      const sent = { method: "POST", headers, body, redirects: KEEPS_METHOD } as const;
      const { exchange } = await client.send(url, sent);
      await exchange.discard();
      const isTaken = exchange.status >= 200 && exchange.status < 300;
      if (!isTaken) throw refusalOf(exchange, client.limits, client.now());
    },
    close: () => client.close(),
  };
}
