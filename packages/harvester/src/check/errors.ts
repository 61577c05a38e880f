import { HarvestError } from "../errors.ts";

/** A check took so long that another may have begun: nothing of it is kept. */
export class LostLeaseError extends HarvestError {
  readonly code = "LOST_LEASE";
  constructor(address: string) {
    super(`The check of ${address} took too long and was given to someone else.`);
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
