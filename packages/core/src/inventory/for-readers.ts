export type ReaderExclusion = "noindex" | "redirect" | "fragment" | "verification";

/** Hosts show these pages for unknown addresses; Neocities uses `not_found.html`. */
const NOT_FOUND_PAGE = /(?:^|\/)404(?:\.html|\/index\.html)$|^not_found\.html$/;

/** A refresh within this many seconds is a redirect. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** A page without these words can be excluded only for its missing beginning. */
const HINTS = /robots|refresh|verif/i;

/** Includes and templates have none of these. A file that a server completes may lack them too. */
const BEGINNINGS = /<(?:!doctype|html|head|body|frameset|title)\b|<!--#/i;

const WHOLE = new Set(["html", "head", "body", "frameset", "title"]);
const DECLARATION = /^(?:doctype\b|--#)/i;

/** A `meta` with a site's name has one of these words. */
const SITE_NAMES = /og:site_name|application-name/i;
const LANGUAGE = /<html\s[^>]*\blang\b/i;

const latin1 = new TextDecoder("latin1");

export function isNotFoundPage(file: string): boolean {
  return NOT_FOUND_PAGE.test(file);
}

/** Proofs of ownership for search engines: `google1234abcd.html`, `yandex_….html`. */
const VERIFICATION =
  /(?:^|\/)(?:google[\da-f]{8,}|yandex_[\da-f]{8,}|naver[\da-f]{8,}|pinterest-[\da-z]{5,}|baidu_verify_\w+|BingSiteAuth)(?:\.html?)?$/i;

/** UTF-16 code units. */
const LONGEST_VERIFICATION = 2_000;

/** Whether a page is only a proof of ownership, by its name and text. */
export function isVerification(url: string, html: string): boolean {
  if (html.length > LONGEST_VERIFICATION || !VERIFICATION.test(url)) return false;
  const name = url.slice(url.lastIndexOf("/") + 1).replace(/\.html?$/i, "");
  return /verif/i.test(html) || html.includes(name);
}

/** A file with such an element is a page, not a part of pages. */
export function makesWhole(element: string): boolean {
  return WHOLE.has(element);
}

/** @param declaration the text after `<!`, such as a doctype or a comment */
export function declaresWhole(declaration: string): boolean {
  return DECLARATION.test(declaration);
}

/**
 * Why a page is left out of the log.
 * @param mayBeFragment whether the author or the builder says that the file is a page
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

/** Whether the words of a robots `meta` exclude the page. */
export function forbidsListing(words: string): boolean {
  const each = collapsed(words).toLowerCase().split(/[, ]+/);
  return each.some((word) => word === "noindex" || word === "none");
}

/** Whether nothing of the page may be shown elsewhere. */
export function forbidsSnippets({ name, content = "" }: Readonly<Record<string, string>>): boolean {
  if (name?.trim().toLowerCase() !== "robots") return false;
  // Searching for space before each colon would take quadratic time.
  const words = collapsed(content).toLowerCase().replace(/ ?: ?/g, ":").split(/[, ]+/);
  return words.some((word) => word === "nosnippet" || word === "max-snippet:0");
}

/** The target of a `meta` (HTML standard, "Refresh state"). Without a URL it reloads its own page. */
export function refreshTarget(attribs: Readonly<Record<string, string>>): string | undefined {
  if (attribs["http-equiv"]?.trim().toLowerCase() !== "refresh") return undefined;
  const [, seconds, url] = REFRESH.exec(collapsed(attribs.content ?? "")) ?? [];
  const target = url?.replace(/["'].*/, "").trim() ?? "";
  const leadsElsewhere =
    Number(seconds) <= REDIRECT_SECONDS && target !== "" && !target.startsWith("#");
  return leadsElsewhere ? target : undefined;
}

/** A quick test that saves parsing most pages. */
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

/** Collapses white space as in HTML and trims the ends. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, " ").trim();
}
