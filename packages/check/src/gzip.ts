import { constants, gunzipSync } from "node:zlib";
import { encodingError } from "@rs-emit/documents";
import { SITE_LIMITS } from "./site.ts";

const START = { line: 1, column: 1 };

/**
 * A document's bytes without gzip: many hosts serve packed sitemaps as they are, with no Content-Encoding.
 * @throws {DocumentError} `ENCODING` if they cannot be unpacked, or exceed a document's limit
 */
export function unpacked(bytes: Uint8Array): Uint8Array {
  if (!isPacked(bytes)) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: SITE_LIMITS.bytes });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `this is gzip that cannot be unpacked (${reason})`;
    throw encodingError(START, problem, "XML, or whole gzip data of it");
  }
}

/** The beginning of a document from its first packed bytes. Empty if they cannot be unpacked. */
export function unpackedBeginning(bytes: Uint8Array): Uint8Array {
  if (!isPacked(bytes)) return bytes;
  try {
    const maxOutputLength = SITE_LIMITS.bytes;
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength });
  } catch {
    return new Uint8Array();
  }
}

/** RFC 1952, section 2.3.1: identification and the only method. */
function isPacked([first, second, method]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b && method === 8;
}
