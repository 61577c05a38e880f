/** Searches in a page's bytes. They save parsing most pages. */

/** A `meta` with a site's name has one of these words. */
const SITE_NAMES = /og:site_name|application-name/i;
const LANGUAGE = /<html\s[^>]*\blang\b/i;

const latin1 = new TextDecoder("latin1");

export function mayStateSite(bytes: Uint8Array): boolean {
  return mayNameSite(bytes) || mentions(bytes, LANGUAGE);
}

export function mayNameSite(bytes: Uint8Array): boolean {
  return mentions(bytes, SITE_NAMES);
}

function mentions(bytes: Uint8Array, words: RegExp): boolean {
  const text = latin1.decode(bytes);
  // In UTF-16 every other byte of these words is zero.
  return words.test(text.includes("\0") ? text.replaceAll("\0", "") : text);
}
