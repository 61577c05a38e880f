/** What a site builder tells core; paths of source files are absolute, those of pages are below the output folder. */
import type { WriteLimits } from "@rs-emit/documents";
import type { FileSystem } from "./file-system.ts";

/** What a site builder knows of the site it has just built. */
export interface Builder {
  /** The project's folder, an absolute path. The repository around it holds the history. */
  readonly project: string;
  /** What the builder says of a file of the output folder. */
  readonly annotate?: ((file: string) => Annotation | undefined) | undefined;
  /** The source files of a page, its own first: absolute paths. Empty where the builder knows none. */
  readonly sourceFiles: (file: string) => readonly string[];
  /** URLs of pages that a server makes on demand, so that no file stands for them. */
  readonly onDemand?: readonly string[];
}

/** What a builder says of a file of the output folder. */
export interface Annotation {
  /** The URL, where the builder knows better than the file's name. */
  readonly url?: string | undefined;
  /** The author opted this page out. */
  readonly excluded?: true | undefined;
  /** The builder neither wrote nor copied the file this time. */
  readonly stale?: true | undefined;
  /** The author's note in the page's data. */
  readonly note?: string | undefined;
  /** Whether the author calls changes of the page minor. */
  readonly minor?: boolean | undefined;
}

/** How far a run is. A step that cannot be counted has a total of 0. */
export interface Progress {
  readonly step: "lock" | "recall" | "inventory" | "history" | "commits" | "publish";
  readonly done: number;
  readonly total: number;
  /** The commit that is being taken, and when it was made: UTC seconds. */
  readonly about?: { readonly time: number; readonly subject: string };
}

/** What surrounds a run and is no option: builders, terminals and tests put their own in place. */
export interface Environment {
  /** The clock: UTC seconds. */
  readonly clock?: () => number;
  /** Asks whether nothing was ever published, where the live site cannot tell; `why` is the problem. */
  readonly confirmFirst?: (why: string) => Promise<boolean>;
  /** Asks whether a folder is meant that looks like no built site; `why` is the problem. */
  readonly confirmFolder?: (why: string) => Promise<boolean>;
  readonly onProgress?: (progress: Progress) => void;
  /** Where copies of the live site's documents are kept. */
  readonly cacheFolder?: string;
  /** What a site builder knows of its pages; absent for sites built by hand. */
  readonly builder?: Builder;
  /** Where the output folder's documents were put aside, since the builder empties it. */
  readonly documents?: string;
  readonly limits?: Partial<WriteLimits>;
  readonly siteLimits?: Partial<SiteLimits>;
  readonly fileSystem?: FileSystem;
  /** How long to wait for another run on the same folder. */
  readonly lockMilliseconds?: number;
}

/** Bounds on reading the live site. */
export interface SiteLimits {
  /** Milliseconds for one document, from the request to its last byte. */
  readonly milliseconds: number;
  /** Bytes of one document after decompression; ours end at 50 MB. */
  readonly bytes: number;
  readonly redirects: number;
}
