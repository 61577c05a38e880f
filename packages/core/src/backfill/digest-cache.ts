import { statSync } from "node:fs";
import { isPage } from "../inventory/candidates.ts";
import { type DigestReader, digestReader, type KnownDigest } from "../inventory/digest.ts";
import type { Known } from "./inventory.ts";

/** A file that was written less than this before it was read may be written again unnoticed. */
const CLOCK_MILLISECONDS = 50;

const NO_BYTES = new Uint8Array();

interface Cached {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly digest: KnownDigest;
}

/** Digests of files in working trees: of a file that no checkout wrote since, by its times alone. */
export class DigestCache {
  readonly #read = digestReader();
  readonly #cached = new Map<string, Cached>();

  /** @param known a page with bytes that it knows need not be parsed, so its bytes are not wanted */
  reader(known: Known): DigestReader {
    return (path, name) => {
      const stat = statSync(path, { throwIfNoEntry: false });
      const cached = this.#cached.get(path);
      const isSame =
        stat !== undefined &&
        cached !== undefined &&
        cached.ino === stat.ino &&
        cached.size === stat.size &&
        cached.mtimeMs === stat.mtimeMs &&
        cached.ctimeMs === stat.ctimeMs;
      if (isSame && (!isPage(name) || known(cached.digest.hash)?.content !== undefined)) {
        return { ...cached.digest, head: NO_BYTES };
      }
      const { head, ...digest } = this.#read(path, name);
      if (stat !== undefined && stat.ctimeMs < Date.now() - CLOCK_MILLISECONDS) {
        const { ino, size, mtimeMs, ctimeMs } = stat;
        this.#cached.set(path, { ino, size, mtimeMs, ctimeMs, digest });
      }
      return { ...digest, head };
    };
  }
}
