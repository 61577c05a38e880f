import fc from "fast-check";
import { expect, test } from "vitest";
import { commitHistory, plainHistories, riddledHistories, type Step } from "./support/histories.ts";
import { expectTold, toldHistory } from "./support/judge.ts";
import { publishAtEnd } from "./support/publish.ts";
import { buildHistory } from "./support/truth.ts";
import { Workspace } from "./support/workspace.ts";

const numRuns = Number(process.env.HISTORY_RUNS ?? 4);

test.concurrent("any history of templates, data and copies is told as it was", () =>
  fc.assert(
    fc.asyncProperty(plainHistories, async (steps) => {
      const { log, expected } = await tell(steps);
      expectTold(log, expected);
    }),
    { numRuns },
  ));

test.concurrent("what only Eleventy could tell is left out, never invented", () =>
  fc.assert(
    fc.asyncProperty(riddledHistories, async ({ secret, steps }) => {
      const { log, expected } = await tell(steps, secret);
      const possible = new Set([...expected.must, ...expected.may]);
      expect(log.filter((entry) => !possible.has(entry))).toEqual([]);
    }),
    { numRuns },
  ));

async function tell(steps: readonly Step[], secret?: string) {
  using workspace = new Workspace();
  commitHistory(workspace.site, steps, secret);
  const expected = toldHistory(await buildHistory(workspace));
  const { log } = await publishAtEnd(workspace);
  return { log, expected };
}
