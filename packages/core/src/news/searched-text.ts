import { mixed } from "./mark.ts";

/** The length of the shortest sought text: three words of one letter, each behind a space. */
const RUN = 6;
const [BASE, BITS_EACH] = [0x01_00_01_93, 8];
/** The weight of a run's first character when the run moves on. */
const WEIGHT = Array.from({ length: RUN }).reduce<number>((weight) => Math.imul(weight, BASE), 1);

/** Bits record which runs of characters the text may have. Most texts that are sought in it are not there. */
export class SearchedText {
  readonly #text: string;
  readonly #runs: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.#runs = new Uint32Array(2 ** Math.ceil(Math.log2(text.length * BITS_EACH + 1024)) / 32);
    everyRun(text, (hash) => {
      const at = this.#placeOf(hash);
      this.#runs[at] = (this.#runs[at] ?? 0) | (1 << (hash & 31));
      return true;
    });
  }

  includes(part: string): boolean {
    const mayHave = everyRun(part, (hash) => {
      return ((this.#runs[this.#placeOf(hash)] ?? 0) & (1 << (hash & 31))) !== 0;
    });
    return mayHave && this.#text.includes(part);
  }

  #placeOf(hash: number): number {
    return (hash >>> 5) & (this.#runs.length - 1);
  }
}

function everyRun(text: string, test: (hash: number) => boolean): boolean {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash, BASE) + text.charCodeAt(at);
    if (at >= RUN) hash -= Math.imul(text.charCodeAt(at - RUN), WEIGHT);
    if (at >= RUN - 1 && !test(mixed(hash))) return false;
  }
  return true;
}
