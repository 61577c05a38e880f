import { expect, TestRunner } from "vitest";

/** Where somebody meets what a test exercises. */
export type Surface =
  /** `rs-emit` publishes. */
  | "command"
  /** A builder with the plugin publishes. */
  | "plugin"
  /** `rs-harvest` makes feeds. */
  | "harvester"
  /** `rs-harvest serve` answers over a connection. */
  | "service"
  /** `rs-harvest sync` keeps a copy. */
  | "copies"
  /** `rs-emit check`, or `rs-harvest check`, judges. */
  | "judge";

declare module "vitest" {
  interface TaskMeta {
    /** What the test started. */
    surfaces?: readonly Surface[];
  }
}

/** What was started outside of a test, in a `beforeAll`: it holds for the tests of its file. */
const STARTED = new Map<string, Set<Surface>>();

/** Called by helpers of the tests that start the real thing, and by nothing else. */
export function surface(started: Surface): void {
  const test = TestRunner.getCurrentTest();
  if (test !== undefined) {
    test.meta.surfaces = [...new Set([...(test.meta.surfaces ?? []), started])];
    return;
  }
  const file = expect.getState().testPath ?? "";
  STARTED.set(file, surfacesOf(file).add(started));
}

/** What was started for all tests of a file. */
export function surfacesOf(file: string): Set<Surface> {
  return STARTED.get(file) ?? new Set();
}
