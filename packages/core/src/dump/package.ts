import { type AnyHead, type Entry, ListWriter, type WriteOptions } from "@rs-emit/documents";
import { DUMP_LIMITS, type DumpLimits } from "../model/environment.ts";
import { MANIFEST } from "../model/layout.ts";
import { dumpFileTooLargeError } from "./errors.ts";
import {
  checksumOf,
  EMPTY_LENGTH,
  LARGEST,
  type ZippedFile,
  zipFile,
  zippedLength,
} from "./zip.ts";

export interface PackedFile {
  readonly name: string;
  readonly file: string;
  readonly hash: string;
  readonly length: number;
}

/** An entry of a manifest; without a file where a change left none. */
export interface PackedEntry {
  readonly entry: Entry;
  readonly packed: PackedFile | undefined;
}

export interface DumpPackage {
  /** Counted from 1. */
  readonly number: number;
  readonly manifest: Uint8Array;
  readonly files: readonly PackedFile[];
  /** Of the whole package. */
  readonly length: number;
}

/** The path in the output folder, except for characters that ZIP files, XML or `path` cannot hold. */
export function pathInPackage(root: string, file: string): string {
  const name = file.replace(/[%\\\p{Cc}\uFFFE\uFFFF]/gu, encodeURIComponent);
  return `${root}/${name}`;
}

export function withPath(entry: Entry, { name }: PackedFile): Entry {
  return { ...entry, metadata: { ...entry.metadata, path: `/${name}` } };
}

/**
 * A file larger than the limit gets its own package. Throws dumpFileTooLargeError.
 * @param headOf the head of a package's manifest by its number; all have the same length
 */
export function* packagesOf(
  headOf: (number: number) => AnyHead,
  entries: Iterable<PackedEntry>,
  prefixes: WriteOptions["prefixes"],
  given: Partial<DumpLimits> = {},
): Generator<DumpPackage> {
  const limits = { ...DUMP_LIMITS, ...given };
  const scale = new ListWriter(headOf(1), { ...UNLIMITED, prefixes });
  const empty = EMPTY_LENGTH + zippedLength(MANIFEST, scale.bytes);
  let group: PackedEntry[] = [];
  let length = empty;
  let number = 1;
  const pack = () => ({ ...packed(headOf(number), group, prefixes, length), number: number++ });
  for (const one of entries) {
    const before = scale.bytes;
    scale.add(one.entry);
    scale.take();
    const own = scale.bytes - before + zippedLengthOf(one.packed);
    const isFull = length + own > limits.bytes || group.length >= limits.files;
    if (isFull && group.length > 0) {
      yield pack();
      group = [];
      length = empty;
    }
    group.push(one);
    length += own;
  }
  if (group.length > 0) yield pack();
}

const UNLIMITED = { entries: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

function zippedLengthOf(packed: PackedFile | undefined): number {
  return packed === undefined ? 0 : zippedLength(packed.name, packed.length);
}

function packed(
  head: AnyHead,
  entries: readonly PackedEntry[],
  prefixes: WriteOptions["prefixes"],
  length: number,
): Omit<DumpPackage, "number"> {
  const writer = new ListWriter(head, { prefixes });
  for (const { entry } of entries) writer.add(entry);
  const files = entries.flatMap(({ packed }) => packed ?? []);
  const [first] = files;
  if (length > LARGEST && first !== undefined) throw dumpFileTooLargeError(first.file);
  return { manifest: writer.finish(), files, length };
}

export interface PackedFileReader {
  /** The file's present bytes. */
  chunks(file: PackedFile): Iterable<Uint8Array>;
  /** The same bytes; fails at the end where they are not the published ones. */
  read(file: PackedFile): Iterable<Uint8Array>;
}

/** Larger files are read twice, so that memory does not grow with them. */
const HELD = 8 << 20;

export function zipPackage(
  { manifest, files }: DumpPackage,
  reader: PackedFileReader,
): Iterable<Uint8Array> {
  return zipFile(contents());
  function* contents(): Generator<ZippedFile> {
    yield zippedFile(MANIFEST, manifest.length, [manifest]);
    for (const file of files) {
      const { name, length } = file;
      yield length < HELD
        ? zippedFile(name, length, [...reader.read(file)])
        : { name, length, crc: checksumOf(reader.chunks(file)), chunks: reader.read(file) };
    }
  }
}

function zippedFile(name: string, length: number, chunks: readonly Uint8Array[]): ZippedFile {
  return { name, length, crc: checksumOf(chunks), chunks };
}
