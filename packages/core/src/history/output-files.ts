import type { FileChange } from "../git/log.ts";
import { textOf } from "../git/repository.ts";
import type { PageMemory } from "../model/page-memory.ts";
import type { EditInfo, PageAddress, PageEvent } from "./page-history.ts";
import { CommittedFolder } from "./published-folder.ts";

/** An event of a page's own file, whose version is not read yet. */
export interface OutputEvent extends PageEvent {
  readonly path: string;
  isExcluded: boolean;
  title?: string | undefined;
  headings?: readonly string[] | undefined;
  content?: string | undefined;
  markup?: string | undefined;
  blocks?: PageMemory | undefined;
}

/** Commits are read newest first. */
export class OutputFiles {
  readonly #output: TrackedOutput | undefined;
  readonly #folder: CommittedFolder;
  readonly #addressOf: (file: string) => PageAddress | undefined;
  readonly #urls = new Map<string, string | undefined>();

  constructor(
    output: TrackedOutput | undefined,
    addressOf: (file: string) => PageAddress | undefined,
  ) {
    this.#output = output;
    this.#addressOf = addressOf;
    const { prefix = "", committed = [] } = output ?? {};
    const isPage = (path: string) => this.#urlBelow(path) !== undefined;
    this.#folder = new CommittedFolder(prefix, committed, isPage);
  }

  urlOf(key: string): string | undefined {
    const url = this.#folder.holds(key) ? this.#urlBelow(this.#folder.pathOf(key)) : undefined;
    return url !== undefined && this.#output?.followsFile(url) ? url : undefined;
  }

  endSource(url: string): void {
    this.#output?.endSource(url);
  }

  /** Also true for a file that may have moved into the folder. */
  wants(path: string, kind: FileChange["kind"]): boolean {
    return this.#output !== undefined && this.#folder.wants(path, kind);
  }

  take(changes: readonly FileChange[], moment: EditInfo): OutputEvent[] {
    const arrived = this.#eventsOf(changes, moment);
    if (!this.#folder.take(changes)) return arrived;
    const left = changes.filter(({ kind }) => kind === "removed");
    return [...this.#eventsOf(left, moment), ...arrived];
  }

  #eventsOf(changes: readonly FileChange[], { time, message }: EditInfo): OutputEvent[] {
    return changes.flatMap(({ path: source, kind, blob: hash }) => {
      const url = this.urlOf(source);
      if (url === undefined) return [];
      const path = this.#folder.pathOf(source);
      return { url, source, path, kind, hash, time, message, isExcluded: false };
    });
  }

  #urlBelow(path: string): string | undefined {
    const known = this.#urls.get(path);
    if (known !== undefined || this.#urls.has(path)) return known;
    const file = this.#output === undefined ? undefined : textOf(path);
    const url = file === undefined ? undefined : this.#addressOf(file)?.url;
    this.#urls.set(path, url);
    return url;
  }
}

export interface TrackedOutput {
  readonly prefix: string;
  readonly committed: ReadonlySet<string>;
  followsFile(url: string): boolean;
  /** Before its source file existed, a page is dated by its own file. */
  endSource(url: string): boolean;
}
