import { isAscii, isUtf8 } from "node:buffer";
import { decodeBuffer, getEncoding } from "encoding-sniffer";
import type { Undecoded } from "../model/resources.ts";

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

/** Stands for bytes that a charset does not have. */
const UNDECODED = "\uFFFD";
/** In windows-1252, bytes of other charsets become control characters as well. */
const LOST = /[\uFFFD\u0081\u008d\u008f\u0090\u009d]/gu;

/** Pages are saved in these under another charset's name. Their kana identify them. */
const KANA_CHARSETS = ["Shift_JIS", "EUC-JP"];
const KANA = /[\u3041-\u30fe]/gu;

/** If one letter of this many is lost, the page is unreadable. Lost accents alone are fewer. */
const MOST = 10;

/**
 * @param html the decoded page
 * @param shown its visible text, with tags
 */
export function undecodedIn(html: string, bytes: Uint8Array, shown: string): Undecoded | undefined {
  const isValid = isUtf8(bytes);
  if (isValid ? !html.includes(UNDECODED) : html.search(LOST) < 0) return undefined;
  // The author wrote the sign, or another program lost the text.
  if (isValid && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(UNDECODED)) {
    return undefined;
  }
  const text = shown.replace(/<[^<>]*>/g, "");
  const lost = countOf(text, LOST);
  const isUnreadable = isValid || lost * MOST > countOf(text, /\p{L}/gu);
  return {
    isUnreadable,
    declared: getEncoding(bytes, { maxBytes: bytes.length }).toLowerCase(),
    likely: isValid ? "UTF-8" : likelyCharset(bytes),
  };
}

export function readableIn(text: string | undefined): string | undefined {
  return text !== undefined && text.search(LOST) >= 0 ? undefined : text;
}

function likelyCharset(bytes: Uint8Array): string | undefined {
  return KANA_CHARSETS.find((charset) => {
    const text = new TextDecoder(charset).decode(bytes);
    return countOf(text, KANA) > countOf(text, /[\uFFFD\uff61-\uff9f]/gu);
  });
}

function countOf(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}
