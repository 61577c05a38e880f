const WHOLE = new Set(["html", "head", "body", "frameset", "title"]);
const DECLARATION = /^(?:doctype\b|--#)/i;

/** Whether an element makes a file a page, as opposed to a part of pages. */
export function makesWhole(element: string): boolean {
  return WHOLE.has(element);
}

/** @param declaration what follows `<!`, such as a doctype or a comment */
export function declaresWhole(declaration: string): boolean {
  return DECLARATION.test(declaration);
}
