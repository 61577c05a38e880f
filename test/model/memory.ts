import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { removeDocuments, replaceFolder } from "./documents.ts";
import type { Host } from "./host.ts";

/** Where the last publication is remembered between two runs. */
export interface Memory {
  /** The option `previous`. */
  readonly previous: string;
  readonly url: string;
  /** Before a run. */
  recall(output: string): void;
  /** After a run that published. */
  keep(output: string): void;
}

export type MemoryKind = "output" | "path" | "site";

/** @param folder where the memory may keep what it needs */
export function memoryOf(kind: MemoryKind, folder: string, host: Host): Memory {
  const kept = join(folder, "kept");
  mkdirSync(kept);
  switch (kind) {
    case "output":
      return { previous: "output", url: "https://example.org/", recall() {}, keep() {} };
    case "path":
      return {
        previous: kept,
        url: "https://example.org/",
        recall: removeDocuments,
        keep: (output) => replaceFolder(output, kept),
      };
    case "site":
      host.folder = kept;
      return {
        previous: "site",
        url: host.url,
        recall: removeDocuments,
        keep: (output) => replaceFolder(output, kept),
      };
  }
}
