import { HarvestError } from "../errors.ts";

/** Another worker has the source now: nothing of this check is recorded. */
export class LostLeaseError extends HarvestError {
  readonly code = "LOST_LEASE";
  constructor(address: string) {
    super(
      `Nothing is kept of this check of ${address}: it took too long, and the source was given to ` +
        "another one, or is not followed any more.",
    );
  }
}

export class UnexpectedError extends HarvestError {
  readonly code = "UNEXPECTED";
  constructor(address: string, cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super(`The harvester itself failed at ${address}: ${problem}.`, { cause });
  }
}

/** The harvester was killed while it checked a source. */
export class UnendedError extends HarvestError {
  readonly code = "UNENDED";
  /** @param times checks in a row that did not end */
  constructor(address: string, times: number) {
    const checks = times === 1 ? "The last check" : `The last ${times} checks`;
    super(
      `${checks} of ${address} did not end: the harvester was killed, or ran out of memory. It is tried later each ` +
        "time, and alone.",
    );
  }
}

/** The harvester stops. This says nothing about the source. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  constructor() {
    super("The check was broken off: the harvester stops.");
  }
}
