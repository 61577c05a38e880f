/** 22 bits of a digest, two of the kind, and 32 by which similar texts are found. */
export interface Mark {
  /** The lowest two of 24 bits are the kind. In a text's mark, the next eight are a digest of its digits. */
  readonly high: number;
  /** A long text's sketch, the digest of a short text's letters, or the digest of a picture's description. */
  readonly low: number;
}

/** A short text has up to three words: too few for a sketch. */
export const MARK_KINDS = ["long", "short", "picture", "file"] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

export function kindOf({ high }: Mark): MarkKind {
  return MARK_KINDS[high & 3] ?? "long";
}

/** Two different texts have one key less often than once in 2^50; two of the site's pictures, 2^22. */
export function keyOf(mark: Mark): number {
  const low = kindOf(mark) === "picture" ? 0 : mark.low;
  return mark.high * 2 ** 29 + (low >>> 3);
}

/** A text of fewer words is not searched by itself in the text of a new page. */
export const FEWEST_SOUGHT = 3;

export interface Statement {
  readonly kind: "heading" | "text" | "picture" | "file";
  readonly mark: Mark;
  /** One line, cut where it is long; a picture's description, an embed's title, or the words of a link to a file. */
  readonly text: string;
  /** The end of what stands before the text in its line, where the text is too short to be searched by itself. */
  readonly before: string;
  /** A picture's or a file's name, or the host of what is embedded, a file too; empty for a text. */
  readonly name: string;
  /** Of what is embedded from elsewhere. */
  readonly host?: string | undefined;
  /** Whether the page allows quoting the words. */
  readonly isQuotable: boolean;
  readonly links: readonly string[];
  readonly rest: string;
  /** Whether readers see it only after a click. */
  readonly isHidden: boolean;
  /** The author's date of it, as written: in its line. */
  readonly date?: string | undefined;
  /** `#id`, `#:~:text=…` or both. */
  readonly place?: string | undefined;
}
