import type { Transport as Http } from "@rs-emit/reader";
import { MissingError } from "@rs-emit/reader/http/errors";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { type Expected, expectedOf, hasClocks, without } from "./log-model/expected.ts";
import { recorded, type SourceStep } from "./log-model/recorded.ts";
import { SOURCES } from "./log-model/sources.ts";
import { TRANSPORTS, type Transport } from "./log-model/transports.ts";
import { TestHarvester } from "./support/harvest.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const NOBODY: Http = { get: (url) => Promise.reject(new MissingError(url)) };
const DAYS = 14;
const RUNS = Number(process.env.SELECT_RUNS ?? rounds(3, 12));

const AHEAD: Transport = { clock: 0.15, beginsAhead: true };

const someLog = fc.record({
  days: fc.constant(DAYS),
  source: fc.constantFrom(...Object.values(SOURCES)),
  transport: fc.constantFrom(...Object.values(TRANSPORTS), AHEAD),
  seed: fc.integer({ min: 1, max: 10_000 }),
});

describeStores("a log of any kind, remembered by $name,", ({ open }) => {
  let memory: TestStore;
  let harvester: TestHarvester;
  beforeAll(async () => {
    memory = await open();
    harvester = new TestHarvester(memory.store, NOBODY);
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  async function expectTold(expected: Expected, mayMissPast: boolean): Promise<void> {
    const reported = await recorded(harvester, expected.steps);
    expect(without(expected.later, reported)).toEqual([]);
    const left = without(reported, expected.later);
    expect(without(left, expected.first)).toEqual([]);
    if (!mayMissPast) expect(without(expected.first, left)).toEqual([]);
  }

  test("tells what the memory of a few maps tells", () =>
    fc.assert(
      fc.asyncProperty(someLog, async (log) => expectTold(expectedOf({ "": log }), hasClocks(log))),
      { numRuns: RUNS },
    ));

  test("tells nothing again of a set that is renamed", () =>
    fc.assert(
      fc.asyncProperty(someLog, async (log) => {
        const expected = expectedOf({ "": log });
        const names = ["", "garden/", "garden/shed/", ""];
        const steps = expected.steps.map((step, at): SourceStep => {
          const name = names[Math.floor((at * names.length) / expected.steps.length)] ?? "";
          return { ...step, collections: step.collections.map((one) => ({ ...one, name })) };
        });
        await expectTold({ ...expected, steps }, hasClocks(log));
      }),
      { numRuns: RUNS / 3 },
    ));

  test("tells each set of a source on its own", () =>
    fc.assert(
      fc.asyncProperty(someLog, someLog, async (one, other) =>
        expectTold(expectedOf({ "": one, "garden/": other }), hasClocks(one) || hasClocks(other)),
      ),
      { numRuns: RUNS / 3 },
    ));
});
