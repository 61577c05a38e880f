import type { Attributes, ElementKind } from "./elements.ts";
import { collapsed } from "./text-flow.ts";
import { isDull } from "./texts/dull.ts";

const HEADING = /^h[1-6]$/;

/** Editors and templates write these where the author wrote no title; an unclosed one contains tags. */
const NO_TITLE =
  /^(?:<!--.*|.*<\/\w.*|untitled(?: document| page)?|document|new page(?: \d+)?|(?:web)?page title|title|index(?:\.s?html?)?)?$/is;

export function saysSomething(title: string | undefined): boolean {
  return !NO_TITLE.test(title ?? "");
}

const HAS_WORDS = /[\p{L}\p{N}]/u;

/** Headings further down are of a page's parts, and a longer one is no name. UTF-16 code units. */
const MOST_HEADINGS = 3;
const LONGEST_HEADING = 200;

/**
 * The first headings outside the page chrome that may name a page whose title does not: no dates, labels or links.
 */
export class FirstHeadings {
  readonly #found = new Set<string>();
  #text = "";
  #inHeading = 0;
  /** The depth of elements in a link. */
  #inLink = 0;
  #leadsAway = false;
  /** The length of the text before the link. */
  #beforeLink = 0;
  #hasOwnWords = false;
  #skipped = 0;

  open({ name, isChrome, isUnseen, isNotThePage }: ElementKind, { href }: Attributes): void {
    if (this.#isDone()) return;
    if (this.#skipped > 0 || isChrome || isUnseen || isNotThePage) {
      this.#skipped += 1;
      return;
    }
    const isLink = name === "a" && href !== undefined;
    if (isLink && this.#inLink === 0) {
      this.#leadsAway = !href.startsWith("#");
      this.#beforeLink = this.#text.length;
    }
    if (this.#inLink > 0 || isLink) this.#inLink += 1;
    if (this.#inHeading > 0 || HEADING.test(name)) this.#inHeading += 1;
  }

  close({ breaksLine }: ElementKind): void {
    if (this.#isDone()) return;
    if (this.#skipped > 0) {
      this.#skipped -= 1;
      return;
    }
    if (this.#inLink === 1) this.#endLink();
    if (this.#inLink > 0) this.#inLink -= 1;
    if (this.#inHeading === 0) return;
    this.#inHeading -= 1;
    if (this.#text === "") return;
    if (this.#inHeading > 0) {
      if (breaksLine) this.#text += " ";
      return;
    }
    const text = collapsed(this.#text);
    const mayName = this.#hasOwnWords && text.length <= LONGEST_HEADING && !text.endsWith(":");
    if (mayName && !isDull(text) && saysSomething(text)) this.#found.add(text);
    [this.#text, this.#hasOwnWords] = ["", false];
  }

  /** Of a sign that links the heading nothing stays. */
  #endLink(): void {
    if (this.#leadsAway || HAS_WORDS.test(this.#text.slice(this.#beforeLink))) return;
    this.#text = this.#text.slice(0, this.#beforeLink);
  }

  write(data: string): void {
    if (this.#inHeading === 0 || this.#skipped > 0 || this.#isDone()) return;
    // Leading space is dropped, since a page may have any number of headings without words.
    if (this.#text !== "" || collapsed(data) !== "") this.#text += data;
    this.#hasOwnWords ||= HAS_WORDS.test(data) && (this.#inLink === 0 || !this.#leadsAway);
  }

  get texts(): readonly string[] {
    return [...this.#found];
  }

  #isDone(): boolean {
    return this.#found.size >= MOST_HEADINGS;
  }
}
