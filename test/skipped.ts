import type { Reporter, TestModule } from "vitest/node";

/** A test that was skipped. */
interface Skipped {
  readonly fullName: string;
  /** What the test itself said. */
  readonly note?: string | undefined;
}

/** How a title says why its tests may be skipped: `on PostgreSQL (without a server: …)`. */
const REASON = /\(((?:without|skipped|needs|only)\b[^()]*)\)/;

/** Says at the very end of a run how many tests were skipped, and why. */
export class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests("skipped")].map((test): Skipped => {
        const result = test.result();
        const note = result.state === "skipped" ? result.note : undefined;
        return { fullName: test.fullName, note };
      }),
    );
    if (skipped.length > 0) console.log(`     Skipped  ${whySkipped(skipped)}\n`);
  }
}

/** `550: 549 without a server, 1 for its own reason`; the most frequent reason comes first. */
export function whySkipped(tests: readonly Skipped[]): string {
  const byReason = Map.groupBy(
    tests,
    ({ note, fullName }) => note ?? REASON.exec(fullName)?.[1] ?? "for reasons of their own",
  );
  const counted = [...byReason]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${length} ${reason.replace(/^skipped:? /, "")}`);
  return `${tests.length}: ${counted.join(", ")}`;
}
