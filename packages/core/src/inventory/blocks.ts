import { type Block, pictureText, textDigest } from "../model/memory.ts";
import type { ElementKind } from "./elements.ts";
import { type FormVisitor, unescaped, valueIn, visitForm } from "./form-tokens.ts";
import { sentencesOf } from "./words.ts";

/** Sees what each block is made of. */
export interface BlockWatcher {
  open(element: ElementKind, tag: string, at: number): void;
  close(element: ElementKind): void;
  /** A piece of the block's text, escaped. */
  text(text: string, at: number): void;
  /** The text is complete; a long one is a block for each sentence. */
  end(blocks: readonly Block[]): void;
  /** The block is a picture. */
  picture(name: string, tag: string, at: number): void;
}

const MEDIA = new Set(["audio", "img", "source", "video"]);

/**
 * Cuts a normal form, without its title, into blocks: what stands between two line breaks, and each
 * picture. A block has the tags that open before its text and close after it, so that together they are
 * the whole form.
 */
export function blocksOf(form: string, watcher?: BlockWatcher): readonly Block[] {
  const cutter = new Cutter(watcher);
  visitForm(form, cutter);
  return cutter.finish();
}

/** The name of a picture's, video's or sound's file; `undefined` for other elements. */
export function fileNameIn({ name }: ElementKind, tag: string): string | undefined {
  const source = MEDIA.has(name) ? valueIn(tag, "src") : undefined;
  if (source === undefined || /^data:/i.test(source)) return undefined;
  const path = source.replace(/[?#].*$/s, "");
  return path.slice(path.lastIndexOf("/") + 1) || undefined;
}

class Cutter implements FormVisitor {
  readonly #watcher: BlockWatcher | undefined;
  readonly #blocks: Block[] = [];
  #text = "";
  #markup = "";
  /** Tags after the last piece of text. */
  #tags = "";
  #isPicture = false;
  #isEnded = false;

  constructor(watcher: BlockWatcher | undefined) {
    this.#watcher = watcher;
  }

  open(element: ElementKind, tag: string, at: number): void {
    if (this.#text !== "" && (element.breaksLine || this.#isEnded)) this.#cut();
    this.#tags += tag;
    this.#watcher?.open(element, tag, at);
    const name = fileNameIn(element, tag);
    if (name === undefined) return;
    if (this.#text !== "") this.#cut();
    this.#begin(pictureText(name));
    this.#watcher?.picture(name, tag, at);
    this.#isPicture = true;
    this.#isEnded = true;
  }

  close(element: ElementKind, tag: string): void {
    this.#tags += tag;
    if (element.breaksLine) this.breakLine();
    this.#watcher?.close(element);
  }

  breakLine(): void {
    if (this.#text !== "") this.#isEnded = true;
  }

  text(text: string, at: number): void {
    if (this.#isEnded) this.#cut();
    this.#watcher?.text(text, at);
    if (this.#text === "") this.#begin(unescaped(text));
    else {
      this.#markup += this.#text.length + this.#tags;
      this.#tags = "";
      this.#text += unescaped(text);
    }
  }

  finish(): readonly Block[] {
    if (this.#text !== "" || this.#tags !== "") this.#cut();
    return this.#blocks;
  }

  #begin(text: string): void {
    this.#markup = this.#tags;
    this.#tags = "";
    this.#text = text;
  }

  #cut(): void {
    const texts = sentencesOf(this.#text.trim());
    const sentences = texts.length === 1 ? "" : String(texts.length);
    const markup = `${this.#markup}|${sentences}${this.#tags}`;
    const blocks = texts.map((text) => ({ text, digest: textDigest(text), markup }));
    for (const block of blocks) this.#blocks.push(block);
    if (!this.#isPicture) this.#watcher?.end(blocks);
    this.#isPicture = false;
    this.#text = "";
    this.#markup = "";
    this.#tags = "";
    this.#isEnded = false;
  }
}
