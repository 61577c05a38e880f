import type { ChangeKind } from "@rs-emit/documents";
import type { CollectionReading, ListedChange, Reading, RememberedDocument } from "@rs-emit/reader";

export const SITE = "https://example.org/";

/** Lists by their names, each with changes in a few signs: `created a/ 10`, with a hash `updated a/ 20 #1`. */
export type Lists = Readonly<Record<string, readonly string[]>>;

/** What a reading of a site with one collection may be besides its lists. */
export interface More extends Partial<CollectionReading> {
  /** Names of lists that are closed. */
  readonly closed?: readonly string[];
  /** Names of lists with changes that are dated beyond tomorrow, and are left out. */
  readonly partial?: readonly string[];
  /** Names of lists that are named and were not read. */
  readonly unread?: readonly string[];
  readonly movedTo?: string;
}

/** The reading of a site with one collection. */
export function readingOf(
  lists: Lists,
  { closed = [], partial = [], unread = [], movedTo, ...more }: More = {},
): Reading {
  const names = Object.keys(lists);
  const documents = names.map(
    (name): RememberedDocument => ({
      url: SITE + name,
      validators: { etag: '"1"' },
      hash: "00",
      summary: undefined,
      isClosed: closed.includes(name),
    }),
  );
  const collection: CollectionReading = {
    key: "",
    url: SITE,
    capabilityListUrl: `${SITE}capabilitylist.xml`,
    describedBy: [],
    notification: undefined,
    lists: names.map((name) => ({
      url: SITE + name,
      changes: (lists[name] ?? []).map(statedChange),
      isPartial: partial.includes(name),
    })),
    listUrls: [...names, ...unread].map((name) => SITE + name),
    unreadLists: 0,
    ignored: {},
    ...more,
  };
  return {
    descriptionUrl: `${SITE}.well-known/resourcesync`,
    movedTo,
    describedBy: [],
    collections: [collection],
    documents,
  };
}

/** A change in a few signs. */
export function statedChange(text: string): ListedChange {
  const [kind = "", page = "", datetime = "", hash] = text.split(" ");
  if (!isKind(kind)) throw new Error(`no kind of change: ${text}`);
  return {
    url: SITE + page,
    kind,
    datetime: Number(datetime),
    isMinor: false,
    ...(hash === undefined ? {} : { hash: hash.replace("#", "sha-256:") }),
  };
}

function isKind(text: string): text is ChangeKind {
  return text === "created" || text === "updated" || text === "deleted";
}
