/** Which pages are not for readers: by the names of their files, or by what a `meta` in them says. */

/** What a page says of itself that hides it from readers. */
export type ReaderExclusion = "noindex" | "redirect";

/** Pages that hosts show for addresses that do not exist; Neocities calls its one `not_found.html`. */
const NOT_FOUND_PAGE = /(?:^|\/)404(?:\.html|\/index\.html)$|^not_found\.html$/;

/** A page that leads on within this many seconds is a redirect, not a page to read. */
const REDIRECT_SECONDS = 10;

const REFRESH = /^ ?(\d+)(?:\.[\d.]*)? ?[;, ] ?(?:url ?= ?)?["']?(.*)/i;

/** Words without which no `meta` hides a page. */
const HINTS = /robots|refresh/i;

const latin1 = new TextDecoder("latin1");

/** @param file path below the output folder */
export function isNotFoundPage(file: string): boolean {
  return NOT_FOUND_PAGE.test(file);
}

/** Why a page with such a `meta` is not for readers; `undefined` where it may be. */
export function exclusionBy(
  attribs: Readonly<Record<string, string>>,
): ReaderExclusion | undefined {
  const content = collapsed(attribs.content ?? "").toLowerCase();
  if (attribs.name?.trim().toLowerCase() === "robots") {
    return content.split(/[, ]+/).some((word) => word === "noindex" || word === "none")
      ? "noindex"
      : undefined;
  }
  const isRefresh = attribs["http-equiv"]?.trim().toLowerCase() === "refresh";
  return isRefresh && leadsElsewhere(content) ? "redirect" : undefined;
}

/** HTML standard, "Refresh state": seconds, and the URL to go to; without one, the page itself. */
function leadsElsewhere(content: string): boolean {
  const [, seconds, url] = REFRESH.exec(content) ?? [];
  const target = url?.replace(/["'].*/, "").trim() ?? "";
  return Number(seconds) <= REDIRECT_SECONDS && target !== "" && !target.startsWith("#");
}

/** Whether a page may hold a `meta` that hides it: others need not be parsed to know. */
export function mayBeExcluded(bytes: Uint8Array): boolean {
  const text = latin1.decode(bytes);
  // In UTF-16 every other byte of these words is zero.
  return HINTS.test(text.includes("\0") ? text.replaceAll("\0", "") : text);
}

/** White space as HTML knows it: one space for any length, none at the ends. */
export function collapsed(text: string): string {
  return text.replace(/[ \t\n\f\r]+/g, " ").trim();
}
