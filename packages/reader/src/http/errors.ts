import { codeOf, UrlError } from "../errors.ts";
import type { TokenUse } from "./bearer-tokens.ts";

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
    const reason = isForToken ? tokenReason(token) : (REASONS[status] ?? "");
    super(url, { code: "STATUS", finding: `answered with the status ${status}${reason}` });
    this.status = status;
  }
}

const REASONS: Readonly<Record<number, string>> = {
  401: " (it wants a password, or a token: --token-for)",
  403: " (forbidden: the site does not let the harvester see it)",
  500: " (a fault of the site's server)",
};

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
  return new UnreachableError(url, PROBLEMS[code] ?? problemOfFamily(code), error);
}

/** By name: its class would have every command load undici, which is half of the program. */
function isOfParser(error: unknown): boolean {
  return error instanceof Error && error.name === "HTTPParserError";
}

const BROKEN_OFF = "broke the connection off before its answer was complete";
const NO_HTTP = "does not speak HTTP correctly";
const BROKEN_COMPRESSION = "is compressed, and the compression is broken";

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOTFOUND: "could not be found: there is no such host",
  ENODATA: "could not be found: its host has no address",
  EAI_AGAIN: "could not be found: the name service does not answer",
  ECONNREFUSED: "could not be reached: its host refuses connections",
  EHOSTUNREACH: "could not be reached: there is no way to its host",
  ENETUNREACH: "could not be reached: there is no way to its host",
  EADDRNOTAVAIL: "could not be reached: there is no way to its host",
  ETIMEDOUT: "could not be reached: its host does not answer",
  UND_ERR_CONNECT_TIMEOUT: "could not be reached: its host does not answer",
  UND_ERR_DESTROYED: "was given up: the harvester stops",
  UND_ERR_CLOSED: "was given up: the harvester stops",
  ECONNRESET: BROKEN_OFF,
  EPIPE: BROKEN_OFF,
  UND_ERR_SOCKET: BROKEN_OFF,
  UND_ERR_ABORTED: BROKEN_OFF,
  ERR_STREAM_PREMATURE_CLOSE: BROKEN_OFF,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NO_HTTP,
  CERT_HAS_EXPIRED: "is not trusted: its certificate has expired",
  CERT_NOT_YET_VALID: "is not trusted: its certificate is not valid yet",
  CERT_REVOKED: "is not trusted: its certificate was revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is not trusted: its certificate is signed by itself",
  SELF_SIGNED_CERT_IN_CHAIN: "is not trusted: nobody known has signed its certificate",
  UNABLE_TO_GET_ISSUER_CERT: "is not trusted: its chain of certificates is not complete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is not trusted: its chain of certificates is not complete",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is not trusted: its chain of certificates is not complete",
  ERR_TLS_CERT_ALTNAME_INVALID: "is not trusted: its certificate is for another host",
  EPROTO: "does not speak TLS correctly",
  Z_BUF_ERROR: "is compressed, and broke off before its end",
  Z_DATA_ERROR: BROKEN_COMPRESSION,
  Z_NEED_DICT: BROKEN_COMPRESSION,
};

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

function problemOfFamily(code: string): string {
  if (/^ERR_(SSL|TLS)_/.test(code)) return "does not speak TLS correctly";
  if (/^(?:Z_|ERR_BROTLI_|ERR__ERROR_FORMAT_)/.test(code)) return BROKEN_COMPRESSION;
  return code === "" ? "could not be read" : `could not be read (${code})`;
}
