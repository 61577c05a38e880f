import { HarvestError } from "../errors.ts";
import { CollectionLists, type EarlyLists, type Reader } from "./collection-lists.ts";
import { unfinishedError } from "./errors.ts";
import { targets } from "./open-document.ts";
import type {
  CollectionReading,
  DocumentSummary,
  ListedCollection,
  NotificationChannel,
  RememberedDocument,
} from "./reading-result.ts";

/** A collection being read. It keeps its own problem, so that others can be read. */
export class CollectionReader {
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
    const known = reader.cache.known(listed.capabilityListUrl)?.summary;
    this.#url = reader.authority.collectionUrl(listed, known);
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
    if (this.#wholeProblem !== undefined) return [];
    return [...this.#documents, ...(this.#lists?.documents ?? [])];
  }

  async open(): Promise<void> {
    await this.#attempt(async () => {
      const { cache, authority } = this.#reader;
      const { capabilityListUrl } = this;
      if (cache.budget.isOver) throw unfinishedError(capabilityListUrl);
      authority.require(capabilityListUrl);
      const { summary, document } = await cache.summary(capabilityListUrl, ["capability-list"]);
      this.#documents = document === undefined ? [] : [document];
      this.#url = authority.collectionUrl(this.#listed, summary);
      this.#capabilities = capabilitiesOf(summary, this.#listed);
      const { changeListUrl } = this.#capabilities;
      if (changeListUrl === undefined) return;
      const early = this.#early;
      if (early?.changeListUrl === changeListUrl && early.collectionUrl === this.#url) {
        this.#lists = early.lists;
        return;
      }
      this.#lists = new CollectionLists(this.#reader, changeListUrl, this.#url);
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
    const { cache, authority } = this.#reader;
    const { describedBy = [], notification, resourceListUrl, notes } = this.#capabilities ?? {};
    const problem = this.#wholeProblem;
    const lists = problem === undefined ? this.#lists : undefined;
    return {
      key,
      url: this.#url,
      capabilityListUrl: this.capabilityListUrl,
      describedBy: describedBy
        .filter((url) => authority.mayName(url))
        .slice(0, cache.limits.describedBy),
      notification,
      resourceListUrl,
      notes: notes ?? [],
      lists: lists?.inOrder() ?? [],
      listUrls: lists?.urls ?? [],
      unreadLists: lists?.unread ?? 0,
      ignored: lists?.ignored ?? {},
      ...(problem === undefined ? {} : { problem }),
      ...(lists?.problem === undefined ? {} : { listProblem: lists.problem }),
    };
  }

  /** Why nothing of it counts. */
  get #wholeProblem(): HarvestError | undefined {
    const lists = this.#lists;
    return this.#problem ?? (lists?.areUnreadable ? lists.problem : undefined);
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

interface Capabilities {
  readonly describedBy: readonly string[];
  readonly notification: NotificationChannel | undefined;
  readonly changeListUrl: string | undefined;
  /** The Resource List, or its index: what there is, where nothing says what changed. */
  readonly resourceListUrl: string | undefined;
  readonly notes: readonly string[];
}

export function capabilitiesOf(summary: DocumentSummary, listed: ListedCollection): Capabilities {
  const named = (capability: string) =>
    summary.entries.filter(({ metadata }) => metadata?.capability === capability);
  const [changeList, ...others] = named("changelist");
  const note =
    `${listed.capabilityListUrl} names ${others.length + 1} Change Lists, and may name one; ` +
    `only ${changeList?.loc} was read.`;
  return {
    describedBy: [...new Set([...targets(summary, "describedby"), ...listed.describedBy])],
    notification: channelOf(summary),
    changeListUrl: changeList?.loc,
    resourceListUrl: named("resourcelist")[0]?.loc,
    notes: others.length === 0 ? [] : [note],
  };
}

/** Change Notification 1.0.1, section 5. The topic is the `self` link or the entry's URI. */
function channelOf({ entries }: DocumentSummary): NotificationChannel | undefined {
  for (const entry of entries) {
    const [hub] = targets(entry, "hub");
    const isChannel = entry.metadata?.capability === "change-notification";
    if (isChannel && hub !== undefined)
      return { topic: targets(entry, "self")[0] ?? entry.loc, hub };
  }
  return undefined;
}
