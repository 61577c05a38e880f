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

type Log = Parameters<typeof expectedOf>[0][string];

/** `sliding, cached, seed 7` */
function wayOf({ source, transport, seed }: Log): string {
  const nameIn = (named: object, one: object) =>
    Object.entries(named).find(([, other]) => other === one)?.[0] ?? "ahead";
  return `${nameIn(SOURCES, source)}, ${nameIn(TRANSPORTS, transport)}, seed ${seed}`;
}

describeStores("a log of any kind, remembered by $name,", ({ open }) => {
  let memory: TestStore;
  let harvester: TestHarvester;
  beforeAll(async () => {
    memory = await open();
    harvester = new TestHarvester(memory.store, NOBODY);
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  /** Names each change that was lost or invented, and the way that it came. */
  async function expectTold(expected: Expected, ...logs: readonly Log[]): Promise<void> {
    const reported = await recorded(harvester, expected.steps);
    const left = without(reported, expected.later);
    const mayMissPast = logs.some(hasClocks);
    const told = {
      lost: without(expected.later, reported),
      lostOfThePast: mayMissPast ? [] : without(expected.first, left),
      invented: without(left, expected.first),
    };
    expect(told, logs.map(wayOf).join("; ")).toEqual({ lost: [], lostOfThePast: [], invented: [] });
  }

  test("tells what the memory of a few maps tells", () =>
    fc.assert(
      fc.asyncProperty(someLog, async (log) => expectTold(expectedOf({ "": log }), log)),
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
        await expectTold({ ...expected, steps }, log);
      }),
      { numRuns: RUNS / 3 },
    ));

  test("tells each set of a source on its own", () =>
    fc.assert(
      fc.asyncProperty(someLog, someLog, async (one, other) =>
        expectTold(expectedOf({ "": one, "garden/": other }), one, other),
      ),
      { numRuns: RUNS / 3 },
    ));
});
