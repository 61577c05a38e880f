/** The changes that the whole grid states. */
export const STATED = 219_231;

/** Those of them that are told once with an equal one, since no reading states both. */
export const ALIKE = 354;

/**
 * All of them that are lost, by transport. Where an edge serves older lists while the log is re-dated, or where a page gets
 * its former bytes again meanwhile, a change may look like one that was told.
 */
export const LOST: Readonly<Record<string, readonly string[]>> = {
  "stale edges": [
    "build times, hash, 1: p6 updated 89020299 b64",
    "build times, hash, 1: p11 deleted 91558816",
    "regen, lists renamed, 2: p21 updated 90111497 b314",
    "memory lost, hash, 1: p8 updated 88184334 b72",
  ],
  all: ["build times, hash, 1: p6 updated 89020299 b64"],
};
