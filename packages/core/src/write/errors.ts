import { EmitError } from "../model/errors.ts";

/** Another run publishes into the same folder. */
export class LockedError extends EmitError {
  readonly code = "LOCKED";
  constructor(folder: string, lock: string, holder: string) {
    super(
      `Another run of rs-emit publishes into ${folder} (${holder}). Wait until it has ended and run ` +
        `again; if none is running, remove ${lock}.`,
    );
  }
}
