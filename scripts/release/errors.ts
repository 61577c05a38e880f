/** A release that cannot go on: what happened, and what to do now. */
export abstract class ReleaseError extends Error {
  abstract readonly code: string;
  readonly problem: string;
  readonly cure: string;

  constructor(problem: string, cure: string) {
    super(`${problem} ${cure}`);
    this.name = new.target.name;
    this.problem = problem;
    this.cure = cure;
  }
}

/** Runs a script's main function, and prints a problem and its cure in place of a stack. */
export async function runScript(main: () => Promise<void> | void): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    process.stderr.write(`${error.problem}\n${error.cure}\n`);
    process.exitCode = 1;
  }
}

/** A script was called with words that it does not understand. */
export class UsageError extends ReleaseError {
  readonly code = "USAGE";

  constructor(usage: string) {
    super("These arguments are not understood.", `Usage: ${usage}`);
  }
}
