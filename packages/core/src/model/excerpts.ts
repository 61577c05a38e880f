import type { BlockDigest } from "./memory.ts";

/** A block that a page did not have at the last publication, and that may be quoted. */
export interface Excerpt {
  readonly kind: "heading" | "text" | "picture" | "label";
  /** Of its text; see `memory.ts`. */
  readonly digest: BlockDigest;
  /** One line, cut; empty for a picture without a description. */
  readonly text: string;
  /** Where it stands on its page: `#id`, `#:~:text=…` or both. */
  readonly place: string | undefined;
}

export interface Excerpts {
  /** Best first; only the first ones of a page with many. */
  readonly kept: readonly Excerpt[];
  /** Of all that may be quoted. */
  readonly digests: readonly BlockDigest[];
}
