import { list } from "@rs-emit/documents";
import { EmitError } from "../model/errors.ts";
import { mention, sentence } from "../model/sentence.ts";

/** A server makes these pages on demand, so there are no bytes for a dump. */
export function onDemandDumpError(urls: readonly string[]): EmitError {
  return new EmitError({
    code: "DUMP_ON_DEMAND",
    problem: `A dump holds every resource of the log, and a server makes ${list(urls, 1)} on demand.`,
    cure: [
      sentence`Leave out the option ${mention("dump")}.`,
      sentence`To leave such pages out of the log, use the option ${mention("exclude")}.`,
    ],
  });
}

/** ZIP files without extensions of the format end at 4 GiB. */
export function dumpFileTooLargeError(file: string): EmitError {
  return new EmitError({
    code: "DUMP_FILE_TOO_LARGE",
    problem: `${file} is larger than 4 GiB, and no package of a dump can hold it.`,
    cure: sentence`Leave it out with the option ${mention("exclude")}, or leave out the option ${mention("dump")}.`,
    option: "dump",
  });
}
