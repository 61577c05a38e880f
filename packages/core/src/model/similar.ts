import { closest, distance } from "fastest-levenshtein";

/** More differing letters make another name. */
const TYPOS = 2;

/** The known name that a misspelled one means. */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const meant = closest(name, [...known]);
  const typos = distance(name.toLowerCase(), meant.toLowerCase());
  return typos <= TYPOS && typos < name.length / 2 ? meant : undefined;
}
