import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** A request as it arrived. */
export interface RecordedRequest {
  /** By the server's clock, UTC seconds. */
  readonly time: number;
  readonly method: string;
  /** The name that was asked, without the port. */
  readonly host: string;
  /** With the query, as it was sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** What a path answers; everything left out is as an ordinary host has it. */
export interface ScriptedAnswer {
  /** 200 by default. */
  readonly status?: number;
  /** Add to what a host sends by itself; `undefined` takes one of those away. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Chunks are sent as they come, without a length. */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Milliseconds until the answer begins. */
  readonly delay?: number;
  /** After how many bytes of the body the connection is torn down. */
  readonly cut?: number;
  /** Sent in place of everything else, byte for byte; then the connection ends. */
  readonly raw?: string | Uint8Array;
}

/** An answer, its body alone, or what makes one from each request. */
export type Script = Reply | ((request: RecordedRequest) => Reply | Promise<Reply>);
type Reply = string | Uint8Array | ScriptedAnswer;

/** The answer to a request by the script. */
export async function perform(script: Script, request: RecordedRequest): Promise<ScriptedAnswer> {
  const reply = typeof script === "function" ? await script(request) : script;
  return typeof reply === "string" || reply instanceof Uint8Array ? { body: reply } : reply;
}

/** The validators of a representation, and whether a request already has it (RFC 9110, section 13). */
export class Freshness {
  readonly etag: string;
  /** When these bytes were first seen, UTC seconds. */
  readonly since: number;

  /** @param before what was last seen in the same place */
  constructor(body: string | Uint8Array, now: number, before: Freshness | undefined) {
    this.etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
    this.since = before?.etag === this.etag ? before.since : Math.floor(now);
  }

  get lastModified(): string {
    return new Date(this.since * 1000).toUTCString();
  }

  isKnownTo(headers: IncomingHttpHeaders): boolean {
    const tags = headers["if-none-match"];
    if (tags !== undefined) return tags.split(",").some((tag) => tag.trim() === this.etag);
    const date = headers["if-modified-since"];
    return date !== undefined && this.since * 1000 <= Date.parse(date);
  }
}
