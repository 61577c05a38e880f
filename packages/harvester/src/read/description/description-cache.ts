import { createHash } from "node:crypto";
import { HarvestError } from "../../errors.ts";
import type { Transport } from "../../http/answer.ts";
import type { RememberedDocument } from "../reading.ts";

export interface SentDescription {
  readonly base: string;
  readonly bytes: Uint8Array;
  readonly document: RememberedDocument;
}

/** `undefined` for an unchanged document. */
export type Delivery = SentDescription | undefined | HarvestError;

/** Requests each description once: a site and its main collection often share one. */
export class DescriptionCache {
  readonly #transport: Transport;
  readonly #remembered: ReadonlyMap<string, RememberedDocument>;
  readonly #deliveries = new Map<string, Delivery>();

  constructor(transport: Transport, remembered: ReadonlyMap<string, RememberedDocument>) {
    this.#transport = transport;
    this.#remembered = remembered;
  }

  async get(url: string, isKnown: boolean): Promise<Delivery> {
    const known = isKnown ? this.#remembered.get(url) : undefined;
    const key = `${known === undefined ? "whole" : "changed"} ${url}`;
    if (this.#deliveries.has(key)) return this.#deliveries.get(key);
    const delivery = await this.#ask(url, known);
    this.#deliveries.set(key, delivery);
    return delivery;
  }

  async #ask(url: string, known: RememberedDocument | undefined): Promise<Delivery> {
    try {
      const answer = await this.#transport.get(url, known?.validators);
      if (answer.status === "unchanged") return undefined;
      const bytes = await beginningOf(answer.body);
      const hash = createHash("sha256").update(bytes).digest("hex");
      if (hash === known?.hash) return undefined;
      const { validators } = answer;
      const document = { url, validators, hash, outline: undefined, isClosed: false };
      return { base: answer.url, bytes, document };
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      return error;
    }
  }
}

async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= DESCRIPTION_LIMITS.bytes) break;
  }
  return Buffer.concat(chunks).subarray(0, DESCRIPTION_LIMITS.bytes);
}

/** Lengths in UTF-16 code units. */
export const DESCRIPTION_LIMITS = {
  /** Bytes read: every description, and a page's head, are shorter. */
  bytes: 1_000_000,
  /** Nested elements. */
  depth: 64,
  title: 300,
  author: 100,
  authors: 10,
  summary: 2_000,
  rights: 500,
} as const;
