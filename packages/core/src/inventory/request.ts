import type { Annotation } from "../model/builder.ts";
import type { Collection, Representation } from "../model/types.ts";
import type { DigestReader } from "./digest.ts";

/** What an inventory is taken of. */
export interface InventoryRequest {
  /** The output folder: an absolute path. */
  readonly folder: string;
  /** The site's URL; ends with a slash. */
  readonly site: string;
  /** Of nested collections, the deepest has a page; pages of none are `outside`. */
  readonly collections: readonly Collection[];
  /** Globs of files that are resources besides pages. */
  readonly include: readonly string[];
  /** Globs of files that are not resources. */
  readonly exclude: readonly string[];
  /** Whether the host serves `page.html` as `page`. */
  readonly cleanUrls: boolean;
  /** CSS selectors of a page's own content; none for the default rule. */
  readonly content: readonly string[];
  /**
   * What the last snapshot knows of bytes with this hash. A page whose content it knows is not
   * parsed.
   */
  readonly known: (
    hash: string,
  ) => Pick<Representation, "title" | "content" | "markup"> | undefined;
  /** Whether a file is one of ResourceSync's own documents: never a resource. */
  readonly isOwnDocument: (file: string) => boolean;
  /** What a builder says of a file; absent for sites built by hand. */
  readonly annotate?: (file: string) => Annotation | undefined;
  /** URLs of pages that a server makes on demand. */
  readonly onDemand: readonly string[];
  /** Whether a folder without pages is meant. */
  readonly anyFolder: boolean;
  /** Reads files; it may leave out the head of one whose content is known. */
  readonly digestOf?: DigestReader;
  readonly onProgress?: (done: number, total: number) => void;
}
