import { fileBlobId } from "../git/blobs.ts";
import type { FileChange } from "../git/log.ts";
import { fileOfKey, linkedKey, type Repository } from "../git/repository.ts";
import { type Edit, isLiving, type WorkingTree } from "../git/status.ts";
import type { Part } from "./repositories.ts";

/** The files of all parts, and the targets of committed links, also through linked folders. */
export function treeWithLinks(outermost: Repository, parts: readonly Part[]): WorkingTree {
  const [own] = parts;
  const all = parts.flatMap(({ prefix, tree }) => [...tree.links].map((link) => prefix + link));
  if (own !== undefined && parts.length === 1 && all.length === 0) {
    return { committed: own.tree.files, edits: own.edits, links: new Map() };
  }
  const committed = new Set<string>();
  const edits = new Map<string, Edit>();
  for (const { prefix, tree, edits: ofPart } of parts) {
    for (const file of tree.files) committed.add(prefix + file);
    for (const [file, edit] of ofPart) edits.set(prefix + file, edit);
  }
  for (const [key, edit] of edits) {
    const isNowLink = edit.kind === "removed" && linkedKey(outermost, key) !== undefined;
    if (isNowLink) edits.set(key, { ...edit, kind: "modified" });
  }
  const links = new Map(all.flatMap((link) => filesBehind(outermost, link, { committed, edits })));
  for (const [link, file] of links) {
    const edit = edits.get(file);
    if (committed.has(file)) committed.add(link);
    if (edit !== undefined) edits.set(link, edit);
  }
  return { committed, edits, links };
}

/** For a linked folder, its files by their paths behind the link. */
function filesBehind(
  repository: Repository,
  link: string,
  tree: Omit<WorkingTree, "links">,
): (readonly [link: string, file: string])[] {
  const target = linkedKey(repository, link);
  if (target === undefined) return [];
  if (isLiving(tree, target)) return [[link, target]];
  const below = `${target}/`;
  const files = new Set([...tree.committed, ...tree.edits.keys()]);
  return [...files].flatMap((file) =>
    file.startsWith(below) && isLiving(tree, file)
      ? [[`${link}/${file.slice(below.length)}`, file] as const]
      : [],
  );
}

/** A link gets the events of its file, back to the time when the link was a file itself. */
export class LinkedFiles {
  readonly #repository: Repository;
  readonly #edits: WorkingTree["edits"];
  readonly #links: Map<string, string>;
  readonly #files: ReadonlySet<string>;
  /** Contents of files after the commits that are not read yet. */
  readonly #blobs = new Map<string, string>();

  constructor(repository: Repository, { edits, links }: Pick<WorkingTree, "edits" | "links">) {
    this.#repository = repository;
    this.#edits = edits;
    this.#links = new Map(links);
    this.#files = new Set(links.values());
  }

  wants(path: string): boolean {
    return this.#files.has(path) || this.#links.has(path);
  }

  take(changes: readonly FileChange[]): readonly FileChange[] {
    if (this.#links.size === 0) return changes;
    const byPath = new Map(changes.map((change) => [change.path, change]));
    for (const [path, file] of this.#links) {
      const own = byPath.get(path);
      const ofFile = byPath.get(file);
      if (own !== undefined) {
        this.#links.delete(path);
        const blob = ofFile?.blob ?? this.#blobOf(file);
        if (blob === own.previous) byPath.delete(path);
        else byPath.set(path, { ...own, kind: "modified", blob });
      } else if (ofFile !== undefined) byPath.set(path, { ...ofFile, path });
    }
    for (const { path, previous } of changes) {
      if (this.#files.has(path)) this.#blobs.set(path, previous);
    }
    return [...byPath.values()];
  }

  #blobOf(file: string): string {
    return (
      this.#blobs.get(file) ??
      this.#edits.get(file)?.previous ??
      fileBlobId(this.#repository, fileOfKey(this.#repository, file))
    );
  }
}
