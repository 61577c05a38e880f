import { comparable } from "@rs-emit/feeds";
import { kindOf, MARK_KINDS, type Mark, type MarkKind } from "../../model/statement.ts";
import { withoutDate } from "./dull.ts";
import { hasMoreWords, withPlainDigits } from "./words.ts";

export const KIND_BITS = 2;
export const DIGITS = 0xff;
const SHORT = 3;
const SKETCH_BITS = 32;
/** The length of a run of characters in a sketch: as many as 32 bits hold. */
const SHINGLE = 4;

/** A date at the start or end does not count: lists write it beside what they repeat. */
export function textForm(whole: string): string {
  return comparable(withPlainDigits(withoutDate(whole)));
}

export function textMark(whole: string): Mark {
  return markOfForm(textForm(whole));
}

/** A short text is near to those that differ in digits alone, such as the number of a section. */
export function markOfForm(form: string): Mark {
  const letters = form.replace(/\d+ ?/g, "").trimEnd();
  const isShort = !hasMoreWords(letters, SHORT);
  return {
    high: high(textDigest(form), isShort ? "short" : "long"),
    low: isShort ? hashOf(letters) : sketchOf(form),
  };
}

/** @param description the alternative text; empty where there is none */
export function pictureMark(name: string, description: string): Mark {
  const low = description === "" ? 0 : hashOf(description);
  return { high: high(hashOf(name), "picture"), low };
}

/** @param address the file's, as links are spelled in the normal form */
export function fileMark(address: string): Mark {
  return { high: high(hashOf(address), "file"), low: hashOf(`${address}\0`) };
}

function high(digest: number, kind: MarkKind): number {
  return ((digest & 0x3f_ff_ff) << KIND_BITS) | MARK_KINDS.indexOf(kind);
}

const [BASIS, PRIME] = [0x81_1c_9d_c5, 0x01_00_01_93];

/** FNV-1a with a final mixing step: equal on every machine, and much faster than parsing. */
export function hashOf(text: string): number {
  let hash = BASIS;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  }
  return mixed(hash);
}

function textDigest(text: string): number {
  let hash = BASIS;
  let digits = BASIS;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    hash = Math.imul(hash ^ code, PRIME);
    if (code >= 48 && code <= 57) digits = Math.imul(digits ^ code, PRIME);
  }
  return (mixed(hash) & ~DIGITS) | (mixed(digits) & DIGITS);
}

/** Afterwards each bit of a hash depends on all its bits. */
export function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

const EMPTY = 0xff_ff_ff_ff;
const minima = new Uint32Array(SKETCH_BITS);

/**
 * One permutation hashing over runs of four characters: each bit comes from the least hash in its bin. An empty bin
 * has a permutation of its own: bits taken from other bins would make short texts near by chance.
 */
function sketchOf(text: string): number {
  minima.fill(EMPTY);
  const hashes: number[] = [];
  let run = 0;
  let length = 0;
  let isDigit = false;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    const wasDigit = isDigit;
    isDigit = code >= 48 && code <= 57;
    if (isDigit) {
      if (wasDigit) continue;
      code = 48;
    }
    run = (run << 8) ^ code;
    length += 1;
    if (length < SHINGLE) continue;
    const hash = mixed(run);
    hashes.push(hash | 0);
    const bin = hash & (SKETCH_BITS - 1);
    if (hash < (minima[bin] ?? 0)) minima[bin] = hash;
  }
  if (length < SHINGLE) return hashOf(text);
  let sketch = 0;
  for (let bin = 0; bin < SKETCH_BITS; bin++) {
    let least = minima[bin] ?? EMPTY;
    if (least === EMPTY) {
      const factor = Math.imul(2 * bin + 1, PRIME);
      for (const hash of hashes) {
        const own = Math.imul(hash, factor) >>> 0;
        if (own < least) least = own;
      }
    }
    // The hash's low bits chose the bin, and its high ones are small, since the least was chosen.
    sketch |= (mixed(least) & 1) << bin;
  }
  return sketch >>> 0;
}

/** Of 2,193 edited texts of real sites, 92 % are found within this distance, and 99 % of the found are edits. */
const NEAR = 7;

/** Whether one text is an edit of the other: equal but for letters here and there. */
export function areNear(one: Mark, other: Mark): boolean {
  const kind = kindOf(one);
  if (kind !== kindOf(other)) return false;
  if (kind === "short") return one.low === other.low;
  return kind === "long" && bitsOf(one.low ^ other.low) <= NEAR;
}

/** Misses one pair in 256, since the digest of the digits has eight bits. */
export function differInDigits(one: Mark, other: Mark): boolean {
  return (((one.high ^ other.high) >>> KIND_BITS) & DIGITS) !== 0;
}

function bitsOf(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
