/** The no-log file of a build that went on without the site's change log. */
import { escapeText } from "./characters.ts";
import { EMIT } from "./namespaces.ts";
import { isWebAddress } from "./urls.ts";

/** The second place of the no-log file, since many hosts drop dot folders. No document has this name. */
export const NO_LOG = "no-changelog.xml";

const ROOT = new RegExp(`<no-change-log xmlns="${EMIT}"(?: site="([^"]*)")?/>`);

/** A longer file is none. In bytes. */
const LONGEST = 4096;

/**
 * Well-formed, so that hosts store it like documents; no document has this root.
 * @param site the address that the build was for
 */
export function noLogMarker(site: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by rs-emit. This build went on without the change log, which could not be read. -->
<no-change-log xmlns="${EMIT}" site="${escapeText(site)}"/>
`;
}

export function isNoLogMarker(bytes: Uint8Array): boolean {
  return rootOf(bytes) !== null;
}

/** The address that a no-log file names, if it is one. A site's address needs no other reference than that of `&`. */
export function markedSite(bytes: Uint8Array): string | undefined {
  const site = rootOf(bytes)?.[1]?.replaceAll("&amp;", "&") ?? "";
  return isWebAddress(site) ? site : undefined;
}

function rootOf(bytes: Uint8Array): RegExpExecArray | null {
  return bytes.length > LONGEST ? null : ROOT.exec(new TextDecoder("latin1").decode(bytes));
}
