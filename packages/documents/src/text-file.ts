/** Encodings of text files. Programs for Windows mark them by U+FEFF at the beginning. */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding of the byte order mark; `undefined` without one. */
export function markedEncoding(bytes: Uint8Array): TextEncoding | undefined {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xef && b === 0xbb && c === 0xbf ? "utf-8" : undefined;
}

/** Decodes a text file by its byte order mark, which is dropped; without one, as UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(markedEncoding(bytes) ?? "utf-8").decode(bytes);
}
