import { isUtf8 } from "node:buffer";
import { getEncoding } from "encoding-sniffer";
import type { Undecoded } from "../model/resources.ts";

/** Replaces bytes that a charset does not have. */
const UNDECODED = "\uFFFD";

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
  if (!html.includes(UNDECODED)) return undefined;
  const isValid = isUtf8(bytes);
  // The author wrote the sign, or another program lost the text.
  if (isValid && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(UNDECODED)) {
    return undefined;
  }
  const text = shown.replace(/<[^<>]*>/g, "");
  const lost = countOf(text, /\uFFFD/gu);
  const isUnreadable = isValid || lost * MOST > countOf(text, /\p{L}/gu);
  return {
    isUnreadable,
    declared: getEncoding(bytes, { maxBytes: bytes.length }).toLowerCase(),
    likely: isValid ? "UTF-8" : likelyCharset(bytes),
  };
}

export function readableIn(text: string | undefined): string | undefined {
  return text?.includes(UNDECODED) ? undefined : text;
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
