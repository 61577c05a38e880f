import type { Usage } from "./process.ts";
import type { Contestant } from "./race.ts";

/** A line of the table: a figure of ours, beside a yardstick's where there is one. */
export interface Line {
  readonly what: string;
  readonly unit: "s" | "ms" | "MiB" | "modules";
  readonly ours: readonly number[];
  readonly yardstick?: { readonly name: string; readonly figures: readonly number[] };
  /** Ours to the yardstick's, in seconds of all cores: less shaken by what else the machine does. */
  readonly cpuRatio?: number;
  readonly aim?: Aim;
}

/** What must not be passed: a multiple of the yardstick, or a figure. */
export interface Aim {
  readonly of: "ratio" | "figure";
  readonly most: number;
}

/** Compares how long two contestants took. */
export function timeLine(
  what: string,
  ours: Contestant,
  yardstick?: { readonly name: string; readonly contestant: Contestant },
  ratio?: number,
): Line {
  const line = { what, unit: "s" as const, ours: figures(ours, "wall") };
  if (yardstick === undefined) return line;
  const { name, contestant } = yardstick;
  return {
    ...line,
    yardstick: { name, figures: figures(contestant, "wall") },
    cpuRatio: median(figures(ours, "cpu")) / median(figures(contestant, "cpu")),
    ...(ratio === undefined ? {} : { aim: { of: "ratio", most: ratio } }),
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

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function figures({ usages }: Contestant, of: keyof Usage): number[] {
  return usages.map((usage) => usage[of]);
}
