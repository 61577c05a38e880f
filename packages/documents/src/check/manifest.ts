import { inflateRawSync } from "node:zlib";
import { READ_LIMITS } from "../limits.ts";

const MANIFEST = "manifest.xml";

/** APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16. */
const END_OF_DIRECTORY = Buffer.from([0x50, 0x4b, 5, 6]);
const BYTES = { directory: 46, header: 30 };
const DEFLATED = 8;

/**
 * The manifest at the top of a ZIP file (ResourceSync 1.1, sections 11.2 and 13.2); `undefined` where there is none,
 * or it cannot be read.
 */
export function manifestIn(zip: Uint8Array): Uint8Array | undefined {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = bytes.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0) return undefined;
  try {
    return find(bytes, bytes.readUInt32LE(end + 16), end);
  } catch (error) {
    // It breaks off, is larger than a document may be, or has extensions of the format.
    if (error instanceof RangeError || (error instanceof Error && "code" in error))
      return undefined;
    throw error;
  }
}

function find(bytes: Buffer, directory: number, end: number): Uint8Array | undefined {
  for (let at = directory; at < end; ) {
    // Of its name, its extensions and its comment.
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(at + field),
    );
    const begin = at + BYTES.directory;
    if (bytes.toString("utf8", begin, begin + name) === MANIFEST) return contentAt(bytes, at);
    at = begin + name + extra + comment;
  }
  return undefined;
}

/** @param entry where the file's entry of the directory begins */
function contentAt(bytes: Buffer, entry: number): Uint8Array {
  const length = bytes.readUInt32LE(entry + 20);
  const header = bytes.readUInt32LE(entry + 42);
  const begin =
    header + BYTES.header + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
  const content = bytes.subarray(begin, begin + length);
  const isDeflated = bytes.readUInt16LE(entry + 10) === DEFLATED;
  return isDeflated ? inflateRawSync(content, { maxOutputLength: READ_LIMITS.bytes }) : content;
}
