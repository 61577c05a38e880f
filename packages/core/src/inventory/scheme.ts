import { hash } from "node:crypto";

const VERSION = "1";

/**
 * The scheme by which own content is told: the version of rs-emit's rules, and when selectors decide,
 * a mark of these. Raise the version whenever the same page would get another identity.
 */
export function contentScheme(selectors: readonly string[]): string {
  if (selectors.length === 0) return VERSION;
  return `${VERSION}.${hash("sha256", selectors.join("\n"), "hex").slice(0, 8)}`;
}
