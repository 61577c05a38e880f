import { urlKey } from "@rs-emit/documents";

/**
 * A resource's name within its collection, the same for all spellings: what follows the collection's
 * URL, or its whole URL where it does not lie below that. Without the scheme: a site that moves from
 * `http:` to `https:`, or to another address, keeps its names.
 */
export function relativeUrl(url: string, collection: string): string {
  const whole = withoutScheme(url);
  const base = withoutScheme(collection);
  if (whole === base) return "./";
  return whole.startsWith(base) && base.endsWith("/") ? `./${whole.slice(base.length)}` : whole;
}

function withoutScheme(url: string): string {
  return urlKey(url).replace(/^https?:(?=\/\/)/, "");
}
