import type { FileChange } from "../git/log.ts";
import { textOf } from "../git/repository.ts";
import { groupBy } from "../model/group.ts";
import type { EditInfo, PageAddress, PageEvent } from "./events.ts";

/** An event of a page's own file, whose version is yet to be read. */
export interface OutputEvent extends PageEvent {
  isExcluded: boolean;
  content?: string | undefined;
  markup?: string | undefined;
}

/**
 * Commits are read newest first; a folder that moved as a whole is followed to its earlier path.
 */
export class OutputFiles {
  readonly #output: TrackedOutput | undefined;
  readonly #addressOf: (file: string) => PageAddress | undefined;
  /** What the keys of the folder's files begin with, at the last commit read. */
  #prefix: string;
  #files: Set<string>;
  #urls = new Map<string, string | undefined>();

  constructor(
    output: TrackedOutput | undefined,
    addressOf: (file: string) => PageAddress | undefined,
  ) {
    this.#output = output;
    this.#addressOf = addressOf;
    this.#prefix = output?.prefix ?? "";
    const committed = [...(output?.committed ?? [])];
    this.#files = new Set(committed.filter((key) => this.urlOf(key) !== undefined));
  }

  urlOf(key: string): string | undefined {
    if (this.#output === undefined) return undefined;
    const known = this.#urls.get(key);
    if (known !== undefined || this.#urls.has(key)) return known;
    const url = this.#findUrl(key, this.#output);
    this.#urls.set(key, url);
    return url;
  }

  /** Also true for a file that may have moved into the folder. */
  wants(path: string, kind: FileChange["kind"]): boolean {
    return this.#output !== undefined && (kind === "removed" || this.urlOf(path) !== undefined);
  }

  take(changes: readonly FileChange[], moment: EditInfo): OutputEvent[] {
    const inFolder = changes.filter(({ path }) => this.urlOf(path) !== undefined);
    for (const { path, kind } of inFolder) {
      if (kind === "added") this.#files.delete(path);
      else this.#files.add(path);
    }
    const arrived = this.#eventsOf(inFolder, moment);
    const before = this.#folderBefore(changes);
    if (before === undefined) return arrived;
    this.#prefix = before;
    this.#urls = new Map();
    const left = this.#eventsOf(
      changes.filter(({ kind }) => kind === "removed"),
      moment,
    );
    this.#files = new Set(left.map(({ source }) => source));
    return [...left, ...arrived];
  }

  /** The folder is new, most of its files left another one for the same paths, some unchanged. */
  #folderBefore(changes: readonly FileChange[]): string | undefined {
    if (this.#files.size > 0) return undefined;
    const left = changes.filter(({ kind }) => kind === "removed");
    const added = changes.filter(
      ({ path, kind }) => kind === "added" && this.urlOf(path) !== undefined,
    );
    const placeOf = ({ path }: FileChange) => path.slice(this.#prefix.length);
    const leftFrom = groupBy(left, ({ previous }) => previous);
    const paths = new Set(left.map(({ path }) => path));
    const tried = new Set<string>();
    for (const file of added) {
      const place = placeOf(file);
      for (const { path } of leftFrom.get(file.blob) ?? []) {
        if (path !== place && !path.endsWith(`/${place}`)) continue;
        const folder = path.slice(0, path.length - place.length);
        if (tried.has(folder)) continue;
        tried.add(folder);
        const moved = added.filter((one) => paths.has(folder + placeOf(one)));
        if (moved.length * 2 > added.length) return folder;
      }
    }
    return undefined;
  }

  #eventsOf(changes: readonly FileChange[], { time, message }: EditInfo): OutputEvent[] {
    return changes.flatMap(({ path: source, kind, blob: hash }) => {
      const url = this.urlOf(source);
      return url === undefined ? [] : { url, source, kind, hash, time, message, isExcluded: false };
    });
  }

  #findUrl(key: string, { followsFile }: TrackedOutput): string | undefined {
    const prefix = this.#prefix;
    const file = key.startsWith(prefix) ? textOf(key.slice(prefix.length)) : undefined;
    const url = file === undefined ? undefined : this.#addressOf(file)?.url;
    return url !== undefined && followsFile(url) ? url : undefined;
  }
}

export interface TrackedOutput {
  readonly prefix: string;
  readonly committed: ReadonlySet<string>;
  /** Whether the page at a URL is dated by its file in the output folder. */
  followsFile(url: string): boolean;
}
