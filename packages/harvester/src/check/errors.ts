import { HarvestError } from "../errors.ts";

/** A source is not the check's any more: nothing of the check is kept. */
export class LostLeaseError extends HarvestError {
  readonly code = "LOST_LEASE";
  constructor(address: string) {
    super(
      `Nothing is kept of this check of ${address}: it took too long, and the source was given to ` +
        "another one, or is not followed any more.",
    );
  }
}

/** A mistake in the harvester itself. */
export class UnexpectedError extends HarvestError {
  readonly code = "UNEXPECTED";
  constructor(address: string, cause: unknown) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    super(`The harvester itself failed at ${address}: ${problem}.`, { cause });
  }
}

/** The check was broken off since the harvester stops. It tells nothing about the source. */
export class StoppedError extends Error {
  override readonly name = "StoppedError";
  constructor() {
    super("The check was broken off: the harvester stops.");
  }
}
