import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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
  return digestChunks(readChunks(path));
}

export function digestChunks(chunks: Iterable<Uint8Array>): Digest {
  const digest = new RunningDigest();
  for (const _ of digest.of(chunks));
  return digest.finish();
}

export function* readChunks(path: string): Generator<Uint8Array, void> {
  const descriptor = openSync(path, "r");
  try {
    const { size } = fstatSync(descriptor);
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size + 1));
      const count = readSync(descriptor, chunk, 0, chunk.length, null);
      if (count > 0) yield chunk.subarray(0, count);
      if (count < chunk.length) return;
    }
  } finally {
    closeSync(descriptor);
  }
}

export function digestBytes(bytes: Uint8Array): Digest {
  return { hash: hash("sha256", bytes, "hex"), length: bytes.length };
}

export class RunningDigest {
  readonly #hash = createHash("sha256");
  #length = 0;

  *of(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
    for (const chunk of chunks) {
      this.#hash.update(chunk);
      this.#length += chunk.length;
      yield chunk;
    }
  }

  finish(): Digest {
    return { hash: this.#hash.digest("hex"), length: this.#length };
  }
}
