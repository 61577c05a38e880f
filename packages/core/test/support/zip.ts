import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";

/** A file of a package, as another program reads it. */
export interface UnzippedFile {
  readonly name: string;
  readonly bytes: Buffer;
  readonly entry: Entry;
}

/** The files of a ZIP file, in its order; sizes and checksums are compared. */
export async function unzip(path: string): Promise<UnzippedFile[]> {
  const zip = await openPromise(path, { lazyEntries: true, strictFileNames: true });
  const files: UnzippedFile[] = [];
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk);
    files.push({ name: entry.fileName, bytes: Buffer.concat(chunks), entry });
  }
  return files;
}

const LOCAL_HEADER = 0x0403_4b50;

/**
 * The files of a ZIP file, as a program reads it that meets its bytes one after another: by the local
 * headers alone.
 */
export function unzipStream(bytes: Buffer): { readonly name: string; readonly bytes: Buffer }[] {
  const files = [];
  let at = 0;
  while (bytes.readUInt32LE(at) === LOCAL_HEADER) {
    const [flags, crc] = [bytes.readUInt16LE(at + 6), bytes.readUInt32LE(at + 14)];
    const [packed, length] = [bytes.readUInt32LE(at + 18), bytes.readUInt32LE(at + 22)];
    const [named, extra] = [bytes.readUInt16LE(at + 26), bytes.readUInt16LE(at + 28)];
    const start = at + 30 + named + extra;
    const file = bytes.subarray(start, start + length);
    const isDescribed = (flags & 8) === 0 && packed === length && crc32(file) === crc;
    if (!isDescribed) throw new Error(`The local header at ${at} does not describe its file.`);
    files.push({ name: bytes.toString("utf8", at + 30, at + 30 + named), bytes: file });
    at = start + length;
  }
  return files;
}
