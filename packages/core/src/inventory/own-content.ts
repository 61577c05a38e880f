import { NormalForm } from "./normal-form.ts";
import { names } from "./text-flow.ts";

/** Never content: code, and what only the browser reads. `noscript` has what lazy pages show. */
export const UNSEEN = names("base head link meta script style template");

const SHELL = new Set([...UNSEEN, ...names("aside footer header nav")]);

type Attributes = Readonly<Record<string, string>>;

/** The outermost elements of one kind, in document order, as one text. */
class Parts {
  readonly form = new NormalForm();
  readonly #begins: (name: string, attribs: Attributes) => boolean;
  readonly #without: ReadonlySet<string>;
  /** Open elements from the part's own on; none outside every part. */
  #depth = 0;
  /** Open elements from the one on that is skipped. */
  #skipped = 0;

  constructor(
    begins: (name: string, attribs: Attributes) => boolean,
    without: ReadonlySet<string>,
    isInside = false,
  ) {
    this.#begins = begins;
    this.#without = without;
    if (isInside) this.#depth = 1;
  }

  /** @returns whether a part begins */
  open(name: string, attribs: Attributes): boolean {
    const isInside = this.#depth > 0;
    if (this.#skipped > 0 || (isInside ? this.#without : UNSEEN).has(name)) {
      this.#skipped += 1;
      return false;
    }
    if (!isInside && !this.#begins(name, attribs)) return false;
    this.#depth += 1;
    this.form.open(name, attribs);
    return !isInside;
  }

  close(name: string): void {
    if (this.#skipped > 0) this.#skipped -= 1;
    else if (this.#depth > 0) {
      this.#depth -= 1;
      this.form.close(name);
    }
  }

  write(data: string, shown: string): void {
    if (this.#depth > 0 && this.#skipped === 0) this.form.write(data, shown);
  }
}

/**
 * A page's own content by the default rule, as its tags and texts come: `main`, else `article`, else
 * the body without its shell. What comes first in this order may come last in the page, so each is
 * gathered until a better one is found.
 */
export class OwnContent {
  /** Better ones last. */
  #gathered = [
    new Parts(never, SHELL, true),
    new Parts(isBody, SHELL),
    new Parts(isArticle, UNSEEN),
    new Parts(isMain, UNSEEN),
  ];

  open(name: string, attribs: Attributes): void {
    for (let at = this.#gathered.length - 1; at >= 0; at--) {
      if (!this.#gathered[at]?.open(name, attribs)) continue;
      if (at > 0) this.#gathered = this.#gathered.slice(at);
      return;
    }
  }

  close(name: string): void {
    for (const parts of this.#gathered) parts.close(name);
  }

  write(data: string, shown: string): void {
    for (const parts of this.#gathered) parts.write(data, shown);
  }

  endText(): void {
    for (const parts of this.#gathered) parts.form.endText();
  }

  /** The form of the best that was found. */
  form(title: string | undefined): string {
    return this.#gathered[0]?.form.withTitle(title ?? "") ?? "";
  }
}

function never(): boolean {
  return false;
}

function isBody(name: string): boolean {
  return name === "body";
}

function isArticle(name: string): boolean {
  return name === "article";
}

function isMain(name: string, attribs: Attributes): boolean {
  return name === "main" || attribs.role?.trim().toLowerCase() === "main";
}
