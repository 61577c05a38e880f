import { crc32, deflateRawSync } from "node:zlib";

/** A file of a package, as anybody may write it. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: string | Uint8Array;
  readonly isDeflated?: boolean;
  /** The mode of a Unix system. */
  readonly mode?: number;
  /** What is said of its length, in place of the truth. */
  readonly listed?: number;
  /** It has the place of the file before it. */
  readonly isShared?: boolean;
}

/** A ZIP file (PKWARE's APPNOTE, sections 4.3.7, 4.3.12 and 4.3.16), without a check of anything. */
export function zipOf(files: readonly ZippedFile[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, isDeflated = false, mode = 0o100644, listed, isShared } of files) {
    const content = Buffer.from(bytes);
    const packed = isDeflated ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800, 2);
    common.writeUInt16LE(isDeflated ? 8 : 0, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(listed ?? content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE((mode << 16) >>> 0, 6);
    const before = isShared === true ? (locals.at(-1)?.length ?? 0) : 0;
    tail.writeUInt32LE(offset - before, 10);
    const head = Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, tail]);
    directory.push(Buffer.concat([head, Buffer.from(name)]));
    if (isShared === true) continue;
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
