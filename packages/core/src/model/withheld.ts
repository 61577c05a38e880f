import { createHash } from "node:crypto";
import { urlKey } from "@rs-emit/documents";

/**
 * Past this many withheld pages they are not remembered: pages that become resources later are then
 * told as created, which they are to every follower.
 */
const MOST = 10_000;

/** A withheld page as a snapshot remembers it: a digest, since its URL may not be for the public. */
export function withheldDigest(url: string): string {
  return createHash("sha256").update(urlKey(url)).digest("hex").slice(0, 12);
}

/** The withheld pages of a collection as the value of one attribute, or nothing to remember. */
export function withheldToAttribute(urls: readonly string[]): string | undefined {
  if (urls.length === 0 || urls.length > MOST) return undefined;
  return urls.map(withheldDigest).sort().join(" ");
}

/** The digests that a snapshot remembers. */
export function attributeToWithheld(value: string | undefined): ReadonlySet<string> {
  return new Set(value?.split(" ") ?? []);
}
