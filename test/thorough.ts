/**
 * Whether this run is one before a release (`npm run release`). It tries every instant and many random
 * cases; the suite tries a part of them, so that it takes minutes.
 */
export const isThorough = process.env.RS_EMIT_PROOFS === "all";

/** How many instants a test goes on after one that it tried, where something may break at any. */
export const STRIDE = isThorough ? 1 : 3;
