import { closest, distance } from "fastest-levenshtein";

/** An option in a sentence, with a suggested value. */
export interface Mention {
  readonly option: string;
  readonly value: string | undefined;
}

export interface Sentence {
  readonly parts: readonly (string | Mention)[];
}

export type Text = string | Sentence | readonly (string | Sentence)[];

/** How a command or plugin spells an option; `undefined` where it lacks the option. */
export type Spell = (mention: Mention) => string | undefined;

/** Used in a template: ``sentence`Leave pages out with the option ${mention("exclude")}.` ``. */
export function mention(option: string, value?: string): Mention {
  return { option, value };
}

export function sentence(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | Mention | Sentence)[]
): Sentence {
  const parts = texts.flatMap((text, position) => [text, ...sentenceParts(values[position] ?? "")]);
  return { parts };
}

/** Drops sentences about options that the command or plugin lacks. */
export function spelled(text: Text, spell: Spell): string {
  const sentences: readonly (string | Sentence)[] =
    typeof text === "string" || "parts" in text ? [text] : text;
  return sentences.flatMap((one) => spelledSentence(one, spell) ?? []).join(" ");
}

/** The spelling of code and config files: `previous: "site"`. */
export const asInCode: Spell = ({ option, value }) =>
  value === undefined ? option : `${option}: ${literal(value)}`;

/** The option that one of the texts mentions first. */
export function firstMentioned(...texts: readonly Text[]): string | undefined {
  const parts = texts.flat().flatMap((one) => (typeof one === "string" ? one : one.parts));
  return parts.find((part) => typeof part !== "string")?.option;
}

function literal(value: string): string {
  return /^(?:true|false)$/.test(value) ? value : JSON.stringify(value);
}

function spelledSentence(text: string | Sentence, spell: Spell): string | undefined {
  if (typeof text === "string") return text;
  const parts = text.parts.map((part) => (typeof part === "string" ? part : spell(part)));
  return parts.includes(undefined) ? undefined : parts.join("");
}

function sentenceParts(value: string | number | Mention | Sentence): Sentence["parts"] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return [value];
  return "parts" in value ? value.parts : [value];
}

/** With more different letters, it is another name. */
const TYPOS = 2;

export function similarName(name: string, known: readonly string[]): string | undefined {
  const meant = closest(name, [...known]);
  const typos = distance(name.toLowerCase(), meant.toLowerCase());
  return typos <= TYPOS && typos < name.length / 2 ? meant : undefined;
}

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
