import { describe, expect, test } from "vitest";
import { isThorough, RELEASE_ALONE, sample } from "../../../test/thorough.ts";
import { judge } from "./log-model/judge.ts";
import { ALIKE, LOST, STATED } from "./log-model/lost.ts";
import { SOURCES } from "./log-model/sources.ts";
import { TRANSPORTS } from "./log-model/transports.ts";

const SEEDS = sample([1, 2], 1);
const KINDS = sample(Object.entries(SOURCES), 8);
const DAYS = 60;

describe("a log of any kind, over any transport, loses nothing", () => {
  let listed = 0;
  let alike = 0;

  test.each(Object.entries(TRANSPORTS))("%s", (name, transport) => {
    const lost: string[] = [];
    const known: string[] = [];
    for (const [kind, source] of KINDS) {
      for (const seed of SEEDS) {
        const isOfThis = (one: string) => one.startsWith(`${kind}, ${seed}: `);
        known.push(...(LOST[name]?.filter(isOfThis) ?? []));
        const verdict = judge({ source, transport, seed, days: DAYS });
        listed += verdict.listed;
        alike += verdict.alike;
        expect(verdict.listed, kind).toBeGreaterThan(50);
        lost.push(...verdict.lost.map((change) => `${kind}, ${seed}: ${change}`));
      }
    }
    expect(lost.sort()).toEqual(known.sort());
  });

  test.runIf(isThorough)(`of as many changes as the docs say${RELEASE_ALONE}`, () =>
    expect({ listed, alike }).toEqual({ listed: STATED, alike: ALIKE }),
  );
});
