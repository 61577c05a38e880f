import { mkdirSync, rmSync } from "node:fs";
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

/** `site without dot folders`: a host that is never given any, so that it has no Source Description. */
export type MemoryKind = "output" | "path" | "site" | "site without dot folders";

export const MEMORIES: readonly MemoryKind[] = [
  "output",
  "path",
  "site",
  "site without dot folders",
];

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
    case "site without dot folders":
      host.folder = kept;
      return {
        previous: "site",
        url: host.url,
        recall: removeDocuments,
        keep(output) {
          replaceFolder(output, kept);
          if (kind === "site without dot folders") dropDotFolder(kept);
        },
      };
  }
}

/** What many hosts and deploy tools do to a site. */
export function dropDotFolder(folder: string): void {
  rmSync(join(folder, ".well-known"), { recursive: true, force: true });
}
