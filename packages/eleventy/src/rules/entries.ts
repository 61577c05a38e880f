import { posix } from "node:path";
import type { Making } from "@rs-emit/core/adapter";

/**
 * Files that the option `sources` names for pages which share a template: each makes one of them, and
 * the template makes none.
 */
export class Entries {
  readonly #kinds: ReadonlySet<string>;
  readonly #templates: ReadonlySet<string>;

  /** @param pages the sources of each such page: the entry first, the template last */
  constructor(pages: readonly (readonly string[])[]) {
    this.#kinds = new Set(pages.map(([entry = ""]) => kindOf(entry)));
    this.#templates = new Set(pages.map((sources) => sources.at(-1) ?? ""));
  }

  /** Whether a file is an entry, or would be if it were still there. */
  includes(path: string): boolean {
    return this.#kinds.has(kindOf(path));
  }

  /** Whether a template gives entries their look. */
  areSetIn(template: string): boolean {
    return this.#templates.has(template);
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
