declare module "vitest" {
  interface TaskMeta {
    /** The requirements that the test proves. */
    proves?: readonly string[];
  }
}

/**
 * Options of a test that proves requirements: `test("…", proves("R83"), () => …)`.
 *
 * The ids must be literals: the table of conformance is made from the tests' sources.
 */
export function proves(...ids: readonly [string, ...string[]]) {
  return { meta: { proves: ids } };
}
