import type { Tree } from "./line.ts";

/** A pair of a file that left and one that was added. */
interface Pair {
  readonly left: string;
  readonly added: string;
  /** How many segments their paths have in common at the end, extensions aside. */
  readonly ending: number;
}

/**
 * The design's rule for files that moved between two moments, by trying every pair: paths before, by
 * paths after.
 */
export function movedFiles(before: Tree, after: Tree): ReadonlyMap<string, string> {
  const pairs = [...before.keys()]
    .filter((path) => !after.has(path))
    .flatMap((left) =>
      [...after.keys()]
        .filter((path) => !before.has(path))
        .map((added): Pair => ({ left, added, ending: commonEnding(left, added) })),
    );
  const moved = new Map<string, string>();
  const isFree = ({ left, added }: Pair) =>
    !moved.has(added) && ![...moved.values()].includes(left);
  const same = pairs
    .filter(({ left, added }) => before.get(left) !== "" && before.get(left) === after.get(added))
    .sort(
      (one, other) =>
        other.ending - one.ending ||
        compare(one.left, other.left) ||
        compare(one.added, other.added),
    );
  for (const pair of same) if (isFree(pair)) moved.set(pair.added, pair.left);
  for (let least = 9; least > 0; least--) {
    const close = pairs.filter((pair) => isFree(pair) && pair.ending >= least);
    const only = close.filter(
      (pair) =>
        close.filter(({ left }) => left === pair.left).length === 1 &&
        close.filter(({ added }) => added === pair.added).length === 1,
    );
    for (const { left, added } of only) moved.set(added, left);
  }
  return moved;
}

function commonEnding(one: string, other: string): number {
  const [ofOne, ofOther] = [one, other].map((path) =>
    path.slice(0, path.lastIndexOf(".")).split("/").reverse(),
  );
  const differs = ofOne?.findIndex((segment, index) => segment !== ofOther?.[index]) ?? 0;
  return differs < 0 ? (ofOne?.length ?? 0) : differs;
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
