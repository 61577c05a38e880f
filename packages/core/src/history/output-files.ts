import type { FileChange } from "../git/log.ts";
import { textOf } from "../git/paths.ts";
import type { Moment, PageAddress, PageEvent } from "./events.ts";
import type { TrackedOutput } from "./page-files.ts";

/** An event of which the contents of the version tell whether it was for readers. */
export interface OutputEvent extends PageEvent {
  hidden: boolean;
}

/** The history of the files of a tracked output folder, told as that of their pages. */
export class OutputFiles {
  readonly #urls = new Map<string, string | undefined>();
  readonly #output: TrackedOutput | undefined;
  readonly #addressOf: (file: string) => PageAddress | undefined;

  constructor(
    output: TrackedOutput | undefined,
    addressOf: (file: string) => PageAddress | undefined,
  ) {
    this.#output = output;
    this.#addressOf = addressOf;
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

  /** What a commit did to pages. */
  events(changes: readonly FileChange[], moment: Moment): OutputEvent[] {
    const { time, message } = moment;
    const events: OutputEvent[] = [];
    for (const { path: source, kind, blob } of changes) {
      const url = this.urlOf(source);
      if (url !== undefined) {
        events.push({ url, source, kind, blob, time, message, hidden: false });
      }
    }
    return events;
  }

  #findUrl(key: string, { prefix, isTold }: TrackedOutput): string | undefined {
    const file = key.startsWith(prefix) ? textOf(key.slice(prefix.length)) : undefined;
    const url = file === undefined ? undefined : this.#addressOf(file)?.url;
    return url !== undefined && isTold(url) ? url : undefined;
  }
}
