import { posix } from "node:path";
import type { Making } from "@rs-emit/core/adapter";

/**
 * Files that the option `sources` names for pages which share a template: each makes one of them, and
 * the template makes none.
 */
export class Entries {
  /** The templates of each kind. */
  readonly #kinds = new Map<string, Set<string>>();

  /** @param pages the sources of each such page: the entry first, the template last */
  constructor(pages: readonly (readonly string[])[]) {
    for (const sources of pages) {
      const kind = kindOf(sources[0] ?? "");
      const templates = this.#kinds.get(kind) ?? new Set();
      this.#kinds.set(kind, templates.add(sources.at(-1) ?? ""));
    }
  }

  /** Whether a file is an entry, or would be if it were still there. */
  includes(path: string): boolean {
    return this.#kinds.has(kindOf(path));
  }

  /** The templates that make pages of an entry: without any, it makes none. */
  templatesOf(entry: string): readonly string[] {
    return [...(this.#kinds.get(kindOf(entry)) ?? [])];
  }

  /** Whether a template gives entries their look. */
  areSetIn(template: string): boolean {
    return [...this.#kinds.values()].some((templates) => templates.has(template));
  }
}

/** Only the option knows the page of an entry: that of a vanished one is told by those that stand. */
export function entryMaking(path: string): Making {
  const { dir, name } = posix.parse(path);
  return { kind: "page", ways: [`entry ${kindOf(path)}`], names: [name, posix.join(dir, name)] };
}

/** Files of one folder with one extension are entries of one kind. */
function kindOf(path: string): string {
  const { dir, ext } = posix.parse(path);
  return `${dir}/*${ext}`;
}
