import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const CHUNK = 1 << 20;
const SHA_256 = "sha-256:";

export interface Digest {
  readonly hash: string;
  readonly length: number;
}

/** ResourceSync 1.1, section 7. */
export function hashAttribute(hash: string): string {
  return SHA_256 + hash;
}

/** @returns hex; `undefined` without a SHA-256 */
export function sha256In(attribute: string | undefined): string | undefined {
  const token = attribute?.split(/\s+/).find((one) => one.startsWith(SHA_256));
  return token?.slice(SHA_256.length);
}

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

export function digestBytes(bytes: Uint8Array): Digest {
  return { hash: createHash("sha256").update(bytes).digest("hex"), length: bytes.length };
}
