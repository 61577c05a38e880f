import { isDull } from "../../src/page/texts/dull.ts";
import { areNear, textMark } from "../../src/page/texts/mark.ts";

/** A sentence, and the same with a slip of the pen. */
interface Sentence {
  readonly text: string;
  readonly typo: string;
  /** As lists of posts show it. */
  readonly beginning: string;
}

/** Digits are as one. */
const ENDS = ["", " 17", " 17:30"];
const WORDS = 9;
const BEGINNING_WORDS = 5;
const [CONSONANTS, VOWELS] = ["bdfgklmnprstvz", "aeiou"];

/** Numbers that look random, and are the same in every run. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_103_515_245) + 12_345) >>> 0;
    return (this.#state >>> 8) % limit;
  }

  letter(of: string): string {
    return of[this.below(of.length)] ?? "";
  }

  word(): string {
    const syllables = 2 + this.below(2);
    const word = Array.from({ length: syllables }, () => {
      return this.letter(CONSONANTS) + this.letter(VOWELS);
    }).join("");
    return isDull(word) ? this.word() : word;
  }

  words(count: number): readonly string[] {
    return Array.from({ length: count }, () => this.word());
  }
}

/** So different from each other that a sketch tells them apart for sure, and so like their typos that it does not. */
export const SENTENCES: readonly Sentence[] = makeSentences(150);

/** Two words each. */
export const NAMES: readonly string[] = makeNames(400);

function makeSentences(count: number): readonly Sentence[] {
  const dice = new Dice(1);
  const taken: ReturnType<typeof textMark>[] = [];
  const sentences: Sentence[] = [];
  while (sentences.length < count) {
    const words = dice.words(WORDS);
    const text = words.join(" ");
    const slip = words[WORDS - 2] ?? "";
    const typo = text.replace(slip, `${slip.slice(1, 2)}${slip.slice(0, 1)}${slip.slice(2)}`);
    const beginning = `${words.slice(0, BEGINNING_WORDS).join(" ")}…`;
    const forms = [text, typo].flatMap((one) => ENDS.map((end) => textMark(one + end)));
    const own = [...forms, textMark(beginning)];
    const isNear = own.some((one) => taken.some((other) => areNear(one, other)));
    const isOne = forms.every((one) => forms.every((other) => areNear(one, other)));
    if (isNear || typo === text || !isOne) continue;
    taken.push(...own);
    sentences.push({ text, typo, beginning });
  }
  return sentences;
}

function makeNames(count: number): readonly string[] {
  const dice = new Dice(2);
  const names = new Set<string>();
  while (names.size < count) names.add(dice.words(2).join(" "));
  return [...names];
}
