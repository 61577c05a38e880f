/** The end of the attribute's name. HTML ignores case. */
const MARK_NAME = /-rs-emit/gi;

/** The attribute's value on a list of the latest changes. */
export const CHANGES = "changes";
const CHANGES_NAME = new RegExp(CHANGES, "i");

/** A quick test that saves parsing most pages. */
export function mayBeMarked(bytes: Uint8Array): boolean {
  return latin1(bytes).search(MARK_NAME) >= 0;
}

/** A quick test; only the parser knows whether the mark is supported. */
export function mayListChanges(bytes: Uint8Array): boolean {
  const text = latin1(bytes);
  return CHANGES_NAME.test(text) && text.search(MARK_NAME) >= 0;
}

const OWN_LINKS = /(?:<link [^<>]* data-rs-emit="link"(?: \/)?>)+/;

/** Adjoining links as rs-emit writes them; `undefined` where a page has other marks, or none. */
export function onlyLinksIn(bytes: Uint8Array): string | undefined {
  const text = latin1(bytes);
  const [links] = OWN_LINKS.exec(text) ?? [];
  if (links === undefined || markedPlaces(text).length !== markedPlaces(links).length) return;
  return copied(links);
}

/** V8 keeps the whole page alive for any slice of it. */
export function copied(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}

export function markedPlaces(text: string): readonly number[] {
  return [...text.matchAll(MARK_NAME)].map(({ index }) => index);
}

export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

// Text that the parser can skip: complete tags that hide no mark and end no marked element. Scanning them takes a
// fifth of the parser's time.

/** Elements whose contents are no elements, or are parsed by special rules. */
const SPECIAL =
  "(?:body|frameset|head|html|iframe|math|noembed|noframes|noscript|plaintext|script|select|style|svg|template|textarea|title|xmp)\\b";

const ATTRIBUTES = `(?:\\s+[^\\s"'<>/=]+(?:\\s*=\\s*(?:"[^"]*"|'[^']*'|[^\\s"'=<>\`]+))?)*\\s*/?>`;

const BODY = new RegExp(`<body${ATTRIBUTES}`, "i");

const NEXT = new RegExp(`[^<]*</?(?!${SPECIAL})[a-z][a-z0-9]*${ATTRIBUTES}`, "iy");

const LEAF = new RegExp(`<([a-z]+)${ATTRIBUTES}[^<]*</\\1>`, "iy");

/** The probable start of a body, after its tag; only the parser knows for certain. */
export function bodyStart(text: string): number | undefined {
  const body = BODY.exec(text);
  return body === null ? undefined : body.index + body[0].length;
}

/**
 * From an offset in the body to the last mark. Plain parts are blank, so that offsets stay.
 * @param marks offsets of the marks' names, in order
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
