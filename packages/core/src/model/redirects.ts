import { urlKey } from "@rs-emit/documents";
import { INDEX_FILES } from "./url.ts";

const INDEX = new RegExp(`/(?:${INDEX_FILES.map((name) => name.replace(".", "\\.")).join("|")})$`);

/** One key for all spellings by which hosts serve a page. */
export function placeKey(url: string): string {
  return urlKey(url)
    .replace(INDEX, "/")
    .replace(/\.html$|\/$/, "");
}

/** The final target of a redirect. @param redirects by the place keys of their pages */
export function destination(leadsTo: string, redirects: ReadonlyMap<string, string>): string {
  const seen = new Set<string>();
  let at = leadsTo;
  for (let next: string | undefined = at; next !== undefined && !seen.has(placeKey(next)); ) {
    at = next;
    seen.add(placeKey(at));
    next = redirects.get(placeKey(at));
  }
  return at;
}

export function redirectsOf(
  pages: Iterable<{ readonly url: string; readonly leadsTo?: string | undefined }>,
): ReadonlyMap<string, string> {
  const redirects = new Map<string, string>();
  for (const { url, leadsTo } of pages) {
    if (leadsTo !== undefined) redirects.set(placeKey(url), leadsTo);
  }
  return redirects;
}
