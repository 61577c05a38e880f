import { readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { proofsIn } from "./proofs.ts";

/** What a run made of the proofs in its test files. */
export interface Outcome {
  readonly passed: readonly string[];
  /** Claimed in the source, and no test with it passed: `R83 in packages/core/test/append.test.ts`. */
  readonly open: readonly string[];
}

/**
 * Says at the end of a run how many proofs passed, and lists those that did not run. With
 * `RS_EMIT_PROOFS=all`, as for a release, a proof that did not run fails the run.
 */
export class ProofReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes = modules.map((each) => outcomeOf(each));
    const passed = outcomes.flatMap((each) => each.passed);
    const open = outcomes.flatMap((each) => each.open);
    if (passed.length + open.length === 0) return;
    console.log(`      Proofs  ${passed.length} passed, ${open.length} did not run`);
    for (const each of open) console.log(`              ${each}`);
    if (open.length > 0 && process.env.RS_EMIT_PROOFS === "all") process.exitCode = 1;
  }
}

function outcomeOf(module: TestModule): Outcome {
  const file = relative(process.cwd(), module.moduleId);
  const claimed = new Set(
    proofsIn(file, readFileSync(module.moduleId, "utf8")).map(({ id }) => id),
  );
  const states = new Map<string, boolean>();
  for (const test of module.children.allTests()) {
    const passed = test.result().state === "passed";
    for (const id of test.meta().proves ?? []) states.set(id, passed && (states.get(id) ?? true));
  }
  const isPassed = (id: string) => states.get(id) === true;
  return {
    passed: [...claimed].filter(isPassed),
    open: [...claimed].filter((id) => !isPassed(id)).map((id) => `${id} in ${file}`),
  };
}
