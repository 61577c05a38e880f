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

/** The harvester stops. This says nothing about the source. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  constructor() {
    super("The check was broken off: the harvester stops.");
  }
}
