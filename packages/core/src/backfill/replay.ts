import { urlKey } from "@rs-emit/documents";
import { deriveNext, loggedBy } from "../derive/continuation.ts";
import { type Difference, findDifferences } from "../derive/differences.ts";
import { type Derived, excludedDigests } from "../derive/plan.ts";
import type { Collection } from "../model/collections.ts";
import { groupBy } from "../model/group.ts";
import type { Change } from "../model/log.ts";
import type { Settings } from "../model/options.ts";
import { attributeToExcluded } from "../model/own-attributes.ts";
import type { Inventory, SnapshotEntry } from "../model/resources.ts";
import { wordsOf } from "../model/resources.ts";
import {
  type CollectionPublication,
  type Known,
  knownRepresentations,
} from "../recall/publication.ts";
import type { PastCommit } from "./commits.ts";

/** What a commit published. */
export interface CommitState {
  /** The folder that the inventory was taken of; it must still stand. */
  readonly folder: string;
  readonly inventory: Inventory;
  readonly commit: PastCommit;
  /** Whether the builder said which pages a server makes on demand. */
  readonly knowsOnDemand: boolean;
}

/** Pages that differ between two builds of one commit: by their own content, or where readers may see it. */
export interface Unstable {
  /** URL keys. */
  readonly content: ReadonlySet<string>;
  /** URL keys of both. */
  readonly markup: ReadonlySet<string>;
  /** URL keys of all pages that were built twice: of others nothing is known. */
  readonly compared: ReadonlySet<string>;
}

/** What a replay has come to, as plain data. */
export interface ReplayState {
  /** The time of the newest change, UTC seconds; 0 where there is none. */
  time: number;
  knowsOnDemand: boolean;
  /** By the collection's URL. */
  collections: Record<string, CollectionState>;
}

interface CollectionState {
  readonly snapshot: readonly SnapshotEntry[];
  /** Digests of pages that are no resources. */
  readonly excluded: readonly string[];
  readonly changes: readonly Change[];
}

/**
 * Commits as a follower would have seen them, had each been published: what differs from the commit
 * before is told by the rules of a continuation, at the commit's time.
 */
export class Replay {
  readonly #site: string;
  readonly #present: number;
  readonly #messages: boolean;
  readonly #isLogged: (change: Change) => boolean;
  readonly #unstable: Unstable;
  readonly #changes: Map<string, Change[]>;
  #published: readonly CollectionPublication[];
  #time: number;
  #knowsOnDemand: boolean;

