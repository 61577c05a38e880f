import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What stands in a test file that starts processes: git, a builder, a command. */
const STARTS =
  /child_process|AstroSite|support\/(?:project|repository|workspace)\.ts|from "\.\/(?:backfill|history)\//;

/** Test files that start a few processes, and hold much in memory. */
const LARGE = ["/packages/core/test/dump.test.ts"];

/**
 * Runs the test files that start processes first, since a process that has become large takes several times
 * as long to start another one. All files of a worker run in one process.
 */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = sorted.filter(
      ({ moduleId }) =>
        !LARGE.some((file) => moduleId.endsWith(file)) &&
        STARTS.test(readFileSync(moduleId, "utf8")),
    );
    return [...new Set([...first, ...sorted])];
  }
}
