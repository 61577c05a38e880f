import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { type Step, someStep } from "./model/edits.ts";
import { Host } from "./model/host.ts";
import { live } from "./model/live.ts";
import type { MemoryKind } from "./model/memory.ts";
import { STORIES } from "./model/stories.ts";
import { rounds } from "./thorough.ts";

const MEMORIES: readonly MemoryKind[] = ["output", "path", "site", "site without dot folders"];

/**
 * No change is lost, none is invented, none is reported twice: whatever an author does between two
 * publications, the published log is the one that a model of the site says, written from the design.
 */
describe.each(MEMORIES)("with the memory %s", (kind) => {
  let host: Host;
  beforeAll(async () => {
    host = await Host.start();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test.each(STORIES)("$name", ({ steps }) => live(kind, host, steps));

  test("the log is the model's after every step", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(someStep, { minLength: 1, maxLength: 15, size: "max" }),
        fc.option(fc.integer({ min: 3, max: 7 }), { nil: undefined }),
        (steps, entries) => live(kind, host, [...begin(kind), ...steps], entries),
      ),
      { numRuns: Number(process.env.MODEL_RUNS ?? rounds(5, 30)) },
    ),
  );
});

/**
 * Without a Source Description, a collection is found where it is configured, or at the site's root: on
 * such a host nothing tells of others once no collection of the last publication is configured.
 */
function begin(kind: MemoryKind): readonly Step[] {
  return kind === "site without dot folders" ? [{ elapse: 60, edits: [] }] : [];
}
