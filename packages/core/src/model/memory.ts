/**
 * What the Resource List remembers of a page's own content: its blocks in page order, repeats kept, as
 * digests of 24 bits. The last bit tells a text (0) from the markup around it (1). Markup is written
 * before the first block that has it, so that equal neighbours share it.
 */

/** Increase it whenever the same page would get other blocks. */
const VERSION = "1";

/** Marks a page whose own content may hold the shell: it has neither `main` nor `article`. */
const WITH_SHELL = "~";

/** More are not remembered. */
export const MOST_BLOCKS = 4000;

const NOT_REMEMBERED = "-";

const DIGEST_LENGTH = 4;

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The last digits of markup digests. */
const ODD = new Set([...DIGITS].filter((_, value) => value % 2 === 1));

export interface Block {
  /** Without markup, white space collapsed; for a picture, see `pictureText`. */
  readonly text: string;
  /** The text's. */
  readonly digest: string;
  /** The tags around and within the text, which together with it make the normal form. */
  readonly markup: string;
}

/** @param scheme the content rule's, whose normal form was cut */
export function blocksToAttribute(
  blocks: readonly Block[],
  scheme: string,
  mayHoldShell: boolean,
): string {
  const head = `${schemeOf(scheme)}${mayHoldShell ? WITH_SHELL : ""}:`;
  if (blocks.length > MOST_BLOCKS) return head + NOT_REMEMBERED;
  // Joined: what is added piece by piece stays a tree of pieces in memory, up to fourteen times as large.
  const written = [head];
  let markup = "";
  for (const block of blocks) {
    if (block.markup !== markup) {
      markup = block.markup;
      written.push(digest(markup, 1));
    }
    written.push(block.digest);
  }
  return written.join("");
}

/** Four characters of base64url. */
export function textDigest(text: string): string {
  return digest(text, 0);
}

/** A picture is told by its file's name. */
export function pictureText(name: string): string {
  return `\0${name}`;
}

/** FNV-1a with a final mixing step: the same on every machine, and much faster than parsing. */
function digest(text: string, last: 0 | 1): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  hash ^= hash >>> 16;
  return digit(hash >>> 18) + digit(hash >>> 12) + digit(hash >>> 6) + digit((hash & ~1) | last);
}

function digit(bits: number): string {
  return DIGITS.charAt(bits & 63);
}

function schemeOf(rule: string): string {
  return `${VERSION}.${rule}`;
}

export interface Memory {
  /** Equal for memories that can be compared. */
  readonly scheme: string;
  /** Of each block, in page order. */
  readonly texts: readonly string[];
  /** Of each block: the digests of its markup and its text. */
  readonly blocks: readonly string[];
}

/** What `blocksToAttribute` wrote for the same content rule. */
export function memoryBy(scheme: string, attribute: string | undefined): Memory | undefined {
  const memory = memoryIn(attribute);
  return memory?.scheme === schemeOf(scheme) ? memory : undefined;
}

/** Whether a remembered page's own content may hold the shell. */
export function mayHoldShell(attribute: string | undefined): boolean {
  return attribute !== undefined && attribute[attribute.indexOf(":") - 1] === WITH_SHELL;
}

/** @returns `undefined` for a page that is not remembered, or by a version that is not known */
export function memoryIn(attribute: string | undefined): Memory | undefined {
  const at = attribute?.indexOf(":") ?? -1;
  if (attribute === undefined || at < 0 || !attribute.startsWith(schemeOf(""))) return undefined;
  if ((attribute.length - at - 1) % DIGEST_LENGTH !== 0) return undefined;
  const scheme = attribute.slice(0, attribute[at - 1] === WITH_SHELL ? at - 1 : at);
  const texts: string[] = [];
  const blocks: string[] = [];
  let markup = "";
  for (let from = at + 1; from < attribute.length; from += DIGEST_LENGTH) {
    const digest = attribute.slice(from, from + DIGEST_LENGTH);
    if (ODD.has(digest.charAt(DIGEST_LENGTH - 1))) markup = digest;
    else {
      texts.push(digest);
      blocks.push(markup + digest);
    }
  }
  return { scheme, texts, blocks };
}
