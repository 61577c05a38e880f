/** A way to find the page of a source; `undefined` where it has no answer. */
export type Rule<Source> = (source: Source) => string | undefined;

/** The rules that every example so far bears out. */
export class Agreement<Source> {
  #rules: readonly Rule<Source>[] | undefined;

  /** @param proposed the rules to begin with, asked for at the first example */
  learn(source: Source, page: string, proposed: () => readonly Rule<Source>[]): void {
    this.#rules = (this.#rules ?? proposed()).filter((rule) => rule(source) === page);
  }

  /** The page that every rule left gives; `undefined` where they differ, or none is left. */
  pageOf(source: Source): string | undefined {
    const [page, ...others] = new Set(this.#rules?.map((rule) => rule(source)));
    return others.length === 0 ? page : undefined;
  }
}
