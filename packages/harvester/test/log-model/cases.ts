import type { Case } from "./judge.ts";
import { SOURCES } from "./sources.ts";
import { TRANSPORTS } from "./transports.ts";

/** As {@link LOST} was found. */
const DAYS = 60;
const SHAPES = 30;

/** A case by its name, as {@link LOST} has it. */
export interface NamedCase extends Case {
  readonly name: string;
  readonly over: string;
}

/** Thirty kinds of sources, over the transports in turn. */
export function shapes(seeds: readonly number[]): readonly NamedCase[] {
  const sources = Object.entries(SOURCES);
  const transports = Object.entries(TRANSPORTS);
  return seeds.flatMap((seed) =>
    Array.from({ length: SHAPES }, (_, at): NamedCase => {
      const [kind = "", source] = sources[Math.floor((at * sources.length) / SHAPES)] ?? [];
      const [over = "", transport] = transports[at % transports.length] ?? [];
      if (source === undefined || transport === undefined) throw new Error("there is no such case");
      return { name: `${kind}, ${seed}`, over, source, transport, seed, days: DAYS };
    }),
  );
}
