import { extensionOf, withoutExtension } from "./extension.ts";

/** A way in which builders name a page after its source; paths are relative to their folders. */
type Rewriting = (source: string) => string;

const REWRITINGS: readonly Rewriting[] = [
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
  const agreed = new Map<string, readonly Rewriting[]>();
  for (const [source, page] of pairs) {
    const group = groupOf(source);
    const rewritings = agreed.get(group) ?? REWRITINGS;
    agreed.set(
      group,
      rewritings.filter((rewrite) => rewrite(source) === page),
    );
  }
  return (source) => {
    const rewritings = agreed.get(groupOf(source)) ?? [];
    const [page, ...others] = new Set(rewritings.map((rewrite) => rewrite(source)));
    return others.length === 0 ? page : undefined;
  };
}

function groupOf(source: string): string {
  const slash = source.lastIndexOf("/") + 1;
  return `${source.slice(0, slash)}*${extensionOf(source)}`;
}

function isIndex(source: string): boolean {
  return /(?:^|\/)index$/.test(withoutExtension(source));
}
