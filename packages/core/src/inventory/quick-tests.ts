/** Searches in a page's bytes, which save parsing most pages. */

/** Nothing but a missing beginning excludes a page without one of these words. */
const HINTS = /robots|refresh|verif/i;

/** Includes and templates have none of these; a file that a server completes may have none either. */
const BEGINNINGS = /<(?:!doctype|html|head|body|frameset|title)\b|<!--#/i;

/** No `meta` states a site's name without one of these words. */
const SITE_NAMES = /og:site_name|application-name/i;
const LANGUAGE = /<html\s[^>]*\blang\b/i;

const latin1 = new TextDecoder("latin1");

/** @returns whether `excluded-page.ts` may find a reason */
export function mayBeExcluded(bytes: Uint8Array): boolean {
  return mentions(bytes, HINTS) || !mentions(bytes, BEGINNINGS);
}

/** @returns whether `home-page.ts` may find something */
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
