import { Session } from "node:inspector";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
}

/** Follows which code of this thread was run, by V8's own counts. */
export class Coverage {
  /** Characters of source that were run. */
  reached = 0;
  readonly #session = new Session();
  readonly #isWanted: (url: string) => boolean;
  /** By function: its parts that were never run, in order. */
  readonly #missed = new Map<string, readonly Range[]>();
  /** What the last call changed, as it was before. */
  readonly #last = new Map<string, readonly Range[]>();

  /** @param isWanted whether the code of a file counts */
  constructor(isWanted: (url: string) => boolean) {
    this.#isWanted = isWanted;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** Whether code was run since the last call that was never run before. */
  grows(): boolean {
    const before = this.reached;
    this.#last.clear();
    this.#session.post("Profiler.takePreciseCoverage", (error, { result }) => {
      if (error !== null) throw error;
      for (const { scriptId, url, functions } of result) {
        if (!this.#isWanted(url)) continue;
        for (const { ranges } of functions) this.#add(scriptId, ranges);
      }
    });
    return this.reached > before;
  }

  /** Forgets what was new at the last call, so that it is new again. */
  takeBack(): void {
    for (const [key, before] of this.#last) {
      this.reached -= lengthOf(before) - lengthOf(this.#missed.get(key) ?? []);
      this.#missed.set(key, before);
    }
    this.#last.clear();
  }

  #add(scriptId: string, ranges: readonly (Range & { readonly count: number })[]): void {
    const [whole] = ranges;
    if (whole === undefined || whole.count === 0) return;
    const key = `${scriptId}:${whole.startOffset}:${whole.endOffset}`;
    const before = this.#missed.get(key) ?? [whole];
    if (before.length === 0) return;
    const missed = common(before, notRun(ranges));
    if (lengthOf(missed) === lengthOf(before)) return;
    this.#last.set(key, before);
    this.#missed.set(key, missed);
    this.reached += lengthOf(before) - lengthOf(missed);
  }
}

/** V8 gives ranges from outer to inner ones; a part is as often run as the innermost range with it. */
function notRun(ranges: readonly (Range & { readonly count: number })[]): Range[] {
  const missed: Range[] = [];
  for (const { startOffset, endOffset, count } of ranges) {
    const last = missed.at(-1);
    if (count > 0 || (last !== undefined && startOffset < last.endOffset)) continue;
    missed.push({ startOffset, endOffset });
  }
  return missed;
}

/** What is in both lists of ranges, each in order. */
function common(one: readonly Range[], other: readonly Range[]): Range[] {
  const both: Range[] = [];
  for (let a = 0, b = 0; ; ) {
    const [left, right] = [one[a], other[b]];
    if (left === undefined || right === undefined) return both;
    const startOffset = Math.max(left.startOffset, right.startOffset);
    const endOffset = Math.min(left.endOffset, right.endOffset);
    if (startOffset < endOffset) both.push({ startOffset, endOffset });
    if (left.endOffset <= right.endOffset) a += 1;
    else b += 1;
  }
}

function lengthOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { startOffset, endOffset }) => sum + endOffset - startOffset, 0);
}
