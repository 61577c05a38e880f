import { list } from "@rs-emit/documents";
import { EmitError, NOTHING_WRITTEN } from "../model/errors.ts";
import { mention, sentence } from "../model/sentence.ts";

/** Pages that a server makes on demand have no bytes that a dump could hold. */
export class OnDemandDumpError extends EmitError {
  readonly code = "DUMP_ON_DEMAND";
  readonly urls: readonly string[];
  constructor(urls: readonly string[]) {
    super({
      problem: `A dump holds every resource of the log, and a server makes ${list(urls, 1)} on demand.`,
      cure: [
        sentence`Leave out the option ${mention("dump")}.`,
        sentence`To leave such pages out of the log, use the option ${mention("exclude")}.`,
      ],
      outcome: NOTHING_WRITTEN,
      option: "dump",
    });
    this.urls = urls;
  }
}

/** ZIP files without extensions of the format end at 4 GiB. */
export class DumpFileTooLargeError extends EmitError {
  readonly code = "DUMP_FILE_TOO_LARGE";
  readonly file: string;
  constructor(file: string) {
    super({
      problem: `${file} is larger than 4 GiB, and no package of a dump can hold it.`,
      cure: sentence`Leave it out with the option ${mention("exclude")}, or leave out the option ${mention("dump")}.`,
      outcome: NOTHING_WRITTEN,
      option: "dump",
    });
    this.file = file;
  }
}
