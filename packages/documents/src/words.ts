/** `1,234,567`. Locale data takes 30 ms to load, and differs between versions of Node. */
export function numeral(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** `1 page`, `1,204 pages`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${numeral(number)} ${plural(number, one, many)}`;
}

/** The word that goes with a number. */
export function plural(number: number, one: string, many: string): string {
  return number === 1 ? one : many;
}

/** The first names, and how many more there are: `a, b and 3 more`. */
export function list(names: readonly string[], most = 5, separator = ", "): string {
  const shown = names.slice(0, most).join(separator);
  return names.length > most ? `${shown} and ${numeral(names.length - most)} more` : shown;
}

/** Controls, which command a terminal, and directions, which turn round the words that follow. */
const UNPRINTABLE = /\p{Control}+|[\u202a-\u202e\u2066-\u2069]+/gu;

/** A stranger's text as one that a terminal only shows, on one line. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, " ");
}
