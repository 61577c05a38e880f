import { HarvestError } from "../errors.ts";

export abstract class FetchError extends HarvestError {
  readonly url: string;
  constructor(url: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.url = url;
  }
}

/** 404: the document is missing for now. */
export class MissingError extends FetchError {
  readonly code = "MISSING";
  constructor(url: string) {
    super(url, `There is no document at ${url} (404).`);
  }
}

/** 410: the document will not come back. */
export class GoneError extends FetchError {
  readonly code = "GONE";
  constructor(url: string) {
    super(url, `The document at ${url} is gone for good (410).`);
  }
}

/** 429 and 503: the host asks to wait. */
export class BusyError extends FetchError {
  readonly code = "BUSY";
  /** UTC seconds, if the host says so. */
  readonly until: number | undefined;
  constructor(url: string, status: number, until: number | undefined) {
    super(url, `${new URL(url).host} asks to be left alone for a while (${status}).`);
    this.until = until;
  }
}

export class StatusError extends FetchError {
  readonly code = "STATUS";
  readonly status: number;
  constructor(url: string, status: number) {
    super(url, `${url} answered with the status ${status}${REASONS[status] ?? ""}.`);
    this.status = status;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  401: " (it wants a password)",
  403: " (forbidden: the site does not let the harvester see it)",
  500: " (a fault of the site's server)",
};

/** No complete answer: no such host, no connection, an invalid certificate, or a timeout. */
export class UnreachableError extends FetchError {
  readonly code = "UNREACHABLE";
  constructor(url: string, problem: string, cause?: unknown) {
    super(url, `${url} ${problem}.`, cause);
  }
}

export class RedirectError extends FetchError {
  readonly code = "REDIRECT";
  constructor(url: string, problem: string) {
    super(url, `${url} ${problem}.`);
  }
}

/** An address that strangers must not make the harvester request. */
export class ForbiddenError extends FetchError {
  readonly code = "FORBIDDEN";
  constructor(url: string, reason: string) {
    super(url, `${url} is not asked: it ${reason}.`);
  }
}

export class OversizedError extends FetchError {
  readonly code = "OVERSIZED";
  constructor(url: string, problem: string) {
    super(url, `${url} ${problem}.`);
  }
}

/** The site's robots.txt excludes the harvester. */
export class OptedOutError extends FetchError {
  readonly code = "OPTED_OUT";
  constructor(url: string) {
    super(url, `The owner of ${new URL(url).host} does not want it to be followed (robots.txt).`);
  }
}
