import type { ElementKind } from "./elements.ts";
import { collapsed } from "./for-readers.ts";

const HEADING = /^h[1-6]$/;

/** What editors and templates write where the author wrote no title. */
const NO_TITLE =
  /^(?:untitled(?: document| page)?|document|new page(?: \d+)?|page title|title|index(?:\.s?html?)?)?$/i;

/** Whether a title names its page. */
export function saysSomething(title: string | undefined): boolean {
  return !NO_TITLE.test(title ?? "");
}

/** What a page is called beside its collection's home page: the same title says nothing of it. */
export function titleBeside(
  home: string | undefined,
  title: string | undefined,
  heading: string,
): string | undefined {
  return title === home ? heading : title;
}

/** The first heading outside the chrome: what a page is called where its title says nothing. */
export class FirstHeading {
  #text = "";
  #inHeading = 0;
  #skipped = 0;
  #isDone = false;

  open({ name, isChrome, isUnseen, isNotThePage }: ElementKind): void {
    if (this.#isDone) return;
    if (this.#skipped > 0 || isChrome || isUnseen || isNotThePage) this.#skipped += 1;
    else if (this.#inHeading > 0 || HEADING.test(name)) this.#inHeading += 1;
  }

  close({ breaksLine }: ElementKind): void {
    if (this.#isDone) return;
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (this.#inHeading === 0) return;
    this.#inHeading -= 1;
    if (this.#text === "") return;
    if (this.#inHeading === 0) this.#isDone = true;
    else if (breaksLine) this.#text += " ";
  }

  write(data: string): void {
    if (this.#inHeading === 0 || this.#skipped > 0 || this.#isDone) return;
    // Space before the words is not kept: a page may have any number of headings without words.
    if (this.#text !== "" || collapsed(data) !== "") this.#text += data;
  }

  /** A copy, since V8 keeps the whole page alive for any slice of it. */
  get text(): string | undefined {
    return Buffer.from(collapsed(this.#text)).toString() || undefined;
  }
}
