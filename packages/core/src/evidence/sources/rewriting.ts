import { Agreement, type Rule } from "./agreement.ts";
import { extensionOf, withoutExtension } from "./extension.ts";

/** The ways in which builders name a page after its source; paths are relative to their folders. */
const REWRITINGS: readonly Rule<string>[] = [
  (source) => source,
  (source) => `${withoutExtension(source)}.html`,
  (source) =>
    isIndex(source) ? `${withoutExtension(source)}.html` : `${withoutExtension(source)}/index.html`,
];

/**
 * Learns from the pages that stand how the site names pages after their sources, to tell which page
 * a vanished source had (design: Git as evidence).
 *
 * @param pairs source and page of every page that stands
 * @returns the page's file; `undefined` where the surviving pages of the same folder and extension
 *   do not all agree on one, or there are none
 */
export function learnRewriting(
  pairs: Iterable<readonly [source: string, page: string]>,
): (source: string) => string | undefined {
  const agreements = new Map<string, Agreement<string>>();
  for (const [source, page] of pairs) {
    const group = groupOf(source);
    const agreement = agreements.get(group) ?? new Agreement();
    agreements.set(group, agreement);
    agreement.learn(source, page, () => REWRITINGS);
  }
  return (source) => agreements.get(groupOf(source))?.pageOf(source);
}

function groupOf(source: string): string {
  const slash = source.lastIndexOf("/") + 1;
  return `${source.slice(0, slash)}*${extensionOf(source)}`;
}

function isIndex(source: string): boolean {
  return /(?:^|\/)index$/.test(withoutExtension(source));
}
