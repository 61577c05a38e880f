/** An author may well change or delete this many pages at once. */
const FEW = 5;

/** Whether a part of a site's pages is so large that a mistake is likely: more than five, and more than half. */
export function isMassDelete(part: number, all: number): boolean {
  return part > FEW && part * 2 > all;
}
