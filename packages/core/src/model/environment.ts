import type { WriteLimits } from "@rs-emit/documents";
import type { SiteLimits } from "../recall/http.ts";
import type { FileSystem } from "../write/file-system.ts";
import type { Builder } from "./builder.ts";

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
  /** Asks whether nothing was ever published, where the live site cannot tell. */
  readonly confirmFirst?: (why: string) => Promise<boolean>;
  /** Asks whether a folder is meant that looks like no built site. */
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
