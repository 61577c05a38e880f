import type { ParserOptions } from "htmlparser2";
import { elementKind } from "./elements.ts";
import { PageParser } from "./page-parser.ts";

/** A page that only links frames has one of these. A target that begins with `_` names no frame. */
const HINTS = /<frameset\b|\btarget\s*=\s*["']?(?!_|["'\s])/i;

/** Authors write these for a new window, besides `_blank`. */
const NEW_WINDOW = /^(?:_.*|new|blank)?$/i;

/** A picture inside a link counts as this many signs of text. */
const PICTURE = 10;

/** Outside its links, a menu has at most one sign for this many signs inside. */
const FEW = 4;

/** A page is a menu if it is a frameset, or only opens other pages of its site in another frame. */
export function isFrameMenu(html: string, options: ParserOptions): boolean {
  if (!HINTS.test(html)) return false;
  const menu = new MenuReader();
  new PageParser(menu, options).end(html);
  return menu.isFrameset || (menu.inLinks > 0 && menu.beside * FEW <= menu.inLinks + menu.beside);
}

class MenuReader {
  isFrameset = false;
  /** Signs of text inside links to other frames, and outside them. */
  inLinks = 0;
  beside = 0;
  depth = 0;
  #target = "";
  #unseen = 0;
  #link: { readonly depth: number; signs: number } | undefined;

  onopentag(name: string, attribs: Readonly<Record<string, string>>): void {
    this.depth += 1;
    if (name === "frameset") this.isFrameset = true;
    if (name === "base") this.#target = attribs.target ?? this.#target;
    if (this.#unseen > 0 || name === "title" || elementKind(name).isUnseen) this.#unseen += 1;
    else if (name === "a" && this.#opensFrame(attribs)) {
      this.#endLink();
      this.#link = { depth: this.depth, signs: 0 };
    }
  }

  onclosetag(): void {
    if (this.#link?.depth === this.depth) this.#endLink();
    if (this.#unseen > 0) this.#unseen -= 1;
    this.depth -= 1;
  }

  ontext(data: string): void {
    if (this.#unseen > 0) return;
    const signs = data.replace(/\s+/g, "").length;
    if (this.#link === undefined) this.beside += signs;
    else this.#link.signs += signs;
  }

  #endLink(): void {
    if (this.#link !== undefined) this.inLinks += this.#link.signs || PICTURE;
    this.#link = undefined;
  }

  #opensFrame({ href = "", target = this.#target }: Readonly<Record<string, string>>): boolean {
    const isOwn = href.trim() !== "" && !/^\s*(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(href);
    return isOwn && !NEW_WINDOW.test(target.trim());
  }
}
