import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LOCK } from "@rs-emit/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cutOf, proveAftermath } from "./kill/aftermath.ts";
import { publishBefore, stateAfter } from "./kill/before.ts";
import { CrashingDisk, Killed } from "./kill/crash.ts";
import { SCENARIOS, type Scenario } from "./kill/scenarios.ts";
import { contentsOf, documentsIn, filesIn } from "./model/documents.ts";
import type { Edit } from "./model/edits.ts";
import { Host } from "./model/host.ts";

import { dropDotFolder } from "./model/memory.ts";
import { ClosedLists } from "./model/proof.ts";
import { Publisher } from "./model/publisher.ts";
import { STRIDE } from "./thorough.ts";

let host: Host;
beforeAll(async () => {
  host = await Host.start();
});
afterAll(() => host[Symbol.asyncDispose]());

/**
 * Whenever the process is killed, the next run ends with the model's log: each change once, dated by
 * the killed run or by the next.
 */
describe.each(SCENARIOS)("killed while publishing $name", (scenario) => {
  test.each([
    { next: "the same site is published", further: [], first: 0 },
    { next: "the site is edited further", further: scenario.further, first: 1 },
  ])("at any operation; then $next", async ({ further, first }) => {
    const whole = await publishCrashing(scenario, further, Number.POSITIVE_INFINITY);
    expect(whole).toBeGreaterThan(10);
    for (let last = first; last < whole; last += STRIDE) {
      try {
        await publishCrashing(scenario, further, last);
      } catch (error) {
        throw new Error(`killed after operation ${last}`, { cause: error });
      }
    }
  });
});

/** The same in a folder without a Source Description: what tells of the collections is half new. */
test.each(SCENARIOS.filter(({ name }) => name === "a collection that is new"))(
  "killed at any operation without a Source Description, while publishing $name",
  async (scenario) => {
    const crash = async (last: number) => {
      const disk = new CrashingDisk(last);
      await publishKilled(scenario, scenario.further, async (publisher) => {
        dropDotFolder(publisher.output);
        await publisher.run({ fileSystem: disk }).then(() => {}, expectKill);
      });
      return disk.operations;
    };
    const whole = await crash(Number.POSITIVE_INFINITY);
    expect(whole).toBeGreaterThan(10);
    for (let last = 0; last < whole; last += STRIDE) await crash(last);
  },
);

/** The same by a real death of the process, which also leaves its lock. */
test.each([
  [1, "after"],
  [20, "before"],
  [31, "after"],
  [52, "before"],
])("SIGKILL at operation %i, %s it", async (operation, when) => {
  const scenario = scenarioOf("snapshots in parts");
  await publishKilled(scenario, [], (publisher) =>
    killProcess(publisher, scenario, operation, when),
  );
});

test("SIGKILL when some pages are in their places, and no document is", async () => {
  const scenario = scenarioOf("lists of changes");
  const disk = new CrashingDisk(Number.POSITIVE_INFINITY);
  await publishKilled(scenario, [], async (publisher) => {
    await publisher.run({ fileSystem: disk });
  });
  await publishKilled(scenario, [], (publisher) => {
    const { output } = publisher;
    const documents = documentsIn(output);
    const pages = contentsOf(output, (file) => file.endsWith("ml") && !documents.has(file));
    killProcess(publisher, scenario, disk.firstRename + 1, "after");
    expect(documentsIn(output)).toEqual(documents);
    const written = [...pages].filter(
      ([file, bytes]) => readFileSync(join(output, file), "latin1") !== bytes,
    );
    expect(written).toHaveLength(2);
  });
});

function scenarioOf(name: string): Scenario {
  const scenario = SCENARIOS.find((one) => one.name.includes(name));
  if (scenario === undefined) throw new Error("there is no such scenario");
  return scenario;
}

/** Publishes in a process of its own, which dies before or after one operation. */
function killProcess(
  { site, output }: Publisher,
  { entries }: Scenario,
  operation: number,
  when: string,
): void {
  const options = { ...site.options(output), previous: "output" };
  const script = join(import.meta.dirname, "kill/publish.ts");
  const run = [script, JSON.stringify(options), String(site.now), String(operation), when];
  const limit = entries === undefined ? [] : [String(entries)];
  const { signal, stderr } = spawnSync(process.execPath, [...run, ...limit], { encoding: "utf8" });
  expect(signal, stderr).toBe("SIGKILL");
  expect(existsSync(join(output, LOCK))).toBe(true);
}

/** @returns how many operations the publication that was to be killed began */
async function publishCrashing(
  scenario: Scenario,
  further: readonly Edit[],
  last: number,
): Promise<number> {
  const disk = new CrashingDisk(last);
  await publishKilled(scenario, further, (publisher) =>
    publisher.run({ fileSystem: disk }).then(() => {}, expectKill),
  );
  return disk.operations;
}

async function publishKilled(
  scenario: Scenario,
  further: readonly Edit[],
  kill: (publisher: Publisher) => Promise<void> | void,
): Promise<void> {
  using publisher = new Publisher("output", host, scenario.entries);
  const { site, output } = publisher;
  const closed = new ClosedLists();
  const before = await publishBefore(publisher, scenario, closed);
  publisher.edit(scenario.step.edits, scenario.step.elapse, scenario.step.note);
  const intended = stateAfter(before, publisher);
  await kill(publisher);
  const cut = cutOf("output", output, site, [before, intended]);
  publisher.edit(further, 60);
  await publisher.run();
  proveAftermath(output, site, cut);
  if (before.size > 0) closed.prove(output, site.url);
  expect(filesIn(output).filter(isLeftover)).toEqual([]);
}

function expectKill(error: unknown): void {
  expect(error).toMatchObject({ cause: expect.any(Killed) });
}

function isLeftover(file: string): boolean {
  return file.endsWith(".rs-emit-tmp") || file === LOCK;
}
