import type { Mark } from "./mark.ts";

/** What a page says, or shows, in one block. */
export interface Statement {
  readonly kind: "heading" | "text" | "picture" | "file";
  readonly mark: Mark;
  /** One line, cut where it is long; of a picture its description, of a file the link's words. */
  readonly text: string;
  /** A picture's or file's; empty for a text. */
  readonly name: string;
  /** Whether the words may stand elsewhere than on the page. */
  readonly isQuotable: boolean;
  /** Texts of the links in it. */
  readonly links: readonly string[];
  /** What stands outside of them. */
  readonly rest: string;
  /** Whether it only leads to another place of its page. */
  readonly isAnchor: boolean;
  /** Whether it waits behind a click. */
  readonly isHidden: boolean;
  /** Where it stands: `#id`, `#:~:text=…` or both. */
  readonly place?: string | undefined;
}
