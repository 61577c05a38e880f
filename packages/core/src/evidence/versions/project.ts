import type { Facts, Making } from "../../builder.ts";
import type { VersionFacts } from "./facts.ts";
import type { KeyedRules } from "./keyed-rules.ts";

/** A file that has other contents now, or, without a blob, is gone. */
export interface Step {
  readonly path: string;
  readonly blob: string;
}

/** The sources of a project and their data, as they stood at one moment of its history. */
export class Project {
  readonly #rules: KeyedRules;
  readonly #facts: VersionFacts;
  readonly #blobs = new Map<string, string>();
  readonly #dataOf = new Map<string, readonly string[]>();
  /** The sources that each data file bears on. */
  readonly #sourcesOf = new Map<string, Set<string>>();

  constructor(rules: KeyedRules, facts: VersionFacts) {
    this.#rules = rules;
    this.#facts = facts;
  }

  /** Keys of the sources that stand. */
  get sources(): readonly string[] {
    return [...this.#blobs.keys()].filter((key) => this.#rules.roleOf(key) === "source");
  }

  /** The contents of a file; empty when it does not stand. */
  blobOf(key: string): string {
    return this.#blobs.get(key) ?? "";
  }

  /**
   * Goes on to the next moment.
   *
   * @returns the sources that may make other pages now, each with the files that brought it about
   */
  apply(steps: readonly Step[]): ReadonlyMap<string, readonly string[]> {
    const affected = new Map<string, string[]>();
    const affect = (source: string, cause: string) => {
      const causes = affected.get(source);
      if (causes === undefined) affected.set(source, [cause]);
      else causes.push(cause);
    };
    for (const { path, blob } of steps) {
      const role = this.#rules.roleOf(path);
      if (role === undefined) continue;
      if (blob === "") this.#blobs.delete(path);
      else this.#blobs.set(path, blob);
      if (role === "source") {
        this.#learnData(path);
        affect(path, path);
      }
    }
    for (const { path } of steps) {
      for (const source of this.#sourcesOf.get(path) ?? []) affect(source, path);
    }
    return affected;
  }

  /** What a source that stands makes; `undefined` when some version that decides cannot be read. */
  makingOf(source: string): Making | undefined {
    const facts = this.#factsOf(source);
    if (facts === undefined) return undefined;
    const data: Facts[] = [];
    for (const key of this.#dataOf.get(source) ?? []) {
      if (!this.#blobs.has(key)) continue;
      const ofData = this.#factsOf(key);
      if (ofData === undefined) return undefined;
      data.push(ofData);
    }
    return this.#rules.made(source, facts, data);
  }

  #factsOf(key: string): Facts | undefined {
    return this.#facts.of({ key, blob: this.blobOf(key) });
  }

  #learnData(source: string): void {
    if (this.#dataOf.has(source)) return;
    const data = this.#rules.dataOf(source);
    this.#dataOf.set(source, data);
    for (const key of data) {
      const sources = this.#sourcesOf.get(key) ?? new Set();
      this.#sourcesOf.set(key, sources.add(source));
    }
  }
}
