import { identified, type LogChange, PlainMemory } from "./memory.ts";
import { randomFrom } from "./pages.ts";
import { type LogReading, readings, type Transport } from "./transports.ts";
import type { Source } from "./versions.ts";

export interface Case {
  readonly source: Source;
  readonly transport: Transport;
  readonly seed: number;
  readonly days: number;
}

/** All that a harvester reads of a source. */
export function readingsOf({ source, transport, seed, days }: Case): Generator<LogReading> {
  const versions = source(randomFrom(seed * 31 + 7), days);
  return readings(versions, transport, randomFrom(seed * 977 + 3), {
    days,
    isHashed: seed % 3 === 0,
  });
}

export interface Verdict {
  /** Changes that the source stated, whatever dates it gave them. */
  readonly stated: number;
  /** Those that were never told. */
  readonly lost: readonly string[];
  readonly twice: number;
}

/** Reads a source as the harvester does, and compares what it tells with what happened. */
export function judge(one: Case): Verdict {
  const memory = new PlainMemory();
  const identities = new Map<number, Set<string>>();
  const told: LogChange[] = [];
  for (const reading of readingsOf(one)) {
    const changes = [...reading.lists].flatMap(([name, { entries }]) => identified(entries, name));
    for (const { id, identity } of changes) {
      identities.set(id, (identities.get(id) ?? new Set()).add(identity));
    }
    const ids = new Map(changes.map((change) => [change.identity, change]));
    for (const { identity } of memory.take(reading).changes) {
      const change = ids.get(identity);
      if (change !== undefined) told.push(change);
    }
  }
  const tellings = Map.groupBy(told, ({ id }) => id);
  // Two changes of one page, instant and kind are told if one of them is.
  const toldIdentities = new Set(told.map(({ identity }) => identity));
  const lost = [...identities].filter(
    ([id, own]) => !tellings.has(id) && ![...own].some((identity) => toldIdentities.has(identity)),
  );
  return {
    stated: identities.size,
    lost: lost.map(([, own]) => [...own].join(", ")),
    twice: told.length - tellings.size,
  };
}
