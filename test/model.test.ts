import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { someStep } from "./model/edits.ts";
import { Host } from "./model/host.ts";
import { beginning, live } from "./model/live.ts";
import { MEMORIES } from "./model/memory.ts";
import { STORIES } from "./model/stories.ts";
import { isThorough, rounds } from "./thorough.ts";

/**
 * No change is lost, none is invented, none is reported twice: whatever an author does between two
 * publications, the published log is the one that a model of the site says, written from the design.
 */
describe.each(MEMORIES.map((kind, at) => ({ kind, at })))(
  "with the memory $kind",
  ({ kind, at }) => {
    let host: Host;
    beforeAll(async () => {
      host = await Host.start();
    });
    afterAll(() => host[Symbol.asyncDispose]());

    // In the suite each story is told with one of the memories.
    const stories = STORIES.filter((_, story) => isThorough || story % MEMORIES.length === at);
    test.each(stories)("$name", ({ steps }) => live(kind, host, steps));

    test("the log is the model's after every step", { timeout: 120_000 }, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(someStep, { minLength: 1, maxLength: 15, size: "max" }),
          fc.option(fc.integer({ min: 3, max: 7 }), { nil: undefined }),
          (steps, entries) => live(kind, host, [...beginning(kind), ...steps], { entries }),
        ),
        { numRuns: Number(process.env.MODEL_RUNS ?? rounds(5, 30)) },
      ),
    );
  },
);
