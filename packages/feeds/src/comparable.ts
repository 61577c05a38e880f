const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const WORDS = /[\p{L}\p{M}\p{N}]+(?:(?<=\p{L})[+#]+)?|[%\p{Sc}]/gu;

const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORDS = /[a-z\d]+(?:(?<=[a-z])[+#]+)?|[$%]/g;

/**
 * The one form in which texts, titles, headings and names are compared: their words, `C++`, `%` and currencies, in
 * lower case. Case, punctuation, brackets, bullets, emoji, icons of fonts, ligatures and invisible characters are no
 * difference. A text without words is all that it shows.
 */
export function comparable(text: string): string {
  if (ASCII.test(text)) {
    const words = text.toLowerCase().match(ASCII_WORDS);
    return words === null ? text.trim() : words.join(" ");
  }
  const seen = text.replace(INVISIBLE, "").normalize("NFKC");
  return seen.toLowerCase().match(WORDS)?.join(" ") ?? seen.trim();
}