  /**
   * @param present the time it is, UTC seconds: no change is told at a later one
   * @param saved where to go on
   */
  constructor(
    run: {
      readonly site: string;
      readonly collections: readonly Collection[];
      readonly messages: boolean;
      readonly minor: Settings["minor"];
      readonly present: number;
      readonly unstable: Unstable;
    },
    saved?: ReplayState,
  ) {
    this.#site = run.site;
    this.#present = run.present;
    this.#messages = run.messages;
    this.#isLogged = loggedBy(run.minor);
    this.#unstable = run.unstable;
    this.#time = saved?.time ?? 0;
    this.#knowsOnDemand = saved?.knowsOnDemand ?? false;
    const { collections } = run;
    this.#changes = new Map(
      collections.map(({ url }) => [url, [...(saved?.collections[url]?.changes ?? [])]]),
    );
    this.#published = collections.map(({ url, folder }) => {
      const { snapshot = [], excluded = [] } = saved?.collections[url] ?? {};
      return publication(url, folder, this.#time, snapshot, new Set(excluded));
    });
  }

  get known(): Known {
    return knownRepresentations(this.#published);
  }

  /** Takes what stood before the first commit that is told: it is known, and nothing is told of it. */
  begin({ inventory, knowsOnDemand }: CommitState): void {
    this.#knowsOnDemand = knowsOnDemand;
    this.#remember(inventory, new Map());
  }

  /** Takes the next commit: what it changed is told at its time. */
  take({ folder, inventory, commit, knowsOnDemand }: CommitState): void {
    const differences = findDifferences(folder, this.#site, inventory, this.#published).filter(
      (one) => this.#isNews(one),
    );
    this.#knowsOnDemand ||= knowsOnDemand;
    const committed = Math.min(commit.time, this.#present);
    const datetime = Math.max(committed, this.#time + 1);
    const message = this.#messages && commit.subject !== "" ? commit.subject : undefined;
    const changes = groupBy(
      differences.map((one) => ({ ...one, datetime, committed, message })),
      ({ collection }) => collection,
    );
    const told = new Map(
      [...changes].map(([collection, ofOne]) => [collection, ofOne.map(toChange)]),
    );
    const logged = this.#remember(inventory, told);
    if (logged > 0) this.#time = datetime;
  }

  /** What is published of a collection at the end. */
  derived(collection: string): Derived {
    const published = this.#published.find(({ url }) => url === collection);
    return {
      changes: (this.#changes.get(collection) ?? []).map(this.#notLater()),
      snapshot: [...(published?.snapshot.values() ?? [])],
    };
  }

  /** The time of the newest change, UTC seconds; 0 where there is none. */
  get time(): number {
    return Math.min(this.#time, this.#present);
  }

  get state(): ReplayState {
    const collections = this.#published.map(({ url, snapshot, excluded }) => [
      url,
      {
        snapshot: [...snapshot.values()],
        excluded: [...excluded],
        changes: this.#changes.get(url) ?? [],
      },
    ]);
    return {
      time: this.#time,
      knowsOnDemand: this.#knowsOnDemand,
      collections: Object.fromEntries(collections),
    };
  }

  /**
   * Where two builds of one commit differ, another difference says nothing. Nothing tells either since
   * when a server makes its pages.
   */
  #isNews({ kind, minor, url, resource }: Difference): boolean {
    const key = urlKey(url);
    if (kind === "created") return resource?.file !== undefined || this.#knowsOnDemand;
    if (kind === "deleted") return true;
    const { compared, content, markup } = this.#unstable;
    if (minor) return markup.size === 0 || (compared.has(key) && !markup.has(key));
    return !content.has(key);
  }

  /** Commits from the future may come to more publications than there are seconds left. */
  #notLater(): (change: Change) => Change {
    if (this.#time <= this.#present) return (change) => change;
    const all = [...this.#changes.values()].flatMap((ofOne) => ofOne.map((one) => one.datetime));
    const times = new Map<number, number>();
    let latest = this.#present + 1;
    for (const datetime of [...new Set(all)].sort((one, other) => other - one)) {
      latest = Math.min(datetime, latest - 1);
      times.set(datetime, latest);
    }
    return (change) => {
      const datetime = times.get(change.datetime) ?? change.datetime;
      return { ...change, datetime, lastmod: Math.min(change.lastmod, datetime) };
    };
  }

  /** @returns how many changes got an entry */
  #remember(inventory: Inventory, told: ReadonlyMap<string, readonly Change[]>): number {
    let logged = 0;
    this.#published = this.#published.map((before) => {
      const { url, folder } = before;
      const { derived } = deriveNext(url, inventory, before, told.get(url) ?? [], this.#isLogged);
      this.#changes.get(url)?.push(...derived.changes);
      logged += derived.changes.length;
      const excluded = attributeToExcluded(excludedDigests(inventory, url));
      return publication(url, folder, this.#time, derived.snapshot, excluded);
    });
    return logged;
  }
}

type DatedDifference = Difference & {
  readonly datetime: number;
  readonly committed: number;
  readonly message: string | undefined;
};

/**
 * A difference as an entry of the log. As in all told history, its hash is left out: a publication that
 * is killed before the Resource List then starts over; see `recallCollection`.
 */
function toChange({ url, kind, minor, datetime, committed, message, ...one }: DatedDifference) {
  const change: Change = {
    url,
    kind,
    datetime,
    lastmod: committed,
    ...wordsOf(one.resource ?? one.before ?? {}),
    ...(minor ? { minor } : {}),
    message,
  };
  return change;
}

function publication(
  url: string,
  folder: string,
  time: number,
  snapshot: readonly SnapshotEntry[],
  excluded: ReadonlySet<string>,
): CollectionPublication {
  return {
    url,
    folder,
    id: url,
    time,
    since: time,
    snapshot: new Map(snapshot.map((entry) => [urlKey(entry.url), entry])),
    excluded,
    left: new Map(),
    entered: new Set(),
    log: { closed: [], pending: [] },
    repaired: false,
    resourceListParts: [],
    capabilities: [],
  };
}
