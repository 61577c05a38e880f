/** The no-log file of a build that went on without the site's change log. */
import { EMIT } from "./namespaces.ts";

/** The second place of the no-log file, since many hosts drop dot folders. No document has this name. */
export const NO_LOG = "no-changelog.xml";

const ROOT = `<no-change-log xmlns="${EMIT}"/>`;

/** Well-formed, so that hosts store it like documents; no document has this root. */
export const NO_LOG_MARKER = `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by rs-emit. This build went on without the change log, which could not be read. -->
${ROOT}
`;

export function isNoLogMarker(bytes: Uint8Array): boolean {
  if (bytes.length > 2 * NO_LOG_MARKER.length) return false;
  return new TextDecoder("latin1").decode(bytes).includes(ROOT);
}
