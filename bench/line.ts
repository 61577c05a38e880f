import type { Usage } from "./process.ts";
import type { Contestant } from "./race.ts";

/** A line of the table: a figure of ours, beside a yardstick's where there is one. */
export interface Line {
  readonly what: string;
  readonly unit: "s" | "ms" | "MiB" | "modules" | "requests" | "checks";
  readonly ours: readonly number[];
  readonly yardstick?: { readonly name: string; readonly figures: readonly number[] };
  /** Ours to the yardstick's, in seconds of all cores: less shaken by what else the machine does. */
  readonly cpuRatio?: number;
  readonly aim?: Aim;
}

/** What must not be passed: a multiple of the yardstick, the same in seconds of all cores, or a figure. */
export interface Aim {
  readonly of: "ratio" | "CPU" | "figure";
  readonly most: number;
}

/**
 * Compares how long two contestants took.
 *
 * @param most the aim: a multiple of the yardstick, by the clock or in seconds of all cores
 */
export function timeLine(
  what: string,
  ours: Contestant,
  yardstick?: { readonly name: string; readonly contestant: Contestant },
  most?: number,
  of: "ratio" | "CPU" = "ratio",
): Line {
  const line = { what, unit: "s" as const, ours: figures(ours, "wall") };
  if (yardstick === undefined) return line;
  const { name, contestant } = yardstick;
  return {
    ...line,
    yardstick: { name, figures: figures(contestant, "wall") },
    cpuRatio: median(figures(ours, "cpu")) / median(figures(contestant, "cpu")),
    ...(most === undefined ? {} : { aim: { of, most } }),
  };
}

/** Tells the peak memory of a contestant, beside another's where there is one. */
export function memoryLine(
  what: string,
  ours: Contestant,
  yardstick?: { readonly name: string; readonly contestant: Contestant },
  aim?: Aim,
): Line {
  return {
    what,
    unit: "MiB",
    ours: figures(ours, "memory"),
    ...(yardstick === undefined
      ? {}
      : {
          yardstick: { name: yardstick.name, figures: figures(yardstick.contestant, "memory") },
        }),
    ...(aim === undefined ? {} : { aim }),
  };
}

/** A row that measured nothing is broken, whatever its table looks like. */
export function requireFigures({ what, ours, yardstick }: Line): void {
  for (const figures of [ours, ...(yardstick === undefined ? [] : [yardstick.figures])]) {
    if (figures.length === 0 || !figures.every(Number.isFinite)) {
      throw new Error(`No figure: ${what}: ${figures}`);
    }
  }
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** The figure that this share of all does not exceed. */
export function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function figures({ usages }: Contestant, of: keyof Usage): number[] {
  return usages.map((usage) => usage[of]);
}
