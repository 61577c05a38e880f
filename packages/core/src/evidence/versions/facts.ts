import { readFileSync } from "node:fs";
import type { Facts } from "../../builder.ts";
import { isPage } from "../../inventory/candidates.ts";
import { sourceFile } from "../file-times.ts";
import { blobId } from "../git/blob-id.ts";
import { pathName } from "../git/path-key.ts";
import type { Repository } from "../git/repository.ts";
import { readVersions } from "../git/versions.ts";
import type { KeyedRules } from "./keyed-rules.ts";

/** A file at one of its versions. */
export interface FileVersion {
  readonly key: string;
  readonly blob: string;
}

/** What the versions of sources and their data say that decides on pages. */
export class VersionFacts {
  /** Versions whose contents could not be had. */
  unread = 0;
  /** Ids of contents that were pages not for readers. */
  readonly hidden = new Set<string>();
  readonly #facts = new Map<string, Facts>();
  readonly #rules: KeyedRules;
  readonly #isHidden: (bytes: Uint8Array) => boolean;

  /** @param isHidden tells pages that are not for readers by their bytes; see `hiddenPages` */
  constructor(rules: KeyedRules, isHidden: (bytes: Uint8Array) => boolean) {
    this.#rules = rules;
    this.#isHidden = isHidden;
  }

  of({ key, blob }: FileVersion): Facts | undefined {
    return this.#facts.get(`${blob} ${key}`);
  }

  /** Reads versions that were committed, all in one go. */
  async readCommitted(repository: Repository, versions: Iterable<FileVersion>): Promise<void> {
    const keys = new Map<string, Set<string>>();
    for (const { key, blob } of versions) {
      const ofBlob = keys.get(blob);
      if (ofBlob === undefined) keys.set(blob, new Set([key]));
      else ofBlob.add(key);
    }
    for await (const { blob, bytes } of readVersions(repository, keys.keys())) {
      if (bytes === undefined) this.unread++;
      else for (const key of keys.get(blob) ?? []) this.#take({ key, blob }, bytes);
    }
  }

  /**
   * Reads a file as it stands in the working tree.
   *
   * @returns the id git would give to its contents; empty when it cannot be read
   */
  readStanding(repository: Repository, key: string): string {
    try {
      const bytes = readFileSync(sourceFile(repository, key));
      const blob = blobId(repository, bytes);
      if (this.#rules.roleOf(key) !== undefined) this.#take({ key, blob }, bytes);
      return blob;
    } catch {
      return "";
    }
  }

  #take({ key, blob }: FileVersion, bytes: Uint8Array): void {
    this.#facts.set(`${blob} ${key}`, this.#rules.read(key, bytes));
    if (isPage(pathName(key)) && this.#isHidden(bytes)) this.hidden.add(blob);
  }
}
