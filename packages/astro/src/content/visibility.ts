import type { Facts } from "@rs-emit/core/adapter";

/** Whether front matter asks search engines to leave its page out, in words that layouts heed. */
export function isNoIndex({ noindex, robots }: Facts): boolean {
  return noindex === true || (typeof robots === "string" && /\bnoindex\b/i.test(robots));
}

/** Whether a built page is for readers: it is not to be left out, and leads nowhere else. */
export function isForReaders(html: string): boolean {
  return !/<meta\b[^>]*\b(?:noindex|refresh)\b/i.test(html);
}
