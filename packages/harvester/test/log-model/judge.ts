import { PlainMemory } from "./memory.ts";
import { randomFrom } from "./pages.ts";
import { type LogReading, readings, type Transport } from "./transports.ts";
import type { LogEntry, Source } from "./versions.ts";

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
  /** Changes that the source listed, whatever dates it gave them. */
  readonly listed: number;
  /** Those that were never told, as they were listed first. */
  readonly lost: readonly string[];
  /** Those that were never told, since an equal one was, and no reading listed both: nothing tells them apart. */
  readonly alike: number;
  readonly twice: number;
}

/** Reads a source as the harvester does, and compares what it tells with what happened. */
export function judge(one: Case): Verdict {
  const memory = new PlainMemory();
  const equals = new Equals();
  for (const reading of readingsOf(one)) {
    equals.add(reading);
    memory.take(reading);
  }
  const { reported } = memory;
  const ids = new Set(reported.map(({ id }) => id));
  const tellings = new Map<string, number>();
  for (const one of reported) tellings.set(nameOf(one), (tellings.get(nameOf(one)) ?? 0) + 1);
  const untold = [...equals.names].filter(([id, names]) => {
    return !ids.has(id) && ![...names].some((name) => equals.areTold(name, tellings));
  });
  const lost = untold.filter(([, names]) => !equals.areAlike(names, tellings));
  return {
    listed: equals.names.size,
    lost: lost.map(([, names]) => [...names][0] ?? ""),
    alike: untold.length - lost.length,
    twice: reported.length - equals.names.size + untold.length,
  };
}

/** How often changes of a name were told. */
type Tellings = ReadonlyMap<string, number>;

/** Changes of one page, instant, kind and digest: as many are to be told as are listed. */
class Equals {
  /** How each change was listed, by its id. */
  readonly names = new Map<number, Set<string>>();
  readonly #lists = new Map<string, readonly LogEntry[]>();
  readonly #ids = new Map<string, Set<number>>();
  /** How many were listed at once. */
  readonly #most = new Map<string, number>();

  add({ lists, named }: LogReading): void {
    for (const [name, { entries }] of lists) this.#lists.set(name, entries);
    for (const name of this.#lists.keys()) if (!named.includes(name)) this.#lists.delete(name);
    const now = new Map<string, Set<number>>();
    for (const one of [...this.#lists.values()].flat()) {
      const name = nameOf(one);
      for (const map of [now, this.#ids]) map.set(name, (map.get(name) ?? new Set()).add(one.id));
      this.names.set(one.id, (this.names.get(one.id) ?? new Set()).add(name));
    }
    for (const [name, { size }] of now) {
      this.#most.set(name, Math.max(this.#most.get(name) ?? 0, size));
    }
  }

  /** As many are told as there are. */
  areTold(name: string, tellings: Tellings): boolean {
    return (tellings.get(name) ?? 0) >= (this.#ids.get(name)?.size ?? 0);
  }

  /** As many are told as were ever listed at once. */
  areAlike(names: ReadonlySet<string>, tellings: Tellings): boolean {
    return [...names].some((name) => (tellings.get(name) ?? 0) >= (this.#most.get(name) ?? 0));
  }
}

function nameOf({ page, kind, datetime, hash }: LogEntry): string {
  return `${page} ${kind} ${datetime} ${hash}`.trimEnd();
}
