import { type Attributes, type ElementKind, names } from "../elements.ts";

const SECTIONS = names("article section");

interface Part {
  readonly start: number;
  end: number;
  /** Readers see it, but it must not be quoted elsewhere. */
  readonly isForbidden: boolean;
}

/** Outermost elements of a kind. */
class OutermostParts {
  readonly found: Part[] = [];
  #depth = 0;

  open(isOfKind: boolean, at: number, isForbidden = false): void {
    if (this.#depth > 0) this.#depth += 1;
    else if (isOfKind) {
      this.found.push({ start: at, end: Number.POSITIVE_INFINITY, isForbidden });
      this.#depth = 1;
    }
  }

  close(at: number): void {
    if (this.#depth === 0) return;
    this.#depth -= 1;
    const part = this.found.at(-1);
    if (this.#depth === 0 && part !== undefined) part.end = at;
  }
}

export interface VisibleText {
  readonly text: string;
  readonly isForbidden: boolean;
}

/** Parts of a page by their position in the normal form, from attributes which that form omits. */
export class Outline {
  readonly ids = new Map<number, string>();
  /** Positions where sections begin, with their ids if they have one, and end. */
  readonly sections: { readonly at: number; readonly id: string | undefined }[] = [];
  readonly #hidden = new OutermostParts();
  readonly #waiting = new OutermostParts();

  open({ name }: ElementKind, attribs: Attributes, at: number): void {
    const id = attribs.id || (name === "a" ? attribs.name : undefined);
    if (id) this.ids.set(at, id);
    if (SECTIONS.has(name)) this.sections.push({ at, id: attribs.id || undefined });
    const isForbidden = attribs["data-nosnippet"] !== undefined;
    this.#hidden.open(isForbidden || isHidden(attribs), at, isForbidden);
    this.#waiting.open(isWaiting(attribs), at);
  }

  close({ name }: ElementKind, at: number): void {
    if (SECTIONS.has(name)) this.sections.push({ at, id: undefined });
    this.#hidden.close(at);
    this.#waiting.close(at);
  }

  /** Whether what stands at a position waits for a click. Positions must be requested in order. */
  waitingReader(): (at: number) => boolean {
    const { found } = this.#waiting;
    let passed = 0;
    return (at) => {
      while ((found[passed]?.end ?? Number.POSITIVE_INFINITY) <= at) passed += 1;
      return (found[passed]?.start ?? Number.POSITIVE_INFINITY) <= at;
    };
  }

  /** Removes hidden parts from a text of the normal form. Texts must be requested in order. */
  reader(): (text: string, at: number) => VisibleText {
    const { found } = this.#hidden;
    let passed = 0;
    return (text, at) => {
      while ((found[passed]?.end ?? Number.POSITIVE_INFINITY) <= at) passed += 1;
      const end = at + text.length;
      let visible = "";
      let from = at;
      let isForbidden = false;
      for (let next = passed; next < found.length; next += 1) {
        const part = found[next];
        if (part === undefined || part.start >= end) break;
        isForbidden ||= part.isForbidden;
        visible += text.slice(from - at, Math.max(from, part.start) - at);
        const until = Math.min(end, part.end);
        // White space is written before the next word, which may be hidden.
        if (/^\s|\s$/.test(text.slice(Math.max(from, part.start) - at, until - at))) visible += " ";
        from = until;
      }
      return { text: visible + text.slice(from - at), isForbidden };
    };
  }
}

function isWaiting({ popover, style = "" }: Attributes): boolean {
  return popover !== undefined || /\bdisplay\s*:\s*none\b/i.test(style);
}

/** Whether readers do not perceive an element, at least at first. */
export function isHidden(attribs: Attributes): boolean {
  return attribs.hidden !== undefined || attribs["aria-hidden"]?.trim().toLowerCase() === "true";
}
