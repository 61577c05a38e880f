import { hash } from "node:crypto";
import type { Transport } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import type { FreshAnswer } from "@rs-emit/reader/http/transport";

/** Bytes of a piece in which a body arrives: nothing may depend on where pieces end. */
const PIECE = 1000;

/** A header as long as the harvester takes. */
export const LONGEST_HEADER = 16_384;

/** What a host sends for an address. */
export function answerOf(url: string, bytes: Uint8Array, link?: string): FreshAnswer {
  return {
    status: "fresh",
    url,
    permanentUrl: url,
    validators: {},
    link,
    body: piecesOf(bytes),
    discard: async () => {},
  };
}

/** A host that sends the same documents to everybody who does not have them yet, and nothing else. */
export function transportTo(documents: ReadonlyMap<string, Uint8Array>): Transport {
  return {
    async get(url, validators) {
      const bytes = documents.get(url);
      if (bytes === undefined) throw new MissingError(url);
      const etag = hash("sha256", bytes, "hex");
      if (validators?.etag === etag) return { status: "unchanged", url, permanentUrl: url };
      return { ...answerOf(url, bytes), validators: { etag } };
    },
  };
}

export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE) {
    yield bytes.subarray(start, start + PIECE);
  }
}

/** Reads to the end. */
export async function drained(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}
