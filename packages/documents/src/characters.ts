const ILLEGAL = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const ALL_ILLEGAL = new RegExp(ILLEGAL, "gu");
const SPECIAL = /[&<>"\t\n\r]/;
const ALL_SPECIAL = /[&<>"\t\n\r]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** Whether XML 1.0 can hold the text (section 2.2): no control characters, no lone surrogates. */
export function isLegalText(text: string): boolean {
  return !ILLEGAL.test(text);
}

/** The text with U+FFFD in place of each character that XML 1.0 cannot hold (section 2.2). */
export function replaceIllegalCharacters(text: string): string {
  return ILLEGAL.test(text) ? text.replace(ALL_ILLEGAL, "\uFFFD") : text;
}

/** Escapes markup, and white space that an XML reader would change to blanks in attributes. */
export function escapeText(text: string, special = ALL_SPECIAL): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(special, (character) => REFERENCES[character] ?? character);
}
