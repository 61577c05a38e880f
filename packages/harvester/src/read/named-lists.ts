import type { Authority } from "./authority.ts";
import { UnreadableError } from "./errors.ts";
import type { Reference } from "./references.ts";

/** The lists that a collection names, in its order; an index is replaced by what it names. */
export class NamedLists {
  readonly #urls: string[];
  readonly #authority: Authority;
  readonly #most: number;

  /**
   * @param top the only document that is named at first
   * @param most lists that may be named
   * @throws {OtherHostError}
   */
  constructor(top: string, authority: Authority, most: number) {
    authority.require(top);
    this.#urls = [top];
    this.#authority = authority;
    this.#most = most;
  }

  get urls(): readonly string[] {
    return this.#urls;
  }

  /**
   * Puts what an index names in its place.
   *
   * @returns what was not named before, each once
   * @throws {OtherHostError} where it is on another host than the source
   * @throws {UnreadableError} where it is too much
   */
  replace(index: string, references: readonly Reference[]): Reference[] {
    const others = new Set(this.#urls);
    const added = new Map<string, Reference>();
    for (const reference of references) {
      if (others.has(reference.url) || added.has(reference.url)) continue;
      this.#authority.require(reference.url);
      added.set(reference.url, reference);
    }
    this.#urls.splice(this.#urls.indexOf(index), 1, ...added.keys());
    if (this.#urls.length <= this.#most) return [...added.values()];
    throw new UnreadableError(index, `names more than ${this.#most.toLocaleString("en")} lists`);
  }

  /** Things that have the address of a list, in the order in which those are named. */
  sorted<Item extends { readonly url: string }>(items: readonly Item[]): Item[] {
    const places = new Map(this.#urls.map((url, place) => [url, place]));
    const place = ({ url }: Item) => places.get(url) ?? 0;
    return items.toSorted((one, other) => place(one) - place(other));
  }
}
