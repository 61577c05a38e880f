const NOT_PLAIN = /[^ !#-%'-;=?-~]/gu;

/** Text as HTML, and as XHTML, in ASCII: it means the same in every charset that begins with that. */
export function asciiText(text: string): string {
  return text.replace(NOT_PLAIN, (character) => `&#${character.codePointAt(0)};`);
}

/** An attribute with the space before it. */
export function attribute(name: string, value: string): string {
  return ` ${name}="${asciiText(value)}"`;
}
