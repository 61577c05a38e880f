import { groupBy } from "@rs-emit/documents";
import type { FileChange } from "../git/log.ts";

/** Reads from the newest commit back to the oldest. Follows a folder that moved as a whole. */
export class CommittedFolder {
  readonly #isPage: (path: string) => boolean;
  #prefix: string;
  #files: Set<string>;

  /** @param isPage receives latin1 paths relative to the folder */
  constructor(prefix: string, committed: Iterable<string>, isPage: (path: string) => boolean) {
    this.#isPage = isPage;
    this.#prefix = prefix;
    this.#files = new Set([...committed].filter((key) => this.holds(key)));
  }

  /** The path in the commits that are not taken yet. */
  get prefix(): string {
    return this.#prefix;
  }

  holds(key: string): boolean {
    return key.startsWith(this.#prefix) && this.#isPage(this.pathOf(key));
  }

  pathOf(key: string): string {
    return key.slice(this.#prefix.length);
  }

  /** Also true for a file that may have moved into the folder. */
  wants(key: string, kind: FileChange["kind"]): boolean {
    return kind === "removed" || this.holds(key);
  }

  /** @returns whether the folder came to its path with this commit */
  take(changes: readonly FileChange[]): boolean {
    for (const { path, kind } of changes) {
      if (!this.holds(path)) continue;
      if (kind === "added") this.#files.delete(path);
      else this.#files.add(path);
    }
    const before = this.#folderBefore(changes);
    if (before === undefined) return false;
    this.#prefix = before;
    const left = changes.filter(({ path, kind }) => kind === "removed" && this.holds(path));
    this.#files = new Set(left.map(({ path }) => path));
    return true;
  }

  /** The folder is new; most of its files left another folder for the same paths, some of them unchanged. */
  #folderBefore(changes: readonly FileChange[]): string | undefined {
    if (this.#files.size > 0) return undefined;
    const left = changes.filter(({ kind }) => kind === "removed");
    const added = changes.filter(({ path, kind }) => kind === "added" && this.holds(path));
    const leftFrom = groupBy(left, ({ previous }) => previous);
    const paths = new Set(left.map(({ path }) => path));
    const tried = new Set<string>();
    for (const file of added) {
      const place = this.pathOf(file.path);
      for (const { path } of leftFrom.get(file.blob) ?? []) {
        if (path !== place && !path.endsWith(`/${place}`)) continue;
        const folder = path.slice(0, path.length - place.length);
        if (tried.has(folder)) continue;
        tried.add(folder);
        const moved = added.filter((one) => paths.has(folder + this.pathOf(one.path)));
        if (moved.length * 2 > added.length) return folder;
      }
    }
    return undefined;
  }
}
