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

/** How many digits a digest has in an attribute. */
const DIGITS_EACH = 4;

/** Base64url. */
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Marks what is no digit; larger than any. */
const NO_DIGIT = 64;

/** The value of each digit, by its character code. */
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => {
  const value = DIGITS.indexOf(String.fromCharCode(code));
  return value < 0 ? NO_DIGIT : value;
});

/** A number of 24 bits: odd for markup, even for a text. */
export type BlockDigest = number;

export interface Block {
  /** Without markup, white space collapsed; for a picture, see `pictureText`. */
  readonly text: string;
  /** The text's. */
  readonly digest: BlockDigest;
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
  const digests: BlockDigest[] = [];
  let markup = "";
  for (const block of blocks) {
    if (block.markup !== markup) {
      markup = block.markup;
      digests.push(digest(markup) | 1);
    }
    digests.push(block.digest);
  }
  return head + written(digests);
}

/** From bytes, since a text that grows by pieces stays a tree of them, up to fourteen times as large. */
function written(digests: readonly BlockDigest[]): string {
  const bytes = Buffer.allocUnsafe(digests.length * DIGITS_EACH);
  let at = 0;
  for (const digest of digests) {
    for (let shift = 18; shift >= 0; shift -= 6) {
      bytes[at++] = DIGITS.charCodeAt((digest >>> shift) & 63);
    }
  }
  return bytes.toString("latin1");
}

/** Four digits, as attributes have them. */
export function digestToAttribute(digest: BlockDigest): string {
  return written([digest]);
}

/** @returns `undefined` for anything else than four digits */
export function attributeToDigest(text: string): BlockDigest | undefined {
  return text.length === DIGITS_EACH ? digestAt(text, 0) : undefined;
}

function digestAt(text: string, from: number): BlockDigest | undefined {
  let digest = 0;
  for (let at = from; at < from + DIGITS_EACH; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? NO_DIGIT;
    if (value === NO_DIGIT) return undefined;
    digest = (digest << 6) | value;
  }
  return digest;
}

export function textDigest(text: string): BlockDigest {
  return digest(text) & ~1;
}

/** A picture is told by its file's name. */
export function pictureText(name: string): string {
  return `\0${name}`;
}

/** FNV-1a with a final mixing step: the same on every machine, and much faster than parsing. */
function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0xff_ff_ff;
}

function schemeOf(rule: string): string {
  return `${VERSION}.${rule}`;
}

export interface Memory {
  /** Equal for memories that can be compared. */
  readonly scheme: string;
  /** Of each block, in page order. */
  readonly texts: readonly BlockDigest[];
  /** Of each block: the digests of its markup and its text, as one number. */
  readonly blocks: readonly number[];
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
  if ((attribute.length - at - 1) % DIGITS_EACH !== 0) return undefined;
  const scheme = attribute.slice(0, attribute[at - 1] === WITH_SHELL ? at - 1 : at);
  const texts: BlockDigest[] = [];
  const blocks: number[] = [];
  let markup = 0;
  for (let from = at + 1; from < attribute.length; from += DIGITS_EACH) {
    const digest = digestAt(attribute, from);
    if (digest === undefined) return undefined;
    if (digest % 2 === 1) markup = digest;
    else {
      texts.push(digest);
      blocks.push(markup * 2 ** 24 + digest);
    }
  }
  return { scheme, texts, blocks };
}
