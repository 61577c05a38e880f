import { isAscii, isUtf8 } from "node:buffer";
import { decodeBuffer } from "encoding-sniffer";

/** ISO-2022-JP (escape, shifts) and UTF-16 (zero) use these bytes and differ from ASCII. */
const NOT_ASCII_EVERYWHERE = [0x00, 0x0e, 0x0f, 0x1b];

/** Never throws. Node's own windows-1252 (20 and 24) lacks the quotes and dashes of old pages. */
export function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // All charsets agree on such a page. Detection would cost a tenth of reading it.
  if (isAscii(text) && !NOT_ASCII_EVERYWHERE.some((byte) => text.includes(byte))) {
    return text.toString("latin1");
  }
  const valid = isUtf8(bytes);
  const defaultEncoding = valid ? "utf-8" : "windows-1252";
  // Browsers start over when a declaration comes late, so this search goes further than theirs.
  const maxBytes = valid ? 1024 : 65_536;
  try {
    return decodeBuffer(text, { defaultEncoding, maxBytes });
  } catch {
    // Browsers refuse to decode the declared charset, so the default is used.
    return decodeBuffer(text, { userEncoding: defaultEncoding });
  }
}
