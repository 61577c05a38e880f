import fc from "fast-check";

/**
 * Random tests use one seed, so that the same code always gets the same verdict.
 * `RS_EMIT_SEED=random` looks for new cases; any number repeats a run.
 */
const DEFAULT_SEED = 20_261_122;
const chosen = process.env.RS_EMIT_SEED;

if (chosen !== "random")
  fc.configureGlobal({ seed: chosen === undefined ? DEFAULT_SEED : Number(chosen) });
