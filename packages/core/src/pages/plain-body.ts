/**
 * What a parser need not read. Most bodies are plain: every tag is complete, and nothing in them can
 * hide a mark or end a marked element early. A look at their tags takes a fifth of a parser's time.
 */

/** Elements whose contents are no elements, or are parsed by rules of their own. */
const SPECIAL =
  "(?:body|frameset|head|html|iframe|math|noembed|noframes|noscript|plaintext|script|select|style|svg|template|textarea|title|xmp)\\b";

const ATTRIBUTES = `(?:\\s+[^\\s"'<>/=]+(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'=<>\`]+))?)*\\s*/?>`;

const BODY = new RegExp(`<body${ATTRIBUTES}`, "i");

/** A tag, with the text before it. */
const NEXT = new RegExp(`[^<]*</?(?!${SPECIAL})[a-z][a-z0-9]*${ATTRIBUTES}`, "iy");

/** An element with text alone. */
const LEAF = new RegExp(`<([a-z]+)${ATTRIBUTES}[^<]*</\\1>`, "iy");

/** Where a body seems to begin, after its tag; whether it does, only parsing tells. */
export function bodyStart(text: string): number | undefined {
  const body = BODY.exec(text);
  return body === null ? undefined : body.index + body[0].length;
}

/**
 * The rest of the text from a place in the body on, as far as marks stand in it. What is plain is
 * blank, so that offsets stay.
 * @param marks where the marks' names stand, in order
 * @returns `undefined` where it is not plain
 */
export function plainRest(
  text: string,
  start: number,
  marks: readonly number[],
): string | undefined {
  const pieces: string[] = [];
  let end = start;
  for (const mark of marks) {
    if (mark < end) continue;
    const tag = text.lastIndexOf("<", mark);
    LEAF.lastIndex = tag;
    if (!isPlain(text, end, tag) || !LEAF.test(text) || LEAF.lastIndex < mark) return undefined;
    pieces.push(" ".repeat(tag - end), text.slice(tag, LEAF.lastIndex));
    end = LEAF.lastIndex;
  }
  return pieces.join("");
}

function isPlain(text: string, start: number, end: number): boolean {
  let at = start;
  while (text.indexOf("<", at) < end) {
    NEXT.lastIndex = at;
    if (!NEXT.test(text) || NEXT.lastIndex > end) return false;
    at = NEXT.lastIndex;
  }
  return true;
}
