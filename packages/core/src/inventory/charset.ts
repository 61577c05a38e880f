import { isUtf8 } from "node:buffer";
import { decodeBuffer } from "encoding-sniffer";

/**
 * The text of a page in its own charset, as the HTML standard finds it: byte order mark, `meta` or
 * XML declaration; else UTF-8 when the bytes are valid UTF-8, else windows-1252. Never throws.
 *
 * Not decoded by Node, whose windows-1252 (20 and 24) lacks the quotes and dashes of old pages.
 */
export function decode(bytes: Uint8Array): string {
  const valid = isUtf8(bytes);
  const defaultEncoding = valid ? "utf-8" : "windows-1252";
  // Browsers start over when a declaration comes late: where guessing would be wrong, look further.
  const maxBytes = valid ? 1024 : 65_536;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return decodeBuffer(text, { defaultEncoding, maxBytes });
  } catch {
    // A charset that browsers refuse to decode: the page's declaration is of no use.
    return decodeBuffer(text, { userEncoding: defaultEncoding });
  }
}
