import { type ElementKind, names } from "./elements.ts";
import { collapsed } from "./text-flow.ts";

/** UTF-16 code units. */
const LONGEST = 1000;

const SKIPPED = names("aside button footer form nav title");

/** Lists of pages repeat a page's first visible lines, for example a subtitle or an author's name. */
export class Opening {
  readonly #lines: string[] = [];
  #line = "";
  #length = 0;
  #skipped = 0;

  open({ name, breaksLine, isUnseen, isNotThePage }: ElementKind): void {
    if (this.#skipped > 0 || isUnseen || isNotThePage || SKIPPED.has(name)) this.#skipped += 1;
    else if (breaksLine) this.#endLine();
  }

  close({ breaksLine }: ElementKind): void {
    if (this.#skipped > 0) this.#skipped -= 1;
    else if (breaksLine) this.#endLine();
  }

  write(data: string): void {
    if (this.#skipped > 0 || this.#length >= LONGEST) return;
    this.#line += data;
    this.#length += data.length;
  }

  get lines(): readonly string[] {
    this.#endLine();
    return this.#lines;
  }

  #endLine(): void {
    if (this.#line === "") return;
    // A copy, since V8 keeps the whole page alive for any slice of it.
    const line = collapsed(this.#line).slice(0, LONGEST);
    this.#line = "";
    if (line !== "") this.#lines.push(line);
  }
}
