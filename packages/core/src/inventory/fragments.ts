const WHOLE = new Set(["html", "head", "body", "frameset", "title"]);
const DECLARATION = /^(?:doctype\b|--#)/i;

/** A file with such an element is a page, not a part of pages. */
export function makesWhole(element: string): boolean {
  return WHOLE.has(element);
}

/** @param declaration the text after `<!`, such as a doctype or a comment */
export function declaresWhole(declaration: string): boolean {
  return DECLARATION.test(declaration);
}
