import { crc32 } from "node:zlib";

/** A stored file. Its size and checksum precede its bytes. */
export interface ZippedFile {
  readonly name: string;
  /** Fewer than 4 GiB. */
  readonly length: number;
  readonly crc: number;
  readonly chunks: Iterable<Uint8Array>;
}

export function checksumOf(chunks: Iterable<Uint8Array>): number {
  let crc = 0;
  for (const chunk of chunks) crc = crc32(chunk, crc);
  return crc;
}

/** Bytes are passed on in pieces of about this size: one call for each of three is slower. */
const PIECE = 1 << 20;

/**
 * Stored and not deflated, with fixed times and modes: the same files give the same bytes. Sizes and
 * checksums also precede the bytes, where programs that read a ZIP file as a stream need them.
 */
export function* zipFile(files: Iterable<ZippedFile>): Generator<Uint8Array> {
  const directory: Uint8Array[] = [];
  let offset = 0;
  let pieces: Uint8Array[] = [];
  let waiting = 0;
  function* passOn(bytes: Uint8Array): Generator<Uint8Array> {
    pieces.push(bytes);
    offset += bytes.length;
    waiting += bytes.length;
    if (waiting < PIECE) return;
    yield Buffer.concat(pieces);
    pieces = [];
    waiting = 0;
  }
  for (const file of files) {
    directory.push(directoryEntry(file, offset));
    yield* passOn(localHeader(file));
    for (const chunk of file.chunks) yield* passOn(chunk);
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  yield Buffer.concat([...pieces, ...directory, endOfDirectory(directory.length, size, offset)]);
}

/** APPNOTE.TXT, sections 4.3.7, 4.3.12 and 4.3.16. */
const BYTES = { header: 30, directory: 46, end: 22 };
const LENGTH_IN_HEADER = 22;
const SIGNATURES = { header: 0x0403_4b50, directory: 0x0201_4b50, end: 0x0605_4b50 };

/** Section 4.4.3: the version with folders. Section 4.4.2: made on Unix, for the modes. */
const VERSION = 20;
const UNIX = 3;
/** Section 4.4.15: a regular file, `rw-r--r--`, in the upper half. */
const ATTRIBUTES = 0o100644 * 0x10000;
/** Section 4.4.4, bit 11: names are in UTF-8. */
const UTF8 = 0x0800;
const STORED = 0;
/** The first day that the format can express, at noon: its times have no zone. */
const NOON = 12 << 11;
const FIRST_DAY = (1 << 5) | 1;

function localHeader(file: ZippedFile): Uint8Array {
  const name = Buffer.from(file.name);
  const header = Buffer.alloc(BYTES.header);
  header.writeUInt32LE(SIGNATURES.header, 0);
  writeFacts(file, name, header, 4);
  return Buffer.concat([header, name]);
}

function directoryEntry(file: ZippedFile, offset: number): Uint8Array {
  const name = Buffer.from(file.name);
  const entry = Buffer.alloc(BYTES.directory);
  entry.writeUInt32LE(SIGNATURES.directory, 0);
  entry.writeUInt16LE((UNIX << 8) | VERSION, 4);
  writeFacts(file, name, entry, 6);
  entry.writeUInt32LE(ATTRIBUTES, 38);
  entry.writeUInt32LE(offset, 42);
  return Buffer.concat([entry, name]);
}

/** The 26 bytes that both headers have. */
function writeFacts(
  { crc, length }: ZippedFile,
  name: Uint8Array,
  header: Buffer,
  at: number,
): void {
  header.writeUInt16LE(VERSION, at);
  header.writeUInt16LE(UTF8, at + 2);
  header.writeUInt16LE(STORED, at + 4);
  header.writeUInt16LE(NOON, at + 6);
  header.writeUInt16LE(FIRST_DAY, at + 8);
  header.writeUInt32LE(crc, at + 10);
  header.writeUInt32LE(length, at + 14);
  header.writeUInt32LE(length, at + 18);
  header.writeUInt16LE(name.length, at + 22);
}

function endOfDirectory(files: number, size: number, offset: number): Uint8Array {
  const end = Buffer.alloc(BYTES.end);
  end.writeUInt32LE(SIGNATURES.end, 0);
  end.writeUInt16LE(files, 8);
  end.writeUInt16LE(files, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

/** The bytes that a file adds to a ZIP file. */
export function zippedLength(name: string, length: number): number {
  return BYTES.header + length + BYTES.directory + 2 * Buffer.byteLength(name);
}

export const EMPTY_LENGTH = BYTES.end;

export function firstOffset(name: string): number {
  return BYTES.header + Buffer.byteLength(name);
}

/** The length of the first file, from the start of a ZIP file that rs-emit wrote. */
export function firstLength(beginning: Uint8Array): number {
  return Buffer.from(beginning).readUInt32LE(LENGTH_IN_HEADER);
}

/** Sizes and offsets are numbers of 32 bits, of which the highest means another form. */
export const LARGEST = 0xffff_fffe;
