export type ReaderExclusion = "noindex" | "redirect" | "fragment" | "verification";

/** Pages that hosts show for unknown addresses; Neocities uses `not_found.html`. */
const NOT_FOUND_PAGE = /(?:^|\/)404(?:\.html|\/index\.html)$|^not_found\.html$/;

/** A refresh within this many seconds is a redirect. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** Nothing but a missing beginning excludes a page without one of these words. */
const HINTS = /robots|refresh|verif/i;

/** Includes and templates have none of these; a file that a server completes may have none either. */
const BEGINNINGS = /<(?:!doctype|html|head|body|frameset|title)\b|<!--#/i;

const WHOLE = new Set(["html", "head", "body", "frameset", "title"]);
const DECLARATION = /^(?:doctype\b|--#)/i;

/** No `meta` states a site's name without one of these words. */
const SITE_NAMES = /og:site_name|application-name/i;
const LANGUAGE = /<html\s[^>]*\blang\b/i;

const latin1 = new TextDecoder("latin1");

export function isNotFoundPage(file: string): boolean {
  return NOT_FOUND_PAGE.test(file);
}

/** `google1234abcd.html`, `yandex_….html`: with them a search engine's user proves that a site is theirs. */
const VERIFICATION =
  /(?:^|\/)(?:google[\da-f]{8,}|yandex_[\da-f]{8,}|naver[\da-f]{8,}|pinterest-[\da-z]{5,}|baidu_verify_\w+|BingSiteAuth)(?:\.html?)?$/i;

/** In UTF-16 code units. */
const LONGEST_VERIFICATION = 2_000;

/** Whether a page is there for an engine's proof alone, by its name and what it says. */
export function isVerification(url: string, html: string): boolean {
  if (html.length > LONGEST_VERIFICATION || !VERIFICATION.test(url)) return false;
  const name = url.slice(url.lastIndexOf("/") + 1).replace(/\.html?$/i, "");
  return /verif/i.test(html) || html.includes(name);
}

/** Whether an element makes a file a page, as opposed to a part of pages. */
export function makesWhole(element: string): boolean {
  return WHOLE.has(element);
}

/** @param declaration what follows `<!`, such as a doctype or a comment */
export function declaresWhole(declaration: string): boolean {
  return DECLARATION.test(declaration);
}

/**
 * Why a page is left out of the log.
 * @param mayBeFragment by the author's word, or the builder's
 */
export function exclusionOf(
  { excluded }: { readonly excluded: ReaderExclusion | undefined },
  mayBeFragment: () => boolean,
): ReaderExclusion | undefined {
  return excluded === "fragment" && mayBeFragment() ? undefined : excluded;
}

export function exclusionBy(
  attribs: Readonly<Record<string, string>>,
): ReaderExclusion | undefined {
  if (attribs.name?.trim().toLowerCase() === "robots") {
    return forbidsListing(attribs.content ?? "") ? "noindex" : undefined;
  }
  return refreshTarget(attribs) === undefined ? undefined : "redirect";
}

/** Whether words for robots say that a page is not to be found by them. */
export function forbidsListing(words: string): boolean {
  const each = collapsed(words).toLowerCase().split(/[, ]+/);
  return each.some((word) => word === "noindex" || word === "none");
}

/** Whether nothing of the page may be shown elsewhere. */
export function forbidsSnippets({ name, content = "" }: Readonly<Record<string, string>>): boolean {
  if (name?.trim().toLowerCase() !== "robots") return false;
  // Looking for space before each colon would cost the square of its length.
  const words = collapsed(content).toLowerCase().replace(/ ?: ?/g, ":").split(/[, ]+/);
  return words.some((word) => word === "nosnippet" || word === "max-snippet:0");
}

/** Where a `meta` leads: HTML standard, "Refresh state". Without a URL it reloads the page itself. */
export function refreshTarget(attribs: Readonly<Record<string, string>>): string | undefined {
  if (attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") return undefined;
  const [, seconds, url] = REFRESH.exec(collapsed(attribs.content ?? "")) ?? [];
  const target = url?.replace(/["'].*/, "").trim() ?? "";
  const leadsElsewhere =
    Number(seconds) <= REDIRECT_SECONDS && target !== "" && !target.startsWith("#");
  return leadsElsewhere ? target : undefined;
}

/** A quick test, which saves parsing most pages. */
export function mayBeExcluded(bytes: Uint8Array): boolean {
  return mentions(bytes, HINTS) || !mentions(bytes, BEGINNINGS);
}

/** A quick test for what `home-page.ts` reads. */
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

/** White space as in HTML: one space for any length, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, " ").trim();
}
