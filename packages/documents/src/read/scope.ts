import { RESOURCESYNC, SITEMAP, XML } from "../namespaces.ts";

export interface ElementName {
  readonly namespace: string;
  readonly local: string;
  /** The reader's name for it, such as `url` or `rs:md`; `undefined` for all others. */
  readonly known: string | undefined;
}

const MOST_NAMES = 1000;

/** Names are cached until a declaration changes: a list has a handful of names and a million elements. */
export class Scope {
  readonly #bindings = new Map<string, string>([["xml", XML]]);
  readonly #undo: { depth: number; prefix: string; before: string | undefined }[] = [];
  readonly #names = new Map<string, ElementName>();
  #sitemap = SITEMAP;

  /** Declares a prefix (`""` for the default namespace). Returns false where XML 1.0 forbids it. */
  declare(depth: number, prefix: string, namespace: string): boolean {
    if (prefix === "xml" && namespace !== XML) return false;
    if (prefix === "xmlns" || (prefix !== "" && namespace === "")) return false;
    this.#undo.push({ depth, prefix, before: this.#bindings.get(prefix) });
    this.#bind(prefix, namespace);
    return true;
  }

  leave(depth: number): void {
    for (let last = this.#undo.at(-1); last?.depth === depth; last = this.#undo.at(-1)) {
      this.#undo.pop();
      this.#bind(last.prefix, last.before);
    }
  }

  /** From now on, the element's namespace counts as the Sitemap protocol's. */
  adopt(qualified: string): void {
    const { namespace = this.#sitemap } = this.element(qualified) ?? {};
    this.#sitemap = namespace;
    this.#names.clear();
  }

  /** @returns `undefined` for an invalid name, or a prefix that is not declared */
  element(qualified: string): ElementName | undefined {
    const cached = this.#names.get(qualified);
    if (cached !== undefined) return cached;
    const [prefix, local] = split(qualified);
    const namespace = this.#bindings.get(prefix) ?? (prefix === "" ? "" : undefined);
    if (namespace === undefined || local === "" || local.includes(":")) return undefined;
    const name = { namespace, local, known: this.#known(namespace, local) };
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    this.#names.set(qualified, name);
    return name;
  }

  /** @returns namespace and local name of an attribute's prefixed name, as `element` does */
  attribute(qualified: string): [namespace: string, local: string] | undefined {
    const [prefix, local] = split(qualified);
    const namespace = prefix === "" ? undefined : this.#bindings.get(prefix);
    return namespace === undefined ? undefined : [namespace, local];
  }

  #known(namespace: string, local: string): string | undefined {
    if (namespace === this.#sitemap) return local;
    return namespace === RESOURCESYNC ? `rs:${local}` : undefined;
  }

  #bind(prefix: string, namespace: string | undefined): void {
    if (namespace === undefined) this.#bindings.delete(prefix);
    else this.#bindings.set(prefix, namespace);
    this.#names.clear();
  }
}

function split(qualified: string): [prefix: string, local: string] {
  const colon = qualified.indexOf(":");
  return colon < 0 ? ["", qualified] : [qualified.slice(0, colon), qualified.slice(colon + 1)];
}
