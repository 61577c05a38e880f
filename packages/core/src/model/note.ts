import { asInCode, type Spell, spelled, type Text } from "./sentence.ts";

/** A fact that the author should know, and what to do about it. */
export interface Note {
  readonly code: string;
  /** Options are named as in code. */
  readonly message: string;
  /** The message with options as the caller spells them: in a command or a config file. */
  worded(spell: Spell): string;
}

export class TextNote implements Note {
  readonly code: string;
  readonly message: string;
  readonly #text: Text;

  constructor(code: string, text: Text) {
    this.code = code;
    this.message = spelled(text, asInCode);
    this.#text = text;
  }

  worded(spell: Spell): string {
    return spelled(this.#text, spell);
  }
}
