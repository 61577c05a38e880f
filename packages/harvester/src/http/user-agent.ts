import { readFileSync } from "node:fs";

/** The name in robots.txt (RFC 9309, section 2.2.1). */
export const PRODUCT = "rs-harvest";

/** Explains the harvester where the operator gives no contact. */
export const DEFAULT_CONTACT = "https://www.npmjs.com/package/rs-harvest";

/**
 * The header `User-Agent`.
 * @param contact a URL of the operator
 * @throws {TypeError} if it is no URL
 */
export function userAgent(contact: string = DEFAULT_CONTACT): string {
  return `${PRODUCT}/${ownVersion()} (+${new URL(contact).href})`;
}

export function ownVersion(): string {
  // The bundler defines it.
  const bundled = process.env.RS_HARVEST_VERSION;
  if (bundled !== undefined) return bundled;
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return version;
}
