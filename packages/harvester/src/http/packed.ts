import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * The bytes of a document that may be a gzip file itself, as sitemaps often are (`sitemap.xml.gz`). It
 * is told by its first bytes, with which no other document begins.
 */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
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
    yield* isPacked ? pipeline(whole, createGunzip(), () => {}) : whole;
  } finally {
    await iterator.return?.();
  }
}

/** RFC 1952, section 2.3.1: two bytes of identification, and the only method there is. */
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
