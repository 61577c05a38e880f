import { SITE } from "../support/readings.ts";
import { type Case, readingsOf } from "./judge.ts";
import { PlainMemory } from "./memory.ts";
import type { SetStep, SourceStep } from "./recorded.ts";

/** What is reported of a source. */
export interface Expected {
  readonly steps: readonly SourceStep[];
  /** Reported until all lists were read once: changes from before the first reading may be missing. */
  readonly first: readonly string[];
  /** Reported later. */
  readonly later: readonly string[];
}

/** What the memory of a few maps reports of the sets of a source, each with the same pages. */
export function expectedOf(logs: Readonly<Record<string, Case>>): Expected {
  const known = Object.entries(logs).map(([name, log]) => {
    const own = { name, capabilityListUrl: `${SITE}${name}capabilities.xml` };
    const readings = [...readingsOf(log)];
    return { own, readings, memory: new PlainMemory(), isWhole: false };
  });
  const inTurn = known
    .flatMap((log) => log.readings.map((reading, turn) => ({ log, reading, turn })))
    // Not by their clocks, which may be wrong: no check is before an earlier one.
    .sort((one, other) => one.turn - other.turn);
  const latest = new Map<string, SetStep>();
  const first: string[] = [];
  const later: string[] = [];
  const steps = inTurn.map(({ log, reading }): SourceStep => {
    const { changes } = log.memory.take(reading);
    const reported = changes.map(({ url, kind, datetime }) => `${url} ${kind} ${datetime}`);
    if (log.isWhole) later.push(...reported);
    else first.push(...reported);
    log.isWhole ||= reading.unread === 0;
    const others = [...latest.values()].filter(({ name }) => name !== log.own.name);
    latest.set(log.own.name, { ...log.own, reading: { ...reading, lists: new Map() } });
    return { now: reading.now, collections: [{ ...log.own, reading }, ...others] };
  });
  return { steps, first, later };
}

/** By a wrong clock, the first check may begin too late. */
export function hasClocks({ transport }: Case): boolean {
  return transport.clock !== undefined;
}

/** The changes that are left without these, each as often as it is in both. */
export function without(changes: readonly string[], those: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const change of those) counts.set(change, (counts.get(change) ?? 0) + 1);
  return changes.filter((change) => {
    const count = counts.get(change) ?? 0;
    counts.set(change, count - 1);
    return count <= 0;
  });
}
