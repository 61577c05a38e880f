import { RESOURCESYNC, SITEMAP, XML } from "../namespaces.ts";

/** An element's name: its namespace, and its name without prefix. */
export interface Name {
  readonly namespace: string;
  readonly local: string;
  /** The name by which the reader knows it, such as `url` or `rs:md`; `undefined` for all others. */
  readonly known: string | undefined;
}

const REMEMBERED = 1000;

/**
 * The namespace declarations in force. Names are resolved once and remembered until a declaration
 * changes: a list has a handful of names, and a million elements.
 */
export class Scope {
  readonly #bindings = new Map<string, string>([["xml", XML]]);
  readonly #undo: { depth: number; prefix: string; before: string | undefined }[] = [];
  readonly #names = new Map<string, Name>();

  /** Declares a prefix (`""` for the default namespace) from the element of this depth on. */
  declare(depth: number, prefix: string, namespace: string): void {
    const before = this.#bindings.get(prefix);
    this.#undo.push({ depth, prefix, before });
    this.#bind(prefix, namespace);
  }

  /** Forgets what the element of this depth declared. */
  leave(depth: number): void {
    for (let last = this.#undo.at(-1); last?.depth === depth; last = this.#undo.at(-1)) {
      this.#undo.pop();
      this.#bind(last.prefix, last.before);
    }
  }

  /** @returns the namespace of a prefix, or `undefined` where none was declared */
  namespace(prefix: string): string | undefined {
    return this.#bindings.get(prefix);
  }

  /** @returns the element's name, or `undefined` where it is none, or its prefix not declared */
  element(qualified: string): Name | undefined {
    const remembered = this.#names.get(qualified);
    if (remembered !== undefined) return remembered;
    const [prefix, local] = split(qualified);
    const namespace = this.#bindings.get(prefix) ?? (prefix === "" ? "" : undefined);
    if (namespace === undefined || local === "" || local.includes(":")) return undefined;
    const name = { namespace, local, known: known(namespace, local) };
    if (this.#names.size >= REMEMBERED) this.#names.clear();
    this.#names.set(qualified, name);
    return name;
  }

  #bind(prefix: string, namespace: string | undefined): void {
    if (namespace === undefined) this.#bindings.delete(prefix);
    else this.#bindings.set(prefix, namespace);
    this.#names.clear();
  }
}

/** @returns prefix and local name; the prefix is empty where there is none */
export function split(qualified: string): [prefix: string, local: string] {
  const colon = qualified.indexOf(":");
  return colon < 0 ? ["", qualified] : [qualified.slice(0, colon), qualified.slice(colon + 1)];
}

function known(namespace: string, local: string): string | undefined {
  if (namespace === SITEMAP) return local;
  return namespace === RESOURCESYNC ? `rs:${local}` : undefined;
}
