import { codeOf, UrlError } from "../errors.ts";
import type { TokenUse } from "./bearer-tokens.ts";
import { failureWords, NO_HTTP, STATUS_WORDS } from "./failure-words.ts";

/** A request that brought no document. */
export class FetchError extends UrlError {}

/** 404: the document is missing for now. */
export class MissingError extends FetchError {
  constructor(url: string) {
    super(url, { code: "MISSING", problem: `There is no document at ${url} (404).` });
  }
}

/** 410: the document will not come back. */
export class GoneError extends FetchError {
  constructor(url: string) {
    super(url, { code: "GONE", problem: `The document at ${url} is gone for good (410).` });
  }
}

/** 429 and 503: the host asks to wait. */
export class BusyError extends FetchError {
  /** UTC seconds, if the host says so. */
  readonly until: number | undefined;
  constructor(url: string, status: number, until: number | undefined) {
    const problem = `${new URL(url).host} asks to be left alone for a while (${status}).`;
    super(url, { code: "BUSY", problem });
    this.until = until;
  }
}

export class StatusError extends FetchError {
  readonly status: number;
  /** @param token of the host, if there is one */
  constructor(url: string, status: number, token?: TokenUse) {
    const isForToken = token !== undefined && (status === 401 || status === 403);
    const reason = isForToken ? tokenReason(token) : (STATUS_WORDS[status] ?? "");
    super(url, { code: "STATUS", finding: `answered with the status ${status}${reason}` });
    this.status = status;
  }
}

function tokenReason({ variable, isSent }: TokenUse): string {
  return isSent
    ? ` (it does not accept the token in ${variable})`
    : ` (the token in ${variable} was not sent: it goes over https alone, and not after a redirect by http or from another host)`;
}

/** No complete answer: no such host, no connection, an invalid certificate, or a timeout. */
export class UnreachableError extends FetchError {
  constructor(url: string, finding: string, cause?: unknown) {
    super(url, { code: "UNREACHABLE", finding, cause });
  }
}

export class RedirectError extends FetchError {
  constructor(url: string, finding: string) {
    super(url, { code: "REDIRECT", finding });
  }
}

export function oversizedError(url: string, finding: string): FetchError {
  return new FetchError(url, { code: "OVERSIZED", finding });
}

/** An address that strangers must not make the harvester request. */
export function forbiddenError(url: string, reason: string): FetchError {
  return new FetchError(url, { code: "FORBIDDEN", problem: `${url} is not asked: it ${reason}.` });
}

export class OptedOutError extends FetchError {
  constructor(url: string) {
    const { host } = new URL(url);
    const problem = `The owner of ${host} does not want it to be followed (robots.txt).`;
    super(url, { code: "OPTED_OUT", problem });
  }
}

/** Whether a host says that there is nothing: 404 or 410. All else may have something there. */
export function isAbsent(error: unknown): error is MissingError | GoneError {
  return error instanceof MissingError || error instanceof GoneError;
}

/** Whether a host has nothing for us there. Hosts answer alike for forbidden folders and for missing ones. */
export function isRefusal(error: unknown): boolean {
  const isStatus = error instanceof StatusError && error.status < 500;
  return isAbsent(error) || isStatus || error instanceof RedirectError;
}

/** Whether a host does not answer at all, or asks to be left alone. */
export function isSilence(error: unknown): error is BusyError | UnreachableError {
  return error instanceof BusyError || error instanceof UnreachableError;
}

/** Describes a failed request without its resolved addresses, which may be internal. */
export function toFetchError(url: string, error: unknown): FetchError {
  if (error instanceof FetchError) return error;
  const code = codeOf(error);
  if (code === "PRIVATE_ADDRESS") return forbiddenError(url, "leads to a private address");
  if (code === "UND_ERR_HEADERS_OVERFLOW") {
    return oversizedError(url, "sends more headers than are read");
  }
  if (isOfParser(error)) return new UnreachableError(url, NO_HTTP, error);
  return new UnreachableError(url, failureWords(code), error);
}

/** By name: its class would have every command load undici, which is half of the program. */
function isOfParser(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

/** Whether nothing answers at the host and port of a URL: no connection was made at all. */
export function isUnanswered(error: unknown, url: string): boolean {
  return (
    error instanceof UnreachableError &&
    UNANSWERED.has(codeOf(error.cause)) &&
    new URL(error.url).host === new URL(url).host
  );
}

const UNANSWERED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Whether the connection ended before an answer began. A kept one may have ended before the request was sent. */
export function isConnectionLost(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(codeOf(error));
}
