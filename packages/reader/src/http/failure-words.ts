/** What an HTTP status means to a reader of the report, where the number says little. */
export const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: " (it wants a password, or a token: --token-for)",
  403: " (forbidden: the site does not let the harvester see it)",
  500: " (a fault of the site's server)",
};

const BROKEN_OFF = "broke the connection off before its answer was complete";
export const NO_HTTP = "does not speak HTTP correctly";
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

/** @param code of Node, undici or OpenSSL */
export function failureWords(code: string): string {
  const problem = PROBLEMS[code];
  if (problem !== undefined) return problem;
  if (/^ERR_(SSL|TLS)_/.test(code)) return "does not speak TLS correctly";
  if (/^(?:Z_|ERR_BROTLI_|ERR__ERROR_FORMAT_)/.test(code)) return BROKEN_COMPRESSION;
  return code === "" ? "could not be read" : `could not be read (${code})`;
}
