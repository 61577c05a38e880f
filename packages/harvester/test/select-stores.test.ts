import { type Transport as Http, MissingError } from "@rs-emit/reader";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rounds } from "../../../test/thorough.ts";
import { readingsOf } from "./log-model/judge.ts";
import { PlainMemory } from "./log-model/memory.ts";
import { recorded, type SetStep, type SourceStep } from "./log-model/recorded.ts";
import { SOURCES } from "./log-model/sources.ts";
import { TRANSPORTS, type Transport } from "./log-model/transports.ts";
import { TestHarvester } from "./support/harvest.ts";
import { SITE } from "./support/readings.ts";
import { describeStores, type TestStore } from "./support/stores.ts";

const NOBODY: Http = { get: (url) => Promise.reject(new MissingError(url)) };
const DAYS = 14;
const RUNS = Number(process.env.SELECT_RUNS ?? rounds(3, 12));

const AHEAD: Transport = { clock: 0.15, beginsAhead: true };

const someLog = fc.record({
  source: fc.constantFrom(...Object.values(SOURCES)),
  transport: fc.constantFrom(...Object.values(TRANSPORTS), AHEAD),
  seed: fc.integer({ min: 1, max: 10_000 }),
});

type SomeLog = typeof someLog extends fc.Arbitrary<infer Log> ? Log : never;

interface Expected {
  readonly steps: readonly SourceStep[];
  /** Told until all lists were read once: changes from before the first reading may be missing. */
  readonly first: readonly string[];
  /** Told later. */
  readonly later: readonly string[];
}

/** What the memory of a few maps tells of the sets of a source, each with the same pages. */
function expectedOf(logs: Readonly<Record<string, SomeLog>>): Expected {
  const known = Object.entries(logs).map(([name, log]) => {
    const own = { name, capabilityListUrl: `${SITE}${name}capabilities.xml` };
    const readings = [...readingsOf({ ...log, days: DAYS })];
    return { own, readings, memory: new PlainMemory(), isWhole: false };
  });
  const inTurn = known
    .flatMap((log) => log.readings.map((reading) => ({ log, reading })))
    .sort((one, other) => one.reading.now - other.reading.now);
  const latest = new Map<string, SetStep>();
  const first: string[] = [];
  const later: string[] = [];
  const steps = inTurn.map(({ log, reading }): SourceStep => {
    const { changes } = log.memory.take(reading);
    const told = changes.map(({ url, kind, datetime }) => `${url} ${kind} ${datetime}`);
    if (log.isWhole) later.push(...told);
    else first.push(...told);
    log.isWhole ||= reading.unread === 0;
    const others = [...latest.values()].filter(({ name }) => name !== log.own.name);
    latest.set(log.own.name, { ...log.own, reading: { ...reading, lists: new Map() } });
    return { now: reading.now, collections: [{ ...log.own, reading }, ...others] };
  });
  return { steps, first, later };
}

/** By a wrong clock, the first check may begin too late. */
function hasClocks({ transport }: SomeLog): boolean {
  return transport.clock !== undefined;
}

/** The changes that are left without these, each as often as it is in both. */
function without(changes: readonly string[], those: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const change of those) counts.set(change, (counts.get(change) ?? 0) + 1);
  return changes.filter((change) => {
    const count = counts.get(change) ?? 0;
    counts.set(change, count - 1);
    return count <= 0;
  });
}

describeStores("a log of any kind, remembered by $name,", ({ open }) => {
  let memory: TestStore;
  let harvester: TestHarvester;
  beforeAll(async () => {
    memory = await open();
    harvester = new TestHarvester(memory.store, NOBODY);
  });
  afterAll(() => memory[Symbol.asyncDispose]());

  async function expectTold(expected: Expected, mayMissPast: boolean): Promise<void> {
    const told = await recorded(harvester, expected.steps);
    expect(without(expected.later, told)).toEqual([]);
    const left = without(told, expected.later);
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
