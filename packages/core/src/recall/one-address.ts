import { type Digest, digestBytes } from "../model/digest.ts";
import type { DocumentStore } from "./document-store.ts";

/** A document names its address in the links of its head. In bytes. */
const HEAD = 4096;

/**
 * The documents of a site whose move was cut short: some name its former address, others the present one. All are read as if
 * they named one of them, so that the digests of a document that does hold.
 */
export class OneAddress implements DocumentStore {
  /** With the addresses as they are. */
  readonly mixed: DocumentStore;
  readonly #other: string;
  readonly #own: string;
  /** Whether a document named the other address: it must be written again. */
  isMixed = false;

  /** @param own the address that the documents shall name */
  constructor(store: DocumentStore, other: string, own: string) {
    this.mixed = store;
    this.#other = other;
    this.#own = own;
  }

  get place(): string {
    return this.mixed.place;
  }

  get folder(): string {
    return this.mixed.folder;
  }

  get hostTime(): number | undefined {
    return this.mixed.hostTime;
  }

  async bytes(document: string): Promise<Uint8Array | undefined> {
    const bytes = await this.mixed.bytes(document);
    if (bytes === undefined || !isLinkedTo(bytes, this.#other)) return bytes;
    this.isMixed = true;
    return Buffer.from(
      ["<loc>", ' href="'].reduce(
        (text, before) => text.replaceAll(before + this.#other, before + this.#own),
        Buffer.from(bytes).toString(),
      ),
    );
  }

  async chunks(document: string): Promise<Iterable<Uint8Array> | undefined> {
    const chunks = (await this.mixed.chunks(document))?.[Symbol.iterator]();
    const first = chunks?.next();
    if (chunks === undefined || first === undefined || first.done) return chunks && [];
    if (!isLinkedTo(first.value, this.#other)) return withFirst(first.value, chunks);
    chunks.return?.();
    const bytes = await this.bytes(document);
    return bytes && [bytes];
  }

  async digest(document: string, expected?: string): Promise<Digest | undefined> {
    const known = expected && (await this.mixed.digest(document, expected));
    if (known && known.hash === expected) return known;
    const bytes = await this.bytes(document);
    return bytes && digestBytes(bytes);
  }

  over(store: DocumentStore): OneAddress {
    return new OneAddress(store, this.#other, this.#own);
  }
}

function* withFirst(first: Uint8Array, others: Iterator<Uint8Array>): Generator<Uint8Array> {
  try {
    yield first;
    for (let one = others.next(); !one.done; one = others.next()) yield one.value;
  } finally {
    others.return?.();
  }
}

/** Which of two addresses a document names; `undefined` for neither, and where one is below the other. */
export function addressIn(
  bytes: Uint8Array | undefined,
  [one, other]: readonly [string, string],
): string | undefined {
  if (bytes === undefined || one.startsWith(other) || other.startsWith(one)) return undefined;
  return [one, other].find((base) => isLinkedTo(bytes, base));
}

function isLinkedTo(bytes: Uint8Array, base: string): boolean {
  const head = Buffer.from(bytes.subarray(0, HEAD)).toString();
  return / href="([^"]*)"/.exec(head)?.[1]?.startsWith(base) ?? false;
}
