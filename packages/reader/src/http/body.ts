import { type Duplex, pipeline } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { type FetchError, oversizedError, UnreachableError } from "./errors.ts";

/** `Accept-Encoding`. Without Zstandard: Node.js takes a truncated stream for a whole one. */
export const ACCEPTED_CODINGS = "gzip, br";

/**
 * Undoes transfer compression, and with `unpack` the document's own. `most` bounds the bytes before and
 * after each.
 * @throws {UnreachableError} for a coding that was not accepted, or {@link HarvestError}
 */
export function openBody(
  url: string,
  body: AsyncIterable<Uint8Array>,
  coding: string | undefined,
  most: number,
  unpack: boolean,
): AsyncIterable<Uint8Array> {
  const document = bounded(url, withoutCodings(url, body, most, coding), most);
  return unpack ? unpacked(url, document, most) : document;
}

/**
 * Undoes the codings of a `Content-Encoding`, the last first (RFC 9110, section 8.4). Hosts write other words there, too
 * (`none`, `utf-8`): what is no coding says nothing.
 */
function withoutCodings(
  url: string,
  sent: AsyncIterable<Uint8Array>,
  most: number,
  header: string | undefined,
): AsyncIterable<Uint8Array> {
  const names = (header ?? "").split(",").map((name) => name.trim().toLowerCase());
  const unasked = names.find((name) => UNASKED.has(name));
  if (unasked !== undefined) {
    throw new UnreachableError(url, `is compressed in a way that was not asked for (${unasked})`);
  }
  const decoders = names.flatMap((name) => DECODERS.get(name) ?? []);
  if (decoders.length > MOST_CODINGS) {
    throw new UnreachableError(url, `is compressed more than ${MOST_CODINGS} times`);
  }
  return decoders.reduceRight<AsyncIterable<Uint8Array>>(
    // Errors of all streams reach the reader of the last.
    (body, decoder) => pipeline(bounded(url, body, most), decoder(), () => {}),
    sent,
  );
}

const MOST_CODINGS = 3;

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
]);

/** Other codings that are registered (IANA, HTTP Content Coding Registry) and compress or encrypt. */
const UNASKED: ReadonlySet<string> = new Set([
  ...["deflate", "compress", "x-compress", "zstd", "dcb", "dcz"],
  ...["exi", "pack200-gzip", "aes128gcm"],
]);

async function* bounded(
  url: string,
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > most) throw oversized(url, most);
    yield chunk;
  }
}

export function oversized(url: string, most: number): FetchError {
  return oversizedError(url, `is larger than ${most / 1_000_000} MB`);
}

/**
 * The first `most` bytes; the rest is discarded.
 * @param isBrokenRead of a body that breaks off, what came counts
 */
export async function beginningOf(
  body: AsyncIterable<Uint8Array>,
  most: number,
  isBrokenRead = false,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.byteLength;
      if (length >= most) break;
    }
  } catch (error) {
    if (!isBrokenRead) throw error;
  }
  return Buffer.concat(chunks).subarray(0, most);
}

/** Unpacks a document that is itself a gzip file (`sitemap.xml.gz`). */
async function* unpacked(
  url: string,
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const head: Uint8Array[] = [];
    while (lengthOf(head) < GZIP.length) {
      const { value, done } = await iterator.next();
      if (done === true) break;
      head.push(value);
    }
    const whole = rejoined(head, iterator);
    const isPacked = Buffer.concat(head).subarray(0, GZIP.length).equals(GZIP);
    yield* isPacked
      ? bounded(
          url,
          pipeline(whole, createGunzip(), () => {}),
          most,
        )
      : whole;
  } finally {
    await iterator.return?.();
  }
}

/** RFC 1952, section 2.3.1: identification and the only method. */
const GZIP = Buffer.from([0x1f, 0x8b, 0x08]);

function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((length, chunk) => length + chunk.byteLength, 0);
}

async function* rejoined(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield* head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}
