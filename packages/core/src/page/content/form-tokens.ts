import { type ElementKind, elementKind } from "../elements.ts";

export interface FormVisitor {
  /** @param tag as written, with its perceived attributes */
  open(element: ElementKind, tag: string, at: number): void;
  close(element: ElementKind, tag: string): void;
  /** @param text escaped, without a line break outside of verbatim elements */
  text(text: string, at: number): void;
  /** A line break without a tag. */
  breakLine(): void;
}

/** Tags end at the first `>` outside of their attributes' values. */
const TAG = /<[^"<>]*(?:"[^"]*"[^"<>]*)*>/y;

/** Without its title. */
export function visitForm(form: string, visitor: FormVisitor): void {
  let verbatim = 0;
  for (let at = 0; at < form.length; ) {
    if (form.startsWith("<", at)) {
      const tag = tagAt(form, at);
      const isEnd = tag.startsWith("</");
      const element = elementKind(elementNameOf(tag, isEnd ? 2 : 1));
      if (isEnd) visitor.close(element, tag);
      else visitor.open(element, tag, at);
      if (element.isPreformatted) verbatim += isEnd ? -1 : 1;
      at += tag.length;
      continue;
    }
    const next = form.indexOf("<", at);
    const end = next < 0 ? form.length : next;
    const text = form.slice(at, end);
    if (verbatim > 0) visitor.text(text, at);
    else visitLines(text, at, visitor);
    at = end;
  }
}

function visitLines(text: string, start: number, visitor: FormVisitor): void {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const line = end < 0 ? text.slice(at) : text.slice(at, end);
    if (line !== "") visitor.text(line, start + at);
    at += line.length;
    if (end < 0) return;
    visitor.breakLine();
    at += 1;
  }
}

function tagAt(form: string, at: number): string {
  const end = form.indexOf(">", at) + 1;
  const plain = end === 0 ? form.slice(at) : form.slice(at, end);
  if (!plain.includes('"')) return plain;
  TAG.lastIndex = at;
  return TAG.exec(form)?.[0] ?? plain;
}

function elementNameOf(tag: string, from: number): string {
  const space = tag.indexOf(" ", from);
  return tag.slice(from, space < 0 ? tag.length - 1 : space);
}

export function valueIn(tag: string, attribute: string): string | undefined {
  const start = tag.indexOf(` ${attribute}="`);
  if (start < 0) return undefined;
  const from = start + attribute.length + 3;
  const value = tag.slice(from, tag.indexOf('"', from));
  return unescaped(value.replaceAll("&quot;", '"'));
}

export function unescaped(text: string): string {
  return text.includes("&") ? text.replaceAll("&lt;", "<").replaceAll("&amp;", "&") : text;
}
