import type { FileChange } from "../git/log.ts";
import { textOf } from "../git/repository.ts";
import { groupBy } from "../model/group.ts";
import type { EditInfo, PageAddress, PageEvent } from "./events.ts";

/** An event of which the contents of the version tell whether it was for readers. */
export interface OutputEvent extends PageEvent {
  isExcluded: boolean;
}

/**
 * The history of the files of a tracked output folder, told as that of their pages. Commits are taken
 * newest first; a folder that was moved as a whole is followed to where it was before.
 */
export class OutputFiles {
  readonly #output: TrackedOutput | undefined;
  readonly #addressOf: (file: string) => PageAddress | undefined;
  /** What the keys of the folder's files begin with, at the commit taken last. */
  #prefix: string;
  /** Keys of the files that stood in the folder then. */
  #standing: Set<string>;
  #urls = new Map<string, string | undefined>();

  constructor(
    output: TrackedOutput | undefined,
    addressOf: (file: string) => PageAddress | undefined,
  ) {
    this.#output = output;
    this.#addressOf = addressOf;
    this.#prefix = output?.prefix ?? "";
    const committed = [...(output?.committed ?? [])];
    this.#standing = new Set(committed.filter((key) => this.urlOf(key) !== undefined));
  }

  /** The URL of the page whose history is that of a file, by the file's key. */
  urlOf(key: string): string | undefined {
    if (this.#output === undefined) return undefined;
    const known = this.#urls.get(key);
    if (known !== undefined || this.#urls.has(key)) return known;
    const url = this.#findUrl(key, this.#output);
    this.#urls.set(key, url);
    return url;
  }

  /** Whether a change must be taken: of a file of the folder, or of one that may have moved into it. */
  wants(path: string, kind: FileChange["kind"]): boolean {
    return this.#output !== undefined && (kind === "removed" || this.urlOf(path) !== undefined);
  }

  /** Takes the changes of the commit before the one taken last, and tells what it did to pages. */
  take(changes: readonly FileChange[], moment: EditInfo): OutputEvent[] {
    const inFolder = changes.filter(({ path }) => this.urlOf(path) !== undefined);
    for (const { path, kind } of inFolder) {
      if (kind === "added") this.#standing.delete(path);
      else this.#standing.add(path);
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
    this.#standing = new Set(left.map(({ source }) => source));
    return [...left, ...arrived];
  }

  /**
   * What the keys of the folder began with before a commit that moved it as a whole: the folder did not
   * exist before, most of its files left another one for the same places here, and some unchanged.
   */
  #folderBefore(changes: readonly FileChange[]): string | undefined {
    if (this.#standing.size > 0) return undefined;
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
    return changes.flatMap(({ path: source, kind, blob }) => {
      const url = this.urlOf(source);
      return url === undefined ? [] : { url, source, kind, blob, time, message, isExcluded: false };
    });
  }

  #findUrl(key: string, { followsFile }: TrackedOutput): string | undefined {
    const prefix = this.#prefix;
    const file = key.startsWith(prefix) ? textOf(key.slice(prefix.length)) : undefined;
    const url = file === undefined ? undefined : this.#addressOf(file)?.url;
    return url !== undefined && followsFile(url) ? url : undefined;
  }
}

/** An output folder with tracked files. */
export interface TrackedOutput {
  /** What the keys of its files begin with. */
  readonly prefix: string;
  /** Keys of the files of the commit checked out, of other folders too. */
  readonly committed: ReadonlySet<string>;
  /** Whether the history of the page at a URL is that of the file in the output folder. */
  followsFile(url: string): boolean;
}
