/** When two spellings of a URL are one resource (design, "Documents"). */

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;

/**
 * A resource's name within its collection, the same for all spellings: what follows the collection's
 * URL, or its whole URL where it does not lie below that. Without the scheme: a site that moves from
 * `http:` to `https:`, or to another address, keeps its names.
 */
export function relativeUrl(url: string, collection: string): string {
  const whole = normalized(url);
  const base = normalized(collection);
  if (whole === base) return "./";
  return whole.startsWith(base) && base.endsWith("/") ? `./${whole.slice(base.length)}` : whole;
}

/** Without scheme, default port and fragment, percent-decoded where that means the same, in NFC. */
function normalized(url: string): string {
  if (!URL.canParse(url)) return url;
  const { protocol, host, pathname, search } = new URL(url);
  const authority = /^https?:$/.test(protocol) ? `//${host}` : `${protocol}//${host}`;
  return authority + (pathname + search).replace(ESCAPES, decoded).normalize("NFC");
}

/** Escapes that are no UTF-8 stay as they are, and so do those of signs that would mean something. */
function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes).replace(/[/?#%&=+;]/g, encodeURIComponent);
  } catch {
    return escapes.toUpperCase();
  }
}
