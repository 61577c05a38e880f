import { collapsed } from "../text-flow.ts";

/** What a robots `meta` says; `undefined` for other elements. */
export function robotsWords({
  name,
  content = "",
}: Readonly<Record<string, string>>): string | undefined {
  return name?.trim().toLowerCase() === "robots" ? content : undefined;
}

/** @param words of a robots `meta` or an `X-Robots-Tag` */
export function forbidsListing(words: string): boolean {
  const each = collapsed(words).toLowerCase().split(/[, ]+/);
  return each.some((word) => word === "noindex" || word === "none");
}

/** Nothing of the page may be shown elsewhere. */
export function forbidsSnippets(attribs: Readonly<Record<string, string>>): boolean {
  // Searching for space before each colon would take quadratic time.
  const words = collapsed(robotsWords(attribs) ?? "")
    .toLowerCase()
    .replace(/ ?: ?/g, ":")
    .split(/[, ]+/);
  return words.some((word) => word === "nosnippet" || word === "max-snippet:0");
}
