const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const ALL_UNWRITABLE = new RegExp(UNWRITABLE, "gu");
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

/** Whether XML 1.0 can hold the text: no control characters, no halves of surrogate pairs. */
export function isWritable(text: string): boolean {
  return !UNWRITABLE.test(text);
}

/** The text with U+FFFD in place of what XML 1.0 cannot hold: the rule for free text. */
export function writable(text: string): string {
  return UNWRITABLE.test(text) ? text.replace(ALL_UNWRITABLE, "\uFFFD") : text;
}

/**
 * The text as it stands in an attribute or element. White space other than the blank is written as
 * references, since a reader makes blanks of it in attributes.
 */
export function escaped(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(ALL_SPECIAL, (character) => REFERENCES[character] ?? character);
}
