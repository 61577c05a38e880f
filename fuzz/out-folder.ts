import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Found } from "./watch.ts";

/** Where a run writes inputs of one reader. */
export class OutFolder {
  readonly faults: string;
  readonly #grown: string;

  constructor(folder: string, reader: string) {
    this.faults = join(folder, "faults", reader);
    this.#grown = join(folder, "grown", reader);
    for (const one of [this.faults, this.#grown]) mkdirSync(one, { recursive: true });
  }

  /** What ran new code in the runs before. */
  grown(): Uint8Array[] {
    return readdirSync(this.#grown).map((name) => readFileSync(join(this.#grown, name)));
  }

  keep(bytes: Uint8Array): void {
    writeFileSync(join(this.#grown, nameOf(bytes)), bytes);
  }

  /** @returns the file of the input; beside it stands what is wrong */
  add({ fault, bytes }: Found): string {
    const path = join(this.faults, `${fault.kind}-${nameOf(bytes)}`);
    writeFileSync(path, bytes);
    writeFileSync(`${path}.txt`, `${fault.function}\n${fault.detail}\n`);
    return path;
  }
}

function nameOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 16);
}
