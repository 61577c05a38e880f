/** The changes that the whole grid states. */
export const STATED = 151_370;

/**
 * All of them that are lost, by transport. Where an edge serves older lists while the log is re-dated, a change may look like
 * one that was told.
 */
export const LOST: Readonly<Record<string, readonly string[]>> = {
  "stale edges": [
    "regen, lists renamed, 1: 1 p7 updated 88294094",
    "regen, lists renamed, 1: 1 p9 updated 88295666",
    "regen, lists renamed, 2: 1 p21 updated 90111497",
    "build times, hash, 1: 1 p11 deleted 91558816",
  ],
};
