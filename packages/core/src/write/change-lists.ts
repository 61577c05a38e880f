import { readFileSync } from "node:fs";
import {
  type Documents,
  EMIT,
  type Entry,
  type ForeignAttribute,
  foreignValue,
  formatDatetime,
  ListWriter,
  parseDatetime,
  readDocumentSync,
  type WriteLimits,
  writeBounded,
} from "@rs-emit/documents";
import { digestBytes, hashAttribute } from "../model/digest.ts";
import { ADOPTED_LIST, CAPABILITY_LIST, CHANGE_LIST_INDEX, GENERATOR } from "../model/layout.ts";
import type { ChangeListReference } from "../model/log.ts";
import {
  attributeToMoved,
  CHANGE_LIST_PREFIXES,
  entryToChange,
  FORMAT,
  formatToAttribute,
  INDEX_PREFIXES,
  movedToAttribute,
} from "../model/log-attributes.ts";
import type { ImportedLog } from "../model/publication.ts";
import { type Addresses, presentUrl } from "../model/site-address.ts";

/** ResourceSync 1.1, section 12.1; open without `until`. */
export function changeListHead(
  collection: string,
  from: number,
  publication: number,
): Omit<Documents["change-list"], "entries"> {
  return {
    root: "urlset",
    comments: [GENERATOR],
    metadata: {
      capability: "changelist",
      from: formatDatetime(from),
      foreign: publicationAttributes(publication),
    },
    links: [
      { rel: "up", href: collection + CAPABILITY_LIST },
      { rel: "index", href: collection + CHANGE_LIST_INDEX },
    ],
  };
}

export function publicationAttributes(publication: number, previous?: number): ForeignAttribute[] {
  const attributes = [{ namespace: EMIT, name: "publication", value: formatDatetime(publication) }];
  if (previous !== undefined) {
    attributes.push({ namespace: EMIT, name: "previous", value: formatDatetime(previous) });
  }
  return attributes;
}

/** The Change List has entries that rs-emit did not write. */
const IMPORTED = [{ namespace: EMIT, name: "adopted", value: "true" }] as const;

interface IndexFacts {
  readonly collection: string;
  readonly publication: number;
  readonly previous: number | undefined;
  readonly id: string;
  readonly snapshot: string;
}

/** ResourceSync 1.1, section 12.2. */
export function composeIndex(
  lists: readonly ChangeListReference[],
  { collection, publication, previous, id, snapshot }: IndexFacts,
): string {
  const from = lists[0]?.from ?? publication;
  const format = formatToAttribute(FORMAT);
  return writeBounded(
    {
      root: "sitemapindex",
      comments: [GENERATOR],
      metadata: {
        capability: "changelist",
        from: formatDatetime(from),
        foreign: [
          ...(format === undefined ? [] : [{ namespace: EMIT, name: "format", value: format }]),
          ...publicationAttributes(publication, previous),
          { namespace: EMIT, name: "id", value: id },
          { namespace: EMIT, name: "snapshot", value: snapshot },
        ],
      },
      links: [{ rel: "up", href: collection + CAPABILITY_LIST }],
      entries: lists.map((list) => indexEntry(collection, list)),
    },
    { prefixes: INDEX_PREFIXES },
  );
}

function indexEntry(collection: string, list: ChangeListReference): Entry {
  return {
    loc: collection + list.name,
    metadata: {
      from: formatDatetime(list.from),
      until: list.until === undefined ? undefined : formatDatetime(list.until),
      hash: hashAttribute(list.hash),
      length: String(list.length),
    },
  };
}

/** A longer base URL may make a list longer than its original limits; it keeps its entries. */
const NO_LIMITS: WriteLimits = {
  entries: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
};

/** Rewrites the addresses of a site that has moved, and nothing else. */
export function moveList(file: string, collection: string, addresses: Addresses): Uint8Array {
  const { metadata, entries } = readDocumentSync(readFileSync(file));
  const publication = seconds(foreignValue(metadata, EMIT, "publication") ?? metadata.from);
  const head = changeListHead(collection, seconds(metadata.from), publication);
  const writer = new ListWriter(head, { ...NO_LIMITS, prefixes: CHANGE_LIST_PREFIXES });
  for (const entry of entries) writer.add(moveEntry(entry, addresses));
  if (metadata.until === undefined) return writer.finish({});
  const imported = foreignValue(metadata, EMIT, "adopted");
  const foreign = [
    ...publicationAttributes(publication),
    ...(imported === undefined ? [] : IMPORTED),
  ];
  return writer.finish({ until: metadata.until, foreign });
}

function moveEntry(entry: Entry, addresses: Addresses): Entry {
  const { metadata } = entry;
  const { base, site } = addresses;
  // A move that was cut short has rewritten some lists.
  const loc = entry.loc.startsWith(base) ? site + entry.loc.slice(base.length) : entry.loc;
  if (metadata?.foreign === undefined) return { ...entry, loc };
  const foreign = metadata.foreign.flatMap((attribute) => {
    if (attribute.namespace !== EMIT || attribute.name !== "moved") return [attribute];
    const stated = attributeToMoved(attribute.value, loc);
    const moved = stated && presentUrl(stated, addresses);
    return moved === undefined ? [] : [{ ...attribute, value: movedToAttribute(moved, loc) }];
  });
  return { ...entry, loc, metadata: { ...metadata, foreign } };
}

function seconds(datetime: string | undefined): number {
  return datetime === undefined ? 0 : parseDatetime(datetime).seconds;
}

export interface ImportedList {
  readonly reference: ChangeListReference & { readonly until: number };
  readonly bytes: Uint8Array;
}

/** The lists are closed: nothing is ever appended to them. */
export function composeImported(
  { collection, entries, changes }: Pick<ImportedLog, "collection" | "entries" | "changes">,
  until: number,
  limits: Partial<WriteLimits>,
): readonly ImportedList[] {
  const lists: ImportedList[] = [];
  const queue = entries.values();
  let from = changes[0]?.datetime ?? until;
  let next = queue.next();
  while (!next.done) {
    const head = changeListHead(collection, from, until);
    const writer = new ListWriter(head, { ...limits, prefixes: CHANGE_LIST_PREFIXES });
    while (!next.done && writer.add(next.value)) next = queue.next();
    // One entry is far smaller than any limit.
    if (writer.entries === 0) throw new RangeError(`the limits leave no room in ${collection}`);
    const end: number = next.done ? until : (entryToChange(next.value)?.datetime ?? from);
    const foreign = [...publicationAttributes(end), ...IMPORTED];
    const bytes = writer.finish({ until: formatDatetime(end), foreign });
    const name = `${ADOPTED_LIST}${lists.length === 0 ? "" : `-${lists.length + 1}`}.xml`;
    lists.push({ reference: { name, from, until: end, ...digestBytes(bytes) }, bytes });
    from = end;
  }
  return lists;
}
