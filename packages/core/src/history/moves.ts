import { withoutExtension } from "./source-links.ts";

interface MovingFile {
  readonly path: string;
  readonly blob: string;
}

/**
 * First by equal contents, then by equal names without extension (moved and edited), which must be unique.
 * Longer common path endings come first.
 * @param emptyBlob the id of empty contents, which identify no file
 * @returns removed files by the paths of the matching added files
 */
export function findMoves<File extends MovingFile>(
  left: readonly File[],
  added: readonly MovingFile[],
  emptyBlob: string,
): ReadonlyMap<string, File> {
  const moves = new Map<string, File>();
  const files = { left: byPath(left), added: byPath(added) };
  const longest = Math.min(deepest(left), deepest(added));
  for (let length = longest; length >= 0; length--) {
    for (const group of groups(files, length, ({ blob }) => blob)) {
      const [first] = group.left;
      if (first?.blob !== emptyBlob) pair(group, files, moves);
    }
  }
  for (let length = longest; length >= 1; length--) {
    for (const group of groups(files, length, () => "")) {
      if (group.left.length === 1 && group.added.length === 1) pair(group, files, moves);
    }
  }
  return moves;
}

interface Unpaired<File> {
  readonly left: Set<File>;
  readonly added: Set<MovingFile>;
}

interface MoveGroup<File> {
  readonly left: File[];
  readonly added: MovingFile[];
}

function byPath<File extends MovingFile>(files: readonly File[]): Set<File> {
  return new Set(files.toSorted((one, other) => (one.path < other.path ? -1 : 1)));
}

function deepest(files: readonly MovingFile[]): number {
  return files.reduce((most, { path }) => Math.max(most, path.split("/").length), 0);
}

function groups<File extends MovingFile>(
  { left, added }: Unpaired<File>,
  length: number,
  kindOf: (file: MovingFile) => string,
): MoveGroup<File>[] {
  const byKey = new Map<string, MoveGroup<File>>();
  for (const file of left) {
    const ending = endingOf(file.path, length);
    if (ending === undefined) continue;
    const key = `${kindOf(file)}/${ending}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, { left: [file], added: [] });
    else group.left.push(file);
  }
  for (const file of byKey.size === 0 ? [] : added) {
    const ending = endingOf(file.path, length);
    if (ending !== undefined) byKey.get(`${kindOf(file)}/${ending}`)?.added.push(file);
  }
  return [...byKey.values()].filter((group) => group.added.length > 0);
}

/** The last segments of a path, without its extension; `undefined` where it has fewer. */
function endingOf(path: string, length: number): string | undefined {
  if (length === 0) return "";
  const segments = withoutExtension(path).split("/");
  return segments.length < length ? undefined : segments.slice(-length).join("/");
}

function pair<File extends MovingFile>(
  { left, added }: MoveGroup<File>,
  unpaired: Unpaired<File>,
  moves: Map<string, File>,
): void {
  for (const [index, file] of added.entries()) {
    const from = left[index];
    if (from === undefined) return;
    moves.set(file.path, from);
    unpaired.left.delete(from);
    unpaired.added.delete(file);
  }
}
