import { EmitError } from "../errors.ts";

/** What keeps documents from being written. */
export type WriteFault = "DISK_FULL" | "READ_ONLY" | "WRITE_FAILED";

/** The documents could not be written. */
export class WriteError extends EmitError {
  readonly code: WriteFault;
  /** The file that could not be written. */
  readonly path: string;
  constructor(path: string, cause: Error, begun: boolean) {
    const code = faultOf(cause);
    super(`${MESSAGES[code](path, cause.message)} ${begun ? BEGUN : "Nothing was changed."}`, {
      cause,
    });
    this.code = code;
    this.path = path;
  }
}

const BEGUN = "Some documents were replaced already: the next run repairs the rest.";

const MESSAGES: Record<WriteFault, (path: string, reason: string) => string> = {
  DISK_FULL: (path) => `The disk is full: ${path} could not be written. Make room and run again.`,
  READ_ONLY: (path) =>
    `${path} cannot be written: the folder or the file is read-only. Change its permissions, or ` +
    "build into another folder.",
  WRITE_FAILED: (path, reason) => `${path} could not be written (${reason}).`,
};

function faultOf(cause: Error): WriteFault {
  const code = "code" in cause ? cause.code : undefined;
  if (code === "ENOSPC" || code === "EDQUOT") return "DISK_FULL";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "READ_ONLY";
  return "WRITE_FAILED";
}

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
