/** An option that a sentence mentions, with the value that the sentence suggests for it. */
export interface Mention {
  /** The option's name in `EmitOptions` or `PastOptions`. */
  readonly option: string;
  readonly value: string | undefined;
}

/** A sentence for authors that mentions options: each front end spells them in its own way. */
export interface Sentence {
  readonly parts: readonly (string | Mention)[];
}

/** One or more sentences for authors. */
export type Text = string | Sentence | readonly (string | Sentence)[];

/** How a front end spells an option; `undefined` where it does not have that option. */
export type Spell = (mention: Mention) => string | undefined;

/** An option in a sentence: ``sentence`Leave pages out with the option ${mention("exclude")}.` ``. */
export function mention(option: string, value?: string): Mention {
  return { option, value };
}

/** A sentence with the options that it mentions; a tag for template literals. */
export function sentence(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | Mention | Sentence)[]
): Sentence {
  const parts = texts.flatMap((text, position) => [text, ...partsOf(values[position] ?? "")]);
  return { parts };
}

/** The text in a front end's spelling, without the sentences about options that it does not have. */
export function spelled(text: Text, spell: Spell): string {
  const sentences: readonly (string | Sentence)[] =
    typeof text === "string" || "parts" in text ? [text] : text;
  return sentences.flatMap((one) => spelledSentence(one, spell) ?? []).join(" ");
}

/** As options are written in code and in config files: `previous: "site"`. */
export const asInCode: Spell = ({ option, value }) =>
  value === undefined ? option : `${option}: ${JSON.stringify(value)}`;

function spelledSentence(text: string | Sentence, spell: Spell): string | undefined {
  if (typeof text === "string") return text;
  const parts = text.parts.map((part) => (typeof part === "string" ? part : spell(part)));
  return parts.includes(undefined) ? undefined : parts.join("");
}

function partsOf(value: string | number | Mention | Sentence): Sentence["parts"] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return [value];
  return "parts" in value ? value.parts : [value];
}
