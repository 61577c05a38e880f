/** Paths of source files are absolute, those of pages are below the output folder. */
import type { WriteLimits } from "@rs-emit/documents";
import type { FileSystem } from "./file-system.ts";

/** What a site builder knows of the site that it built. */
export interface Builder {
  /** The project's folder, an absolute path. The repository around it holds the history. */
  readonly project: string;
  readonly annotate?: ((file: string) => Annotation | undefined) | undefined;
  /** The source files of a page, its own first: absolute paths, empty where unknown. */
  readonly sourceFiles: (file: string) => readonly string[];
  readonly onDemand?: readonly string[];
  /** URLs of other such pages, of which followers hear nothing. */
  readonly unlisted?: readonly string[];
}

/** What a builder knows of a file of the output folder. */
export interface Annotation {
  /** Set where the file's name does not decide the URL. */
  readonly url?: string | undefined;
  readonly excluded?: true | undefined;
  /** Made by the builder to be a page, also where it has no `html`, `head` or title. */
  readonly isPage?: true | undefined;
  /** The builder neither wrote nor copied the file this time. */
  readonly stale?: true | undefined;
  readonly note?: string | undefined;
  /** Whether the author marks changes of the page as minor. */
  readonly minor?: boolean | undefined;
}

/** The progress of a step; `total` is 0 where it cannot be counted. */
export interface Progress {
  readonly step: "lock" | "recall" | "inventory" | "history" | "commits" | "publish";
  readonly done: number;
  readonly total: number;
  /** The commit that is being read; its time in UTC seconds. */
  readonly about?: { readonly time: number; readonly subject: string };
}

/** What a run needs beside its options; every part has a default. */
export interface Environment {
  /** The clock: UTC seconds. */
  readonly clock?: () => number;
  /** Asks whether nothing was published, when the live site is unclear; `why` is the problem. */
  readonly confirmFirst?: (why: string) => Promise<boolean>;
  /** Asks whether a folder is meant that looks like no built site; `why` is the problem. */
  readonly confirmFolder?: (why: string) => Promise<boolean>;
  readonly onProgress?: (progress: Progress) => void;
  readonly cacheFolder?: string;
  /** Absent for sites built by hand. */
  readonly builder?: Builder;
  /** Keeps the output folder's documents while the builder empties that folder. */
  readonly documents?: string;
  readonly limits?: Partial<WriteLimits>;
  readonly dumpLimits?: Partial<DumpLimits>;
  readonly siteLimits?: Partial<SiteLimits>;
  readonly fileSystem?: FileSystem;
  readonly lockMilliseconds?: number;
}

/** For one package. */
export interface DumpLimits {
  /** Passed only by a single file that is larger. */
  readonly bytes: number;
  readonly files: number;
}

/** Cloudflare Pages takes files of 25 MiB. Entries: those of a list (ResourceSync 1.1, section 7). */
export const DUMP_LIMITS: DumpLimits = { bytes: 20 * 1024 ** 2, files: 50_000 };

export interface SiteLimits {
  /** For one attempt at a document, from the request to its last byte. */
  readonly milliseconds: number;
  /** For one document after decompression; ours end at 50 MB. */
  readonly bytes: number;
  readonly redirects: number;
}

/** What a backfill needs beside its options. */
export interface BackfillEnvironment extends Environment {
  /** Ends the run; its progress is kept for the next one. */
  readonly signal?: AbortSignal;
}
