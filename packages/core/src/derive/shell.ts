import { asWritten } from "../model/entry-attributes.ts";
import { type Memory, mayHoldShell, memoryIn } from "../model/memory.ts";
import { ON_DEMAND, type SnapshotEntry } from "../model/resources.ts";

/** In a smaller collection, blocks stand on most pages by chance. */
const FEWEST_PAGES = 5;

/** What a page is compared by when its shell is told from its content. */
export type RememberedPage = Pick<SnapshotEntry, "blocks" | "content" | "title">;

/**
 * An update that only blocks which come or go make: the shell's, where they stand on most pages. Blocks are
 * told as in {@link Memory}.
 */
export interface BlockDifference {
  readonly added: readonly number[];
  readonly gone: readonly number[];
}

/**
 * The blocks that make the difference between two versions of a page without `main` and `article`.
 * @returns `undefined` where more than they differs, or a version is not remembered
 */
export function blockDifference(
  before: RememberedPage,
  after: RememberedPage,
): BlockDifference | undefined {
  if (asWritten(before.title) !== asWritten(after.title)) return undefined;
  if (!mayHoldShell(before.blocks) || !mayHoldShell(after.blocks)) return undefined;
  const [old, now] = [memoryIn(before.blocks), memoryIn(after.blocks)];
  if (old === undefined || old.scheme !== now?.scheme) return undefined;
  const added = lacking(now, old);
  const gone = lacking(old, now);
  if (added.size + gone.size === 0) return undefined;
  const rest = now.blocks.filter((block) => !added.has(block));
  const left = old.blocks.filter((block) => !gone.has(block));
  const areEqual = rest.length === left.length && rest.every((block, at) => block === left[at]);
  return areEqual ? { added: [...added], gone: [...gone] } : undefined;
}

function lacking({ blocks }: Memory, other: Memory): ReadonlySet<number> {
  const had = new Set(other.blocks);
  return new Set(blocks.filter((block) => !had.has(block)));
}

/** On how many pages of a collection each block stands. */
export class BlockCounter {
  readonly #counts = new Map<number, number>();
  readonly #wanted: ReadonlySet<number> | undefined;
  #pages = 0;

  /** @param wanted the only blocks that will be asked for */
  constructor(wanted?: ReadonlySet<number>) {
    this.#wanted = wanted;
  }

  add(page: RememberedPage): void {
    this.#count(page, 1);
  }

  remove(page: RememberedPage): void {
    this.#count(page, -1);
  }

  /** Whether all blocks stand on more than half of the pages. */
  areOnMost(blocks: readonly number[]): boolean {
    if (this.#pages < FEWEST_PAGES) return false;
    return blocks.every((block) => (this.#counts.get(block) ?? 0) * 2 > this.#pages);
  }

  #count({ blocks, content }: RememberedPage, number: number): void {
    if (content === undefined || content === ON_DEMAND) return;
    this.#pages += number;
    const memory = mayHoldShell(blocks) ? memoryIn(blocks) : undefined;
    if (memory === undefined) return;
    for (const block of new Set(memory.blocks)) {
      if (this.#wanted?.has(block) === false) continue;
      this.#counts.set(block, (this.#counts.get(block) ?? 0) + number);
    }
  }
}
