const NOT_PLAIN = /[^ !#-%'-;=?-~]/gu;

/** Escapes for HTML and XHTML, in ASCII, which nearly every charset extends. */
export function asciiText(text: string): string {
  return text.replace(NOT_PLAIN, (character) => `&#${character.codePointAt(0)};`);
}

export function attribute(name: string, value: string): string {
  return ` ${name}="${asciiText(value)}"`;
}
