import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const CHUNK = 1 << 20;
const SHA_256 = "sha-256:";

/** The digest of a document: SHA-256 in hex, and its length in bytes. */
export interface Digest {
  readonly hash: string;
  readonly length: number;
}

/** A digest as the attribute `hash` spells it (ResourceSync 1.1, section 7). */
export function hashAttribute(hash: string): string {
  return SHA_256 + hash;
}

/** The SHA-256 in an attribute `hash`, in hex; `undefined` where it holds none. */
export function sha256In(attribute: string | undefined): string | undefined {
  const token = attribute?.split(/\s+/).find((one) => one.startsWith(SHA_256));
  return token?.slice(SHA_256.length);
}

/** The digest of a file, read in chunks. */
export function digestFile(path: string): Digest {
  const descriptor = openSync(path, "r");
  try {
    const hash = createHash("sha256");
    const chunk = Buffer.allocUnsafe(CHUNK);
    let length = 0;
    for (;;) {
      const count = readSync(descriptor, chunk, 0, CHUNK, null);
      if (count === 0) return { hash: hash.digest("hex"), length };
      hash.update(chunk.subarray(0, count));
      length += count;
    }
  } finally {
    closeSync(descriptor);
  }
}

/** The digest of bytes in memory. */
export function digestBytes(bytes: Uint8Array): Digest {
  return { hash: createHash("sha256").update(bytes).digest("hex"), length: bytes.length };
}
