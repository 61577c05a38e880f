import type { CollectionPublication } from "../model/publication.ts";
import { compareVersions, type SnapshotEntry, type Version } from "../model/resources.ts";
import { type Fork, forkOf, type Versions } from "./fork.ts";

/**
 * Compared with the last common version. `stale`: the site's page is newer; `edited`: the page here is newer;
 * `both`: both were edited, or no common version is known.
 */
export type MergeState = "same" | "stale" | "edited" | "both";

export type Relation = "same" | "behind" | "ahead" | "apart";

type ComparedCollections = readonly CollectionPublication[];

/** A three-way comparison. The two logs contain the common versions. */
export class LogComparison {
  readonly #here: ComparedCollections;
  readonly #there: ComparedCollections;
  readonly #fork: Fork | undefined;

  private constructor(
    here: ComparedCollections,
    there: ComparedCollections,
    fork: Fork | undefined,
  ) {
    this.#here = here;
    this.#there = there;
    this.#fork = fork;
  }

  static async of(here: ComparedCollections, there: ComparedCollections): Promise<LogComparison> {
    return new LogComparison(here, there, await forkOf(here, there));
  }

  get hasBase(): boolean {
    return this.#fork !== undefined;
  }

  get relation(): Relation {
    const [here, there] = [lastTimeOf(this.#here), lastTimeOf(this.#there)];
    if (here === undefined || there === undefined) {
      return here === there ? "same" : here === undefined ? "behind" : "ahead";
    }
    if (this.#fork === undefined) return "apart";
    const { here: mine, there: theirs } = this.#fork;
    if (mine.size > 0) return theirs.size > 0 ? "apart" : "ahead";
    if (theirs.size > 0 || here < there) return "behind";
    return here === there ? "same" : "ahead";
  }

  /** @param key the page's `urlKey`; a version is absent where there is no such page */
  verdict(key: string, here: Version | undefined, there: Version | undefined): MergeState {
    if (areSame(here, there)) return "same";
    const wasThere = isAmong(this.#fork?.there, key, here);
    const wasHere = isAmong(this.#fork?.here, key, there);
    if (wasThere !== wasHere) return wasThere ? "stale" : "edited";
    const base = this.#baseOf(key);
    if (wasThere || base === UNKNOWN) return "both";
    if (areSame(base, here)) return "stale";
    return areSame(base, there) ? "edited" : "both";
  }

  /** Whether the logs have the version: as the last of either log, or since they parted. */
  describes(key: string, version: Version): boolean {
    const { here, there } = this.#fork ?? {};
    const isLast = [this.#here, this.#there].some((one) => areSame(entryOf(one, key), version));
    return isLast || isAmong(here, key, version) || isAmong(there, key, version);
  }

  /** A list without the page means that there was none; two logs without a common change say nothing. */
  #baseOf(key: string): Version | undefined | typeof UNKNOWN {
    if (this.#fork === undefined) return undefined;
    if (this.#fork.wasCreated.get(key)) return undefined;
    const [here, there] = [entryOf(this.#here, key), entryOf(this.#there, key)];
    const changedHere = this.#fork.here.has(key);
    const changedThere = this.#fork.there.has(key);
    if (changedHere !== changedThere) return changedHere ? there : here;
    return !changedHere && areSame(here, there) ? here : UNKNOWN;
  }
}

const UNKNOWN = Symbol("unknown");

export function areSame(one: Version | undefined, other: Version | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.hash !== undefined && compareVersions(one, other) === "same";
}

function isAmong(versions: Versions | undefined, key: string, version: Version | undefined) {
  return versions?.get(key)?.some((one) => areSame(one, version)) ?? false;
}

export function entryOf(collections: ComparedCollections, key: string): SnapshotEntry | undefined {
  return collections.map(({ snapshot }) => snapshot.get(key)).find((entry) => entry !== undefined);
}

function lastTimeOf(collections: ComparedCollections): number | undefined {
  return collections.length === 0 ? undefined : Math.max(...collections.map(({ time }) => time));
}
