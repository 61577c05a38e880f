import type { Facts } from "@rs-emit/core/adapter";
import { computedOf } from "./data.ts";

/** A title that only gives a slug: pages are told apart by that. */
const SLUGGED = /\btitle\s*\|\s*slug(?:ify)?\b|\bslug(?:ify)?\(\s*(?:\w+\.)?title\s*\)/g;

/**
 * What the data says of the names in a text that cannot be followed: where it says the same, the text
 * names pages alike.
 *
 * @param date Eleventy's `page.date`, as far as it is known
 */
export function mentionedIn(text: string, data: Facts, date: unknown): readonly unknown[] {
  const words = new Set(text.replaceAll(SLUGGED, "").match(/[\w$]+/g));
  const { permalink: _, slug: __, ...rest } = data;
  // What is computed may depend on anything.
  const isAny = Object.keys(computedOf(data)).some((name) => words.has(name));
  const said = Object.entries(rest).filter(([name]) => isAny || words.has(name));
  return [
    ...said.sort(([one], [other]) => (one < other ? -1 : 1)),
    words.has("date") ? date : null,
  ];
}
