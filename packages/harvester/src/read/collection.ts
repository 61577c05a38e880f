import { HarvestError } from "../errors.ts";
import { type Capabilities, capabilitiesOf, collectionUrl } from "./capability-list.ts";
import type { ListedCollection } from "./description.ts";

import { CollectionLists, type EarlyLists, type Reader } from "./lists.ts";
import type { CollectionReading, RememberedDocument } from "./reading.ts";

/** A collection being read. It keeps its own problem, so that others can be read. */
export class Collection {
  readonly capabilityListUrl: string;
  readonly #reader: Reader;
  readonly #listed: ListedCollection;
  readonly #early: EarlyLists | undefined;
  #url: string;
  #capabilities: Capabilities | undefined;
  #lists: CollectionLists | undefined;
  #documents: readonly RememberedDocument[] = [];
  #problem: HarvestError | undefined;

  constructor(reader: Reader, listed: ListedCollection, early?: EarlyLists) {
    this.#reader = reader;
    this.#early = early;
    this.#listed = listed;
    this.capabilityListUrl = listed.capabilityListUrl;
    const known = reader.cache.known(listed.capabilityListUrl)?.outline;
    this.#url = collectionUrl(listed, known, reader.site);
  }

  get url(): string {
    return this.#url;
  }

  get listUrls(): readonly string[] {
    return this.#lists?.urls ?? [];
  }

  get isReady(): boolean {
    return this.#problem === undefined && (this.#lists?.isReady ?? false);
  }

  get documents(): readonly RememberedDocument[] {
    if (this.#problem !== undefined) return [];
    return [...this.#documents, ...(this.#lists?.documents ?? [])];
  }

  async open(): Promise<void> {
    await this.#attempt(async () => {
      const { cache, site } = this.#reader;
      const { capabilityListUrl } = this;
      if (cache.budget.isOver) throw cache.budget.reasonFor(capabilityListUrl);
      site.authority.require(capabilityListUrl);
      const { outline, document } = await cache.outline(capabilityListUrl, ["capability-list"]);
      this.#documents = document === undefined ? [] : [document];
      this.#url = collectionUrl(this.#listed, outline, site);
      this.#capabilities = capabilitiesOf(outline, this.#listed);
      const { changeListUrl } = this.#capabilities;
      if (changeListUrl === undefined) return;
      const early = this.#early;
      if (early?.changeListUrl === changeListUrl && early.collectionUrl === this.#url) {
        this.#lists = early.lists;
        return;
      }
      this.#lists = CollectionLists.of(this.#reader, changeListUrl, this.#url);
      await this.#lists.open();
    });
  }

  async readNext(): Promise<void> {
    await this.#attempt(async () => this.#lists?.readNext());
  }

  refuse(problem: HarvestError): void {
    this.#problem ??= problem;
  }

  reading(key: string): CollectionReading {
    const { cache, site } = this.#reader;
    const describedBy = (this.#capabilities?.describedBy ?? [])
      .filter((url) => site.authority.mayName(url))
      .slice(0, cache.limits.describedBy);
    const { notification, resourceListUrl, notes = [] } = this.#capabilities ?? {};
    const identity = { key, url: this.#url, capabilityListUrl: this.capabilityListUrl };
    const common = { ...identity, describedBy, notification, resourceListUrl, notes };
    const problem = this.#problem;
    if (problem !== undefined) return { ...common, ...NOTHING, problem };
    const lists = this.#lists;
    if (lists === undefined) return { ...common, ...NOTHING };
    return {
      ...common,
      lists: lists.inOrder(),
      listUrls: lists.urls,
      from: lists.from,
      unreadLists: lists.waiting,
      ignored: lists.ignored,
    };
  }

  async #attempt(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof HarvestError)) throw error;
      this.#reader.cache.budget.noteFailure(error);
      this.#problem = error;
    }
  }
}

const NOTHING = { lists: [], listUrls: [], from: undefined, unreadLists: 0, ignored: {} } as const;
