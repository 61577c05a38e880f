import { type Attributes, type ElementKind, names } from "../elements.ts";

const SECTIONS = names("article section");

interface HiddenPart {
  readonly start: number;
  end: number;
  /** Readers see it, but it must not be quoted elsewhere. */
  readonly isForbidden: boolean;
}

/** The outermost of nested parts. */
class Parts {
  readonly all: HiddenPart[] = [];
  #depth = 0;

  open(begins: boolean, start: number, isForbidden = false): void {
    if (this.#depth > 0) this.#depth += 1;
    else if (begins) {
      this.all.push({ start, end: Number.POSITIVE_INFINITY, isForbidden });
      this.#depth = 1;
    }
  }

  get depth(): number {
    return this.#depth;
  }

  /** Halves the parts, which are in order: a page may have any number of them. */
  has(at: number): boolean {
    let [from, until] = [0, this.all.length];
    while (from < until) {
      const middle = (from + until) >>> 1;
      if ((this.all[middle]?.start ?? 0) <= at) from = middle + 1;
      else until = middle;
    }
    return at < (this.all[from - 1]?.end ?? 0);
  }

  close(at: number): void {
    if (this.#depth === 0) return;
    this.#depth -= 1;
    const part = this.all.at(-1);
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
  readonly #hidden = new Parts();
  readonly #waiting = new Parts();
  readonly #summaries = new Parts();

  open({ name }: ElementKind, attribs: Attributes, at: number): void {
    const id = attribs.id || (name === "a" ? attribs.name : undefined);
    if (id) this.ids.set(at, id);
    if (SECTIONS.has(name)) this.sections.push({ at, id: attribs.id || undefined });
    const isForbidden = attribs["data-nosnippet"] !== undefined;
    this.#hidden.open(isForbidden || isHidden(attribs), at, isForbidden);
    // Of closed details only their own summary is seen.
    this.#summaries.open(name === "summary" && this.#waiting.depth === 1, at);
    this.#waiting.open(waits(name, attribs), at);
  }

  close({ name }: ElementKind, at: number): void {
    if (SECTIONS.has(name)) this.sections.push({ at, id: undefined });
    this.#hidden.close(at);
    this.#waiting.close(at);
    this.#summaries.close(at);
  }

  /** Whether readers see what stands there only after a click. */
  isWaiting(at: number): boolean {
    return this.#waiting.has(at) && !this.#summaries.has(at);
  }

  /** Removes hidden parts from a text of the normal form. Texts must be requested in order. */
  reader(): (text: string, at: number) => VisibleText {
    let passed = 0;
    return (text, at) => {
      while ((this.#hidden.all[passed]?.end ?? Number.POSITIVE_INFINITY) <= at) passed += 1;
      const end = at + text.length;
      let visible = "";
      let from = at;
      let isForbidden = false;
      for (let next = passed; next < this.#hidden.all.length; next += 1) {
        const part = this.#hidden.all[next];
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

function waits(name: string, { open, popover, style = "" }: Attributes): boolean {
  if ((name === "details" || name === "dialog") && open === undefined) return true;
  return popover !== undefined || /(?:^|;)\s*display\s*:\s*none/i.test(style);
}

/** Whether readers do not perceive an element, at least at first. */
export function isHidden(attribs: Attributes): boolean {
  return attribs.hidden !== undefined || attribs["aria-hidden"]?.trim().toLowerCase() === "true";
}
