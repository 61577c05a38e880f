import { printable } from "@rs-emit/documents";

/** What went wrong, and what to do now. */
export interface Fault {
  /** Stable: programs may rely on it. */
  readonly code: string;
  /** What happened, to which document, site or file; in whole sentences. */
  readonly problem: string;
  /** What was found at an address, without that: equal for all addresses with the same cause. */
  readonly finding?: string | undefined;
  /** What to do now; none where nobody can do anything. */
  readonly cure?: string | undefined;
  /** Of the command: 2 where the call is wrong, by default 1. */
  readonly exitStatus?: number;
  readonly cause?: unknown;
}

/** An expected failure of the harvester. */
export class HarvestError extends Error {
  override readonly name = "HarvestError";
  readonly code: string;
  readonly problem: string;
  readonly finding: string | undefined;
  readonly cure: string;
  readonly exitStatus: number;

  constructor({ code, problem, finding, cure = "", exitStatus = 1, cause }: Fault) {
    // Messages repeat what strangers wrote; they stand on terminals, and in pages.
    super(printable(cure === "" ? problem : `${problem} ${cure}`), { cause });
    this.code = code;
    this.problem = printable(problem);
    this.finding = finding;
    this.cure = printable(cure);
    this.exitStatus = exitStatus;
  }
}

type UrlFault = Omit<Fault, "problem" | "finding"> &
  (
    | { readonly problem: string; readonly finding?: undefined }
    | { readonly problem?: undefined; readonly finding: string }
  );

/** A failure of one document or address. */
export class UrlError extends HarvestError {
  readonly url: string;

  /** @param fault without a problem, it is that the finding was made at this address */
  constructor(url: string, { problem, finding, ...fault }: UrlFault) {
    super({ ...fault, finding, problem: problem ?? `${url} ${finding}.` });
    this.url = url;
  }
}

/** Whether an error is the expected failure with this code. */
export function hasCode(error: unknown, code: string): error is HarvestError {
  return error instanceof HarvestError && error.code === code;
}

/** The system's code of an error, or a library's, such as `ENOENT`; empty if it has none. */
export function codeOf(error: unknown): string {
  const isCoded = error instanceof Error && "code" in error && typeof error.code === "string";
  return isCoded ? String(error.code) : "";
}

/** What an error says. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
