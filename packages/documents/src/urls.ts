/** Decides when two URLs are equal (RFC 3986, section 6). No other module compares spellings of URLs. */

/** A URL that parsing would not change: most are, and parsing is slow. */
const PARSED =
  /^https?:\/\/[a-z\d.-]*[a-z](?:\/(?!\.|%2[Ee])(?:[\w\-.~!$&'()*+,;=:@]|%[\dA-Fa-f]{2})*)+$/;

/** One escaped ASCII character, or a run of others, which may be UTF-8. */
const ESCAPES = /%[0-7][\da-f]|(?:%[89a-f][\da-f])+/gi;

/** Characters that may be delimiters in a path or a query, and `%` itself. */
const RESERVED = /^[%/?#:@!$&'()*+,;=]$/;

/**
 * All spellings of a URL have one key. Escapes are decoded where that keeps the meaning: `%7E` is `~` and
 * `%C3%A9` is `é`, but `%26` is not `&`, which may be a delimiter (RFC 3986, section 2.2). Two Unicode forms
 * of a name are two URLs: most servers distinguish such files. The fragment is removed, since it selects no
 * other resource (section 6.1). Escapes that are no UTF-8 stay. A text that is no URL is its own key.
 */
export function urlKey(url: string): string {
  const parsed = PARSED.test(url) ? url : asParsed(url);
  if (!parsed?.includes("%")) return parsed ?? url;
  return parsed.replace(ESCAPES, decoded);
}

/** Whether two texts are spellings of one URL. */
export function isSameUrl(one: string, other: string): boolean {
  return urlKey(one) === urlKey(other);
}

/**
 * Whether a text is an address in full, by http or https, without an empty segment in its path: a link to the
 * path of `https://moss.example//` alone would name another host.
 */
export function isWebAddress(text: string): boolean {
  return /^https?:/i.test(text) && URL.canParse(text) && !new URL(text).pathname.includes("//");
}

/** As a client requests it; `undefined` for a text that is no URL. */
function asParsed(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = "";
  return url.href;
}

function decoded(escapes: string): string {
  try {
    const text = decodeURIComponent(escapes);
    return RESERVED.test(text) ? escapes.toUpperCase() : text;
  } catch {
    return escapes.toUpperCase();
  }
}
