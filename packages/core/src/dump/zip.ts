import { crc32 } from "node:zlib";
import { Zip, type ZipInputFile } from "fflate";

export interface ZippedFile {
  readonly name: string;
  readonly chunks: Iterable<Uint8Array>;
}

/**
 * The format's times are of no zone: this one is written alike in every zone, the first day that the
 * format knows, at an hour at which no clock was put forward.
 */
const firstNoon = () => new Date(1980, 0, 1, 12);

const UNIX = 3;
/** A regular file, `rw-r--r--`, in the upper half. */
const ATTRIBUTES = 0o100644 * 0x10000;
const STORED = 0;

/** Bytes are passed on in pieces of about this size: one call for each of three is slower. */
const PIECE = 1 << 20;

/**
 * A ZIP file in chunks: stored and not deflated, with fixed times and modes, so that the same files
 * give the same bytes. Every file is below 4 GiB.
 */
export function* zipFile(files: Iterable<ZippedFile>): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    pieces.push(piece);
    waiting += piece.length;
  });
  function* full(least: number): Generator<Uint8Array> {
    if (waiting < least) return;
    yield Buffer.concat(pieces);
    pieces = [];
    waiting = 0;
  }
  for (const { name, chunks } of files) {
    const file = stored(name);
    zip.add(file);
    for (const chunk of chunks) {
      file.crc = crc32(chunk, file.crc);
      file.size += chunk.length;
      file.ondata?.(null, unshared(chunk), false);
      yield* full(PIECE);
    }
    file.ondata?.(null, new Uint8Array(), true);
  }
  zip.end();
  yield* full(0);
}

/** The same bytes in memory that is not shared, as the library's types ask for. */
function unshared(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, length);
  return new Uint8Array(bytes);
}

function stored(filename: string): ZipInputFile {
  return {
    filename,
    size: 0,
    crc: 0,
    compression: STORED,
    mtime: firstNoon(),
    os: UNIX,
    attrs: ATTRIBUTES,
  };
}

/** APPNOTE.TXT, sections 4.3.7, 4.3.9, 4.3.12 and 4.3.16. */
const BYTES = { header: 30, descriptor: 16, directory: 46, end: 22 };

/** How many bytes a file takes in a ZIP file. */
export function zippedLength(name: string, length: number): number {
  const named = 2 * Buffer.byteLength(name);
  return BYTES.header + length + BYTES.descriptor + BYTES.directory + named;
}

/** How many bytes a ZIP file without files takes. */
export const EMPTY_LENGTH = BYTES.end;

/** Where the bytes of its first file begin. */
export function firstOffset(name: string): number {
  return BYTES.header + Buffer.byteLength(name);
}

/** Sizes and places are numbers of 32 bits, of which the highest means another form. */
export const LARGEST = 0xffff_fffe;
