import { collapsed } from "./collapsed-text.ts";

/** The words of a robots `meta`. */
export function forbidsListing(words: string): boolean {
  const each = collapsed(words).toLowerCase().split(/[, ]+/);
  return each.some((word) => word === "noindex" || word === "none");
}

/** Nothing of the page may be shown elsewhere. */
export function forbidsSnippets({ name, content = "" }: Readonly<Record<string, string>>): boolean {
  if (name?.trim().toLowerCase() !== "robots") return false;
  // Searching for space before each colon would take quadratic time.
  const words = collapsed(content).toLowerCase().replace(/ ?: ?/g, ":").split(/[, ]+/);
  return words.some((word) => word === "nosnippet" || word === "max-snippet:0");
}
