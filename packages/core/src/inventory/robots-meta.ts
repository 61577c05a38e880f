import { collapsed } from "./collapsed-text.ts";

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
