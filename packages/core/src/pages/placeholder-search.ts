/** The end of the attribute's name. HTML ignores case. */
const MARK_NAME = /-rs-emit/gi;

/** The attribute's value on a list of the latest changes. */
export const CHANGES = "changes";
const CHANGES_NAME = new RegExp(CHANGES, "i");

/** A quick test that saves parsing most pages. */
export function mayBeMarked(bytes: Uint8Array): boolean {
  return latin1(bytes).search(MARK_NAME) >= 0;
}

/** A quick test; only the parser knows whether the mark is supported. */
export function mayListChanges(bytes: Uint8Array): boolean {
  const text = latin1(bytes);
  return CHANGES_NAME.test(text) && text.search(MARK_NAME) >= 0;
}

/** Whether all marks of a page are in one text, which occurs once. */
export function isMarkedOnlyBy(bytes: Uint8Array, marked: string): boolean {
  const text = latin1(bytes);
  return text.includes(marked) && markedPlaces(text).length === markedPlaces(marked).length;
}

export function markedPlaces(text: string): readonly number[] {
  return [...text.matchAll(MARK_NAME)].map(({ index }) => index);
}

export function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}
