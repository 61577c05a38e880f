import { statSync, truncateSync } from "node:fs";
import { DISK, type FileSystem } from "../../packages/core/src/model/file-system.ts";
import { QUICK_DISK } from "../model/documents.ts";

/** What a kill looks like from inside the process: nothing after it happens. */
export class Killed extends Error {}

/**
 * A disk whose process is killed at one of its operations. Files are torn: a write that is cut off
 * leaves half of its bytes.
 */
export class CrashingDisk implements FileSystem {
  /** Operations that were begun. */
  operations = 0;
  /** The operation that first put something in its place. */
  firstRename = 0;
  readonly #last: number;

  /** @param last the operations that are still done; the one after them is not, or only half */
  constructor(last: number) {
    this.#last = last;
  }

  makeFolder(path: string): void {
    this.#do(() => DISK.makeFolder(path));
  }

  write(path: string, bytes: Uint8Array): void {
    const half = bytes.subarray(0, bytes.length / 2);
    this.#do(
      () => QUICK_DISK.write(path, bytes),
      () => QUICK_DISK.write(path, half),
    );
  }

  writeChunks(path: string, chunks: Iterable<Uint8Array>): void {
    const write = () => DISK.writeChunks(path, chunks);
    this.#do(write, () => {
      write();
      truncateSync(path, Math.floor(statSync(path).size / 2));
    });
  }

  overwrite(path: string, bytes: Uint8Array): void {
    const half = bytes.subarray(0, bytes.length / 2);
    this.#do(
      () => DISK.overwrite(path, bytes),
      () => DISK.overwrite(path, half),
    );
  }

  copy(from: string, to: string): void {
    this.#do(() => QUICK_DISK.copy(from, to));
  }

  imitate(path: string, model: string): void {
    this.#do(() => QUICK_DISK.imitate(path, model));
  }

  async flush(): Promise<void> {
    this.#do(() => {});
  }

  rename(from: string, to: string): void {
    this.#do(() => DISK.rename(from, to));
    this.firstRename ||= this.operations;
  }

  remove(path: string): void {
    this.#do(() => DISK.remove(path));
  }

  #do(whole: () => void, torn: () => void = () => {}): void {
    this.operations += 1;
    if (this.operations <= this.#last) {
      whole();
    } else {
      if (this.operations === this.#last + 1) torn();
      throw new Killed();
    }
  }
}
