import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { DISK, type FileSystem } from "../../src/model/file-system.ts";

/** The disk, without waiting for it: no test switches the machine off. */
export const UNFLUSHED: FileSystem = { ...DISK, flush: async () => {} };

/** A disk whose calls fail from one on, some or all. */
export class FailingDisk implements FileSystem {
  renamed = 0;
  failed = false;
  #calls = 0;
  readonly #first: number;
  readonly #count: number;
  readonly #code: string;

  constructor(first: number, count: number, code: string) {
    this.#first = first;
    this.#count = count;
    this.#code = code;
  }

  makeFolder(path: string): void {
    this.#call();
    DISK.makeFolder(path);
  }

  write(path: string, bytes: Uint8Array): void {
    writeFileSync(path, bytes.subarray(0, bytes.length / 2));
    this.#call();
    writeFileSync(path, bytes);
  }

  writeChunks(path: string, chunks: Iterable<Uint8Array>): void {
    DISK.writeChunks(path, chunks);
    this.write(path, readFileSync(path));
  }

  overwrite(path: string, bytes: Uint8Array): void {
    this.#call();
    DISK.overwrite(path, bytes);
  }

  copy(from: string, to: string): void {
    this.#call();
    copyFileSync(from, to);
  }

  imitate(path: string, model: string): void {
    this.#call();
    DISK.imitate(path, model);
  }

  async flush(): Promise<void> {
    this.#call();
  }

  rename(from: string, to: string): void {
    this.#call();
    DISK.rename(from, to);
    this.renamed++;
  }

  remove(path: string): void {
    this.#call();
    DISK.remove(path);
  }

  #call(): void {
    const call = this.#calls++;
    if (call < this.#first || call >= this.#first + this.#count) return;
    this.failed = true;
    throw Object.assign(new Error(`${this.#code}: injected`), { code: this.#code });
  }
}
