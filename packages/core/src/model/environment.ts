/** Paths of source files are absolute, those of pages are below the output folder. */
import type { WriteLimits } from "@rs-emit/documents";
import type { FileSystem } from "./file-system.ts";

/** What a site builder knows of the site that it built. */
export interface Builder {
  /** Absolute path. Git's history is read from the repository around it. */
  readonly project: string;
  readonly annotate?: ((file: string) => Annotation | undefined) | undefined;
  /** Absolute paths of a page's source files, its own file first; empty where unknown. */
  readonly sourceFiles: (file: string) => readonly string[];
  readonly onDemand?: readonly string[];
  /** URLs of more such pages, which are left out of the log. */
  readonly unlisted?: readonly string[];
}

/** What a builder knows of a file in the output folder. */
export interface Annotation {
  /** Set where the file's name does not determine the URL. */
  readonly url?: string | undefined;
  readonly excluded?: true | undefined;
  /** The builder made the file as a page, even if it has no `html`, `head` or title. */
  readonly isPage?: true | undefined;
  /** The builder neither wrote nor copied the file in this build. */
  readonly stale?: true | undefined;
  readonly note?: string | undefined;
  readonly minor?: boolean | undefined;
}

/** The progress of a step; `total` is 0 where it cannot be counted. */
export interface Progress {
  readonly step: "lock" | "recall" | "inventory" | "history" | "commits" | "publish";
  readonly done: number;
  readonly total: number;
  /** The commit that is being read; its time is in UTC seconds. */
  readonly about?: { readonly time: number; readonly subject: string };
}

/** What a run needs beside its options; every part has a default. */
export interface Environment {
  /** The clock: UTC seconds. */
  readonly clock?: () => number;
  /** Called when the live site is unclear; `why` is the problem. True: nothing was published. */
  readonly confirmFirst?: (why: string) => Promise<boolean>;
  /** Called for a folder that looks like no built site; `why` is the problem. True: use it. */
  readonly confirmFolder?: (why: string) => Promise<boolean>;
  /** Asks whether most pages of a collection are meant to be gone; `why` is the problem. */
  readonly confirmMassDelete?: (why: string) => Promise<boolean>;
  /**
   * Asks before links are first written into the author's pages, with the lines as they will stand; absent where
   * nobody can be asked. False: the run goes on without them.
   */
  readonly confirmLinks?: (why: string, lines: readonly string[]) => Promise<boolean>;
  readonly onProgress?: (progress: Progress) => void;
  readonly cacheFolder?: string;
  readonly builder?: Builder;
  /** Keeps the output folder's documents while the builder empties that folder. */
  readonly documents?: string;
  readonly limits?: Partial<WriteLimits>;
  readonly dumpLimits?: Partial<DumpLimits>;
  readonly siteLimits?: Partial<SiteLimits>;
  readonly fileSystem?: FileSystem;
  readonly lockMilliseconds?: number;
}

export interface DumpLimits {
  /** Only a package with a single, larger file exceeds it. */
  readonly bytes: number;
  readonly files: number;
}

/** Cloudflare Pages accepts files up to 25 MiB. ResourceSync 1.1, section 7, limits entries. */
export const DUMP_LIMITS: DumpLimits = { bytes: 20 * 1024 ** 2, files: 50_000 };

export interface SiteLimits {
  /** For one attempt to read a document, from the request to its last byte. */
  readonly milliseconds: number;
  /** For one document after decompression. rs-emit writes at most 50 MB. */
  readonly bytes: number;
  readonly redirects: number;
}

export interface BackfillEnvironment extends Environment {
  readonly signal?: AbortSignal;
  /** Aborts when a build has had its time; by default `AbortSignal.timeout`. */
  readonly deadline?: (milliseconds: number) => AbortSignal;
}
