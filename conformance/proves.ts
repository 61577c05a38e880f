declare module "vitest" {
  interface TaskMeta {
    /** The requirements that the test proves. */
    proves?: readonly string[];
  }
}

/** Options of a test that proves requirements: `test("…", proves("R83"), () => …)`. */
export function proves(...ids: readonly string[]) {
  return { meta: { proves: ids } };
}
