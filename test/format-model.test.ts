import fc from "fast-check";
import { afterAll, beforeAll, describe, test } from "vitest";
import { FORMAT } from "../packages/core/src/model/log-attributes.ts";
import { hasCommit, softwareOf } from "./format/commit.ts";
import { frozenVersions } from "./format/frozen.ts";
import { EARLIER, LATER } from "./format/imitations.ts";
import { type Step, someStep } from "./model/edits.ts";
import { Host } from "./model/host.ts";
import { beginning, live } from "./model/live.ts";
import { MEMORIES, type MemoryKind } from "./model/memory.ts";
import { type Software, TODAYS } from "./model/software.ts";
import { RELEASE_ALONE, rounds } from "./thorough.ts";

/** Random histories for each memory: a thousand before a release, which installs and builds a commit for them. */
const HISTORIES = Number(process.env.FORMAT_RUNS ?? rounds(0, 250));

/** Milliseconds: on a busy machine a history takes some seconds. */
const LONG = { timeout: 3_600_000 };

let host: Host;
beforeAll(async () => {
  host = await Host.start();
});
afterAll(() => host[Symbol.asyncDispose]());

/**
 * Whichever versions of one format publish a site in turn: no change is lost, none is invented, none is told
 * twice. After each publication, the log is the one that the model of the site says.
 */
describe.each(frozenVersions().filter(({ format }) => format === FORMAT))(
  "version $version, in turn with today's",
  ({ version, commit }) => {
    const isHere = hasCommit(commit);
    const reason = isHere ? RELEASE_ALONE : ` (without commit ${commit} in this clone)`;
    const isSkipped = !isHere || HISTORIES === 0;
    test.skipIf(isSkipped).each(MEMORIES)(
      `with the memory %s${isSkipped ? reason : ""}`,
      LONG,
      async (kind) => {
        await alternate(kind, [await softwareOf(commit, version), TODAYS], HISTORIES);
      },
    );
  },
);

describe("today's, in turn with imitations of a later and of an earlier one", () => {
  test.each(MEMORIES)("with the memory %s", LONG, (kind) =>
    alternate(kind, [LATER, TODAYS, EARLIER], rounds(2, 25)),
  );
});

async function alternate(
  kind: MemoryKind,
  software: readonly Software[],
  numRuns: number,
): Promise<void> {
  const first = beginning(kind);
  const publication = fc.record({
    step: someStep,
    by: fc.constantFrom(...software.map(({ name }) => name)),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(publication, { minLength: 1, maxLength: 15, size: "max" }),
      fc.option(fc.integer({ min: 3, max: 7 }), { nil: undefined }),
      (publications, entries) => {
        const steps: readonly Step[] = [...first, ...publications.map(({ step }) => step)];
        const publishing = publications.map(({ by }) => software.find(({ name }) => name === by));
        return live(kind, host, steps, {
          entries,
          software: [...first.map(() => TODAYS), ...publishing.map((one = TODAYS) => one)],
        });
      },
    ),
    { numRuns },
  );
}
