import { urlKey } from "@rs-emit/documents";
import type { Difference } from "../../derive/difference.ts";
import { namersOf, told } from "../../derive/named-changes.ts";
import { type Origins, originsOf, toPastChange } from "../../derive/new-change.ts";
import { deriveNext } from "../../derive/next-snapshot.ts";
import type { NewsRules } from "../../derive/publication-news.ts";
import { nextNews } from "../../gather/next-publication.ts";
import { notLater } from "../../history/commit-clock.ts";
import type { Collection } from "../../model/collections.ts";
import { attributeToExcluded, ExcludedPages, excludedDigests } from "../../model/excluded-pages.ts";
import { pagesWithLastGood } from "../../model/last-good.ts";
import type { Change } from "../../model/log.ts";
import type { Derived } from "../../model/plan.ts";
import {
  type CollectionPublication,
  type Known,
  knownRepresentations,
} from "../../model/publication.ts";
import type { Inventory, SnapshotEntry } from "../../model/resources.ts";
import type { PastCommit } from "../commits/commits.ts";
import type { UnstablePages } from "./commit-states.ts";
import type { ReadStatements } from "./statements.ts";

export interface CommitState {
  /** The folder of the inventory; its files are still read. */
  readonly folder: string;
  readonly inventory: Inventory;
  readonly commit: PastCommit;
  readonly knowsOnDemand: boolean;
}

export interface ReplayState {
  /** The newest change's time; 0 without changes. */
  time: number;
  knowsOnDemand: boolean;
  isBehindGap: boolean;
  appearances: Appearances;
  collections: Record<string, CollectionState>;
}

/** By URL key: the time of the first publication with the page, after a gap. */
type Appearances = Readonly<Record<string, number>>;

interface CollectionState {
  readonly snapshot: readonly SnapshotEntry[];
  readonly excluded: readonly string[];
  readonly changes: readonly Change[];
}

/** Changes as continuations would have published them, one publication for each commit. */
export class Replay {
  readonly #site: string;
  readonly #present: number;
  readonly #collections: readonly Collection[];
  readonly #messages: boolean;
  readonly #rules: NewsRules;
  readonly #unstable: UnstablePages;
  readonly #readStatements: ReadStatements;
  #published: readonly CollectionPublication[];
  #time: number;
  #knowsOnDemand: boolean;
  #isBehindGap: boolean;
  readonly #appearances: Map<string, number>;

