/** The encodings of text files, which programs for Windows mark at the beginning (U+FEFF). */
export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** What the mark at the beginning says; `undefined` without one. */
export function markedEncoding(bytes: Uint8Array): TextEncoding | undefined {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xef && b === 0xbb && c === 0xbf ? "utf-8" : undefined;
}

/** A text file that somebody wrote: as its mark says, which is left out, else UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(markedEncoding(bytes) ?? "utf-8").decode(bytes);
}
