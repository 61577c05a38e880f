import { IS_TRIAL, ROOT } from "./places.ts";
import { measure, type Usage } from "./process.ts";

/** A command to be measured, and what it took in each round. */
export class Contestant {
  readonly usages: Usage[] = [];
  readonly command: readonly string[];
  readonly #cwd: string;
  readonly #prepare: () => void;

  /** @param prepare puts things back before each run; not measured */
  constructor(
    command: readonly string[],
    { cwd = ROOT, prepare = () => {} }: { cwd?: string; prepare?: () => void } = {},
  ) {
    this.command = command;
    this.#cwd = cwd;
    this.#prepare = prepare;
  }

  run(): Promise<Usage> {
    this.#prepare();
    return measure(this.command, this.#cwd);
  }
}

/**
 * Runs contestants in turn, round by round, so that whatever else the machine does befalls all of
 * them. A first round, which warms the caches, is not counted; a trial has none.
 */
export async function race(rounds: number, ...contestants: readonly Contestant[]): Promise<void> {
  for (let round = IS_TRIAL ? 1 : 0; round <= rounds; round++) {
    for (const contestant of contestants) {
      const usage = await contestant.run();
      if (round > 0) contestant.usages.push(usage);
    }
  }
}

/** Runs contestants that take minutes once each, in turn. */
export async function runOnce(...contestants: readonly Contestant[]): Promise<void> {
  for (const contestant of contestants) contestant.usages.push(await contestant.run());
}

/** What one took more than the other, round by round. */
export function less(whole: Contestant, part: Contestant): Contestant {
  const rest = new Contestant(whole.command);
  for (const [round, { wall, cpu, memory }] of whole.usages.entries()) {
    const other = part.usages[round] ?? { wall: 0, cpu: 0 };
    rest.usages.push({ wall: wall - other.wall, cpu: cpu - other.cpu, memory });
  }
  return rest;
}
