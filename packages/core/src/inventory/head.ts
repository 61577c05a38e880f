import type { ElementKind } from "./elements.ts";
import { collapsed, type Hidden, hiddenBy } from "./readers.ts";

/** What a page says of itself: its title, and whether it is for readers. */
export class Head {
  hidden: Hidden | undefined;
  #title: string | undefined;
  /** Open elements from the title on; none outside it. */
  #inTitle = 0;
  /** Open elements from one on that says nothing of the page. */
  #skipped = 0;

  open({ name, isNotThePage }: ElementKind, attribs: Readonly<Record<string, string>>): void {
    if (this.#inTitle > 0) this.#inTitle += 1;
    if (this.#skipped > 0 || isNotThePage) {
      this.#skipped += 1;
    } else if (name === "title" && this.#title === undefined) {
      this.#title = "";
      this.#inTitle = 1;
    } else if (name === "meta") {
      this.hidden ??= hiddenBy(attribs);
    }
  }

  close(): void {
    if (this.#inTitle > 0) this.#inTitle -= 1;
    if (this.#skipped > 0) this.#skipped -= 1;
  }

  write(data: string): void {
    if (this.#inTitle > 0) this.#title += data;
  }

  /** White space collapsed; `undefined` when there is none, or an empty one. */
  get title(): string | undefined {
    // The copy lets go of the page: V8 keeps the whole text alive for any slice of it.
    return Buffer.from(collapsed(this.#title ?? "")).toString() || undefined;
  }
}
