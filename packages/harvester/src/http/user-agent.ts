import { readFileSync } from "node:fs";

/** The name that a robots.txt knows the harvester by (RFC 9309, section 2.2.1). */
export const PRODUCT = "rs-harvest";

/** Where anybody finds out what the harvester is, unless who runs it names a contact. */
export const DEFAULT_CONTACT = "https://www.npmjs.com/package/rs-harvest";

/**
 * The header `User-Agent`.
 *
 * @param contact the URL of a page, or `mailto:` with an address, that leads to who runs it
 * @throws {TypeError} if the contact is no URL
 */
export function userAgent(contact: string = DEFAULT_CONTACT): string {
  return `${PRODUCT}/${ownVersion()} (+${new URL(contact).href})`;
}

/** This program's version. */
export function ownVersion(): string {
  // The bundle says it itself.
  const bundled = process.env.RS_HARVEST_VERSION;
  if (bundled !== undefined) return bundled;
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