  /** @param present later changes get this time */
  constructor(
    run: {
      readonly site: string;
      readonly collections: readonly Collection[];
      readonly messages: boolean;
      readonly news: NewsRules["news"];
      readonly present: number;
      readonly unstable: UnstablePages;
      readonly readStatements: ReadStatements;
    },
    saved?: ReplayState,
  ) {
    this.#site = run.site;
    this.#present = run.present;
    this.#collections = run.collections;
    this.#messages = run.messages;
    this.#rules = { news: run.news, minor: false, note: undefined };
    this.#unstable = run.unstable;
    this.#readStatements = run.readStatements;
    this.#time = saved?.time ?? 0;
    this.#knowsOnDemand = saved?.knowsOnDemand ?? false;
    this.#isBehindGap = saved?.isBehindGap ?? false;
    this.#appearances = new Map(Object.entries(saved?.appearances ?? {}));
    this.#published = run.collections.map(({ url, folder }) => {
      const { snapshot = [], excluded = [], changes = [] } = saved?.collections[url] ?? {};
      return publicationOf(url, folder, this.#time, snapshot, excluded, changes);
    });
  }

  get known(): Known {
    return knownRepresentations(this.#published);
  }

  begin({ inventory, knowsOnDemand }: CommitState): void {
    this.#knowsOnDemand = knowsOnDemand;
    this.#remember(inventory, new Map(), new Map());
  }

  /** A commit was not read: pages that first appear in the next commit may be older. */
  leaveGap(): void {
    this.#isBehindGap = true;
  }

  async take({ folder, inventory: taken, commit, knowsOnDemand }: CommitState): Promise<void> {
    const published = this.#published;
    const inventory = pagesWithLastGood(taken, published);
    const found = await nextNews(
      { folder, site: this.#site, inventory, published, rules: this.#rules, time: commit.time },
      (differences) => this.#readStatements(this.#toReport(differences, commit.time), folder),
    );
    this.#knowsOnDemand ||= knowsOnDemand;
    const datetime = Math.max(commit.time, this.#time + 1);
    const message = this.#messages && commit.subject !== "" ? commit.subject : undefined;
    const collections = this.#collections.map((collection) => ({ collection }));
    const entries = told(found, collections, namersOf(inventory), (one) =>
      toPastChange(one, { datetime, lastmod: commit.time, message }),
    );
    const byCollection = new Map(entries.map((one) => [one.collection.url, one.changes]));
    const origins = originsOf(found.differences, found.moves);
    if (this.#remember(inventory, byCollection, origins) > 0) this.#time = datetime;
    this.#isBehindGap = false;
  }

  /** Pages whose creation is in no commit, with the time when they first appear. */
  get appearances(): ReadonlyMap<string, number> {
    return this.#appearances;
  }

  derived(collection: string): Derived {
    const published = this.#published.find(({ url }) => url === collection);
    return {
      changes: (published?.log.pending ?? []).map(
        notLater(this.#changes, this.#time, this.#present),
      ),
      snapshot: [...(published?.snapshot.values() ?? [])],
    };
  }

  get #changes(): readonly Change[] {
    return this.#published.flatMap(({ log }) => log.pending);
  }

  get time(): number {
    return Math.min(this.#time, this.#present);
  }

  get state(): ReplayState {
    const collections = this.#published.map(({ url, snapshot, excluded, log }) => [
      url,
      {
        snapshot: [...snapshot.values()],
        excluded: excluded.digests,
        changes: log.pending,
      },
    ]);
    return {
      time: this.#time,
      knowsOnDemand: this.#knowsOnDemand,
      isBehindGap: this.#isBehindGap,
      appearances: Object.fromEntries(this.#appearances),
      collections: Object.fromEntries(collections),
    };
  }

  /** Unstable pages, and pages that a server now makes on demand, are no news. */
  #isNews({ kind, minor, url, resource }: Difference): boolean {
    if (kind === "created") return resource?.file !== undefined || this.#knowsOnDemand;
    return kind === "deleted" || this.#unstable.isCertain({ url, minor });
  }

  /** A page that first appears after a gap may be as old as the gap. */
  #toReport(differences: readonly Difference[], time: number): readonly Difference[] {
    const news = differences.filter((one) => this.#isNews(one));
    if (!this.#isBehindGap) return news;
    const reported = new Set(this.#changes.map(({ url }) => urlKey(url)));
    return news.filter(({ kind, url }) => {
      const key = urlKey(url);
      if (kind !== "created" || reported.has(key)) return true;
      this.#appearances.set(key, time);
      return false;
    });
  }

  #remember(
    inventory: Inventory,
    byCollection: ReadonlyMap<string, readonly Change[]>,
    origins: Origins,
  ): number {
    let logged = 0;
    this.#published = this.#published.map((before) => {
      const { url, folder } = before;
      const { derived } = deriveNext(url, inventory, before, byCollection.get(url) ?? [], origins);
      logged += derived.changes.length;
      const excluded = attributeToExcluded(excludedDigests(inventory, url));
      const changes = [...before.log.pending, ...derived.changes];
      return publicationOf(url, folder, this.#time, derived.snapshot, excluded, changes);
    });
    return logged;
  }
}

/** The state that a publication at this commit would have left. Its log is in memory, and in no list yet. */
function publicationOf(
  url: string,
  folder: string,
  time: number,
  snapshot: readonly SnapshotEntry[],
  excluded: readonly string[],
  pending: readonly Change[],
): CollectionPublication {
  return {
    url,
    folder,
    id: url,
    time,
    since: time,
    snapshot: new Map(snapshot.map((entry) => [urlKey(entry.url), entry])),
    excluded: new ExcludedPages(excluded),
    left: new Map(),
    entered: new Set(),
    log: { closed: [], pending },
    repaired: false,
    resourceListParts: [],
    capabilities: [],
  };
}
