import { createHash } from "node:crypto";
import { type FetchError, MissingError } from "../../src/http/errors.ts";
import type { Answer, Transport } from "../../src/http/transport.ts";
import type { Validators } from "../../src/model.ts";

/** What an address of a `MemorySite` answers besides a text. */
export interface MemoryAnswer {
  readonly body?: string | Uint8Array;
  readonly link?: string;
  /** Where it is found instead, as a whole URL. */
  readonly redirect?: string;
  readonly isPermanent?: boolean;
  readonly error?: FetchError;
  /** In place of one that is made from the body. */
  readonly etag?: string;
  /** Sends no validators, so that it can never be unchanged. */
  readonly isFickle?: boolean;
}

/** Any number of sites in memory: a transport that answers what it was told, and 404 otherwise. */
export class MemorySite implements Transport {
  /** The URLs that were asked for, in order. */
  readonly asked: string[] = [];
  /** Bodies that were opened and neither read to their end nor given up. */
  open = 0;
  readonly #base: string;
  readonly #answers = new Map<string, MemoryAnswer>();

  /** @param base what paths are relative to */
  constructor(base = "https://example.org/") {
    this.#base = base;
  }

  /** @param documents by path, or by whole URL */
  put(documents: Readonly<Record<string, string | Uint8Array | MemoryAnswer>>): this {
    for (const [path, answer] of Object.entries(documents)) {
      const isBody = typeof answer === "string" || answer instanceof Uint8Array;
      this.#answers.set(this.urlOf(path), isBody ? { body: answer } : answer);
    }
    return this;
  }

  remove(path: string): this {
    this.#answers.delete(this.urlOf(path));
    return this;
  }

  urlOf(path: string): string {
    return new URL(path, this.#base).href;
  }

  /** What was asked since this was last called, as paths where it is on the site. */
  takeAsked(): string[] {
    return this.asked.splice(0).map((url) => url.replace(new URL(this.#base).origin, ""));
  }

  async get(url: string, validators?: Validators): Promise<Answer> {
    if (this.open > 0) throw new Error(`${url} is asked before another answer has ended`);
    this.asked.push(url);
    return this.#answer(url, url, validators);
  }

  #answer(url: string, permanentUrl: string, validators: Validators | undefined): Answer {
    const found = this.#answers.get(url);
    if (found === undefined) throw new MissingError(url);
    const { body = "", link, redirect, isPermanent = false, error, isFickle = false } = found;
    if (error !== undefined) throw error;
    if (redirect !== undefined) {
      const permanent = isPermanent && permanentUrl === url ? redirect : permanentUrl;
      return this.#answer(redirect, permanent, validators);
    }
    const etag = found.etag ?? `"${createHash("sha256").update(body).digest("hex")}"`;
    if (etag === validators?.etag && !isFickle) return { status: "unchanged", url, permanentUrl };
    this.open += 1;
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    return {
      status: "fresh",
      url,
      permanentUrl,
      validators: isFickle ? {} : { etag },
      link,
      body: this.#send(bytes),
      discard: async () => {
        this.open = 0;
      },
    };
  }

  /** In small pieces, so that nothing depends on where they end. */
  async *#send(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    try {
      for (let start = 0; start < bytes.length; start += 1000) {
        yield bytes.subarray(start, start + 1000);
      }
    } finally {
      this.open = 0;
    }
  }
}
