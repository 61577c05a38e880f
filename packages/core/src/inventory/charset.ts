import { isAscii, isUtf8 } from "node:buffer";
import { decodeBuffer } from "encoding-sniffer";

/** Bytes that ISO-2022-JP (escape, shifts) and UTF-16 (zero) read in another way than ASCII does. */
const NOT_ASCII_EVERYWHERE = [0x00, 0x0e, 0x0f, 0x1b];

/**
 * The text of a page in its own charset, as the HTML standard finds it: byte order mark, `meta` or
 * XML declaration; else UTF-8 when the bytes are valid UTF-8, else windows-1252. Never throws.
 *
 * Not decoded by Node, whose windows-1252 (20 and 24) lacks the quotes and dashes of old pages.
 */
export function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // All charsets agree on such a page, and finding out its own costs a tenth of reading it.
  if (isAscii(text) && !NOT_ASCII_EVERYWHERE.some((byte) => text.includes(byte))) {
    return text.toString("latin1");
  }
  const valid = isUtf8(bytes);
  const defaultEncoding = valid ? "utf-8" : "windows-1252";
  // Browsers start over when a declaration comes late: where guessing would be wrong, look further.
  const maxBytes = valid ? 1024 : 65_536;
  try {
    return decodeBuffer(text, { defaultEncoding, maxBytes });
  } catch {
    // A charset that browsers refuse to decode: the page's declaration is of no use.
    return decodeBuffer(text, { userEncoding: defaultEncoding });
  }
}
