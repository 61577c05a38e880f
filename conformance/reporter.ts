import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import {
  claimingFiles,
  digestOf,
  mergeReport,
  type Report,
  readReport,
  type TestedProof,
  writeReport,
} from "./report.ts";

/**
 * Says at the end of a run how many proofs passed, and lists those that failed. With
 * `RS_EMIT_PROOFS=write` the files that ran get their new entries in the committed report. With
 * `RS_EMIT_PROOFS=all`, as for a release, that is written too, and a skipped proof or an entry that
 * differs from what was committed fails the run.
 */
export class ProofReporter implements Reporter {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const ran = this.#reportOf(modules);
    const proofs = Object.values(ran).flatMap((each) => each.proofs);
    if (proofs.length === 0) return;
    const open = proofs.filter(({ state }) => state !== "passed");
    const failed = open.filter(({ state }) => state === "failed");
    for (const { test, ids } of failed)
      console.log(`              ${ids.join(", ")} failed: ${test}`);
    const counts = [proofs.length - open.length, failed.length, open.length - failed.length];
    console.log(`      Proofs  ${counts[0]} passed, ${counts[1]} failed, ${counts[2]} skipped`);
    const asked = process.env.RS_EMIT_PROOFS;
    if (asked !== "write" && asked !== "all") return;
    const before = readReport(this.#root);
    const after = mergeReport(this.#root, ran);
    writeReport(this.#root, after);
    if (asked !== "all") return;
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    if (!isSame)
      console.log("              conformance/report.json was not what this run made of it.");
    if (!isSame || open.length > 0) process.exitCode = 1;
  }

  #reportOf(modules: readonly TestModule[]): Report {
    const claiming = new Set(claimingFiles(this.#root));
    return Object.fromEntries(
      modules.flatMap((module) => {
        const file = relative(this.#root, module.moduleId);
        if (!claiming.has(file)) return [];
        const proofs = [...module.children.allTests()].flatMap((test) => proofOf(test));
        return [[file, { digest: digestOf(this.#root, file), proofs }]];
      }),
    );
  }
}

function proofOf(test: TestCase): readonly TestedProof[] {
  const { proves = [], surfaces = [] } = test.meta();
  const result = test.result();
  if (proves.length === 0) return [];
  const state = result.state === "pending" ? "skipped" : result.state;
  const why = result.state === "skipped" && result.note !== undefined ? { why: result.note } : {};
  return [{ test: test.fullName, ids: proves, surfaces, state, ...why }];
}
