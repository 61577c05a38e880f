import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { TESTS } from "./conformance/report.ts";
import { ProofReporter } from "./conformance/reporter.ts";
import { ProcessesFirst } from "./test/order.ts";
import { SkippedReporter } from "./test/skipped.ts";

const READER = join(import.meta.dirname, "packages/reader/src");

export default defineConfig({
  // Its own tests import its files: errors are to be of one class, whoever throws them.
  resolve: {
    alias: [
      { find: /^@rs-emit\/reader$/, replacement: join(READER, "index.ts") },
      { find: /^@rs-emit\/reader\//, replacement: `${READER}/` },
    ],
  },
  test: {
    include: [...TESTS],
    reporters: ["default", new ProofReporter(import.meta.dirname), new SkippedReporter()],
    setupFiles: ["test/seed.ts", "conformance/setup.ts"],
    globalSetup: ["test/temporary-folder.ts"],
    // Without it, the collector of young objects takes a third of the time.
    execArgv: ["--max-semi-space-size=16"],
    // Loading the modules anew for each file takes a third of the time. No test mocks a module.
    isolate: false,
    sequence: { sequencer: ProcessesFirst },
    // A site is built at each of its commits, several times, on whatever machine it is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One more than the processors: much of the time a test waits, for a builder, a database or a clock.
    maxWorkers: availableParallelism() + 1,
  },
});
