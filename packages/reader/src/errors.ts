import { printable } from "@rs-emit/documents";

/** What every expected failure of the harvester has: a stable `code`, and a message in plain words. */
export abstract class HarvestError extends Error {
  abstract readonly code: string;

  /** Messages repeat what strangers wrote; they stand on terminals, and in pages. */
  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options);
  }

  override get name(): string {
    return this.constructor.name;
  }
}

/** A failure of one document or address. */
export abstract class UrlError extends HarvestError {
  readonly url: string;
  constructor(url: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.url = url;
  }
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
