/**
 * Whether this run is one before a release (`npm run release`). It tries every instant, many random
 * cases and every version of a builder; the suite tries a part of them, so that it takes minutes.
 */
export const isThorough = process.env.RS_EMIT_PROOFS === "all";

/** For the titles of tests that the suite leaves out. */
export const RELEASE_ALONE = isThorough ? "" : " (only by npm run release)";

/** How often a test does something, or how much of it it takes: in the suite, and before a release. */
export function rounds(suite: number, release: number): number {
  return isThorough ? release : suite;
}

/** All cases before a release; in the suite this many, spread over them from the first one on. */
export function sample<Case>(cases: readonly Case[], count: number): readonly Case[] {
  if (isThorough) return cases;
  const share = count / cases.length;
  return cases.filter((_, at) => Math.floor(at * share) > Math.floor((at - 1) * share));
}

/** How many instants a test goes on after one that it tried, where something may break at any. */
export const STRIDE = rounds(17, 1);
