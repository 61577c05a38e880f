/** `1,234,567`. Locale data takes 30 ms to load, and differs between versions of Node. */
export function numeral(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 page`, `1,204 pages`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${numeral(number)} ${plural(number, one, many)}`;
}

/** The form of a word that fits a number. */
export function plural(number: number, one: string, many: string): string {
  return number === 1 ? one : many;
}

/** The first names, and the number of the others: `a, b and 3 more`. */
export function list(names: readonly string[], most = 5, separator = ", "): string {
  const shown = names.slice(0, most).join(separator);
  return names.length > most ? `${shown} and ${numeral(names.length - most)} more` : shown;
}

/**
 * Control characters command a terminal, and invisible ones reverse or hide the words beside them. Joiners
 * and visible Arabic signs stay, since scripts and emoji need them.
 */
const UNPRINTABLE =
  /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const RUNS = new RegExp(`(?:${UNPRINTABLE.source})+`, "gu");
const EACH = new RegExp(`(?!\\n)${UNPRINTABLE.source}`, "gu");

/** Makes a stranger's text safe for a terminal, on one line. */
export function printable(text: string): string {
  return text.replaceAll(RUNS, " ");
}

/** Like `printable`, with the text's line breaks. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** A value as JSON that is safe for a terminal: unprintable characters are escaped. */
export function printableJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replaceAll(EACH, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}
