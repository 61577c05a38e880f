/** Hexadecimal digits, by the algorithm's name in the IANA registry of Atom's link extensions. */
const DIGITS: ReadonlyMap<string, number> = new Map([
  ["md2", 32],
  ["md5", 32],
  ["sha-1", 40],
  ["sha-224", 56],
  ["sha-256", 64],
  ["sha-384", 96],
  ["sha-512", 128],
]);

const DIGEST = /^[^\s:]+:([0-9a-f]{2})+$/i;

export interface StatedDigest {
  readonly text: string;
  readonly algorithm: string;
  readonly digits: number;
  /** The required number; `undefined` for an algorithm that is not registered. */
  readonly expected: number | undefined;
  readonly isDigest: boolean;
}

/** The digests of a `hash` attribute (ResourceSync 1.1, section 7), separated by spaces. */
export function digestsIn(value: string): readonly StatedDigest[] {
  return value
    .trim()
    .split(/\s+/)
    .map((text) => {
      const [algorithm = "", { length: digits } = ""] = text.split(":", 2);
      const expected = DIGITS.get(algorithm.toLowerCase());
      return { text, algorithm, digits, expected, isDigest: DIGEST.test(text) };
    });
}

/** Whether all are complete digests of registered algorithms. */
export function areDigests(value: string): boolean {
  return digestsIn(value).every(
    ({ isDigest, digits, expected }) => isDigest && digits === expected,
  );
}
