import type { Validators } from "../model.ts";
import { type Answer, refusalOf, type Transport, toAnswer } from "./answer.ts";
import { ACCEPTED_CODINGS } from "./body.ts";
import { Client, type ClientOptions } from "./client.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { KEEPS_METHOD, REDIRECTS } from "./redirect-chain.ts";

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
  const { limits, now } = client;
  return {
    async get(url, validators = {}, permit): Promise<Answer> {
      const headers = {
        accept: ACCEPTED[wanted],
        "accept-encoding": ACCEPTED_CODINGS,
        ...conditions(validators),
      };
      const unpack = wanted === "documents";
      const sent = { method: "GET", headers, redirects: REDIRECTS, permit, unpack } as const;
      const { exchange, chain } = await client.send(url, sent);
      return toAnswer(exchange, chain, validators, limits, now());
    },
    close: () => client.close(),
  };
}

/** ResourceSync's documents come first; pages are read for their links. */
const ACCEPTED = {
  documents:
    "application/xml, text/xml, application/rdf+xml, application/atom+xml;q=0.9, text/html;q=0.8, */*;q=0.5",
  files: "*/*",
} as const;

function conditions({ etag, lastModified }: Validators): Readonly<Record<string, string>> {
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
