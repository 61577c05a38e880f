/** Where a document is read from: whole, or in pieces. A web `ReadableStream` is one, too. */
export type DocumentSource = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const SLICE = 65_536;

/** A source's pieces, none of them large. */
export async function* piecesOf(source: DocumentSource): AsyncGenerator<string | Uint8Array> {
  if (typeof source === "string" || source instanceof Uint8Array) yield* slicesOf(source);
  else for await (const chunk of source) yield* slicesOf(chunk);
}

/** A text or bytes in pieces of 64 KiB; no character of a text is cut in two. */
export function* slicesOf(whole: string | Uint8Array): Generator<string | Uint8Array> {
  for (let start = 0, end = 0; start < whole.length; start = end) {
    end = Math.min(start + SLICE, whole.length);
    if (typeof whole === "string" && /[\uD800-\uDBFF]/.test(whole.charAt(end - 1))) end += 1;
    yield typeof whole === "string" ? whole.slice(start, end) : whole.subarray(start, end);
  }
}
