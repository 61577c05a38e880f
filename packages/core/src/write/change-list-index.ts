import { EMIT, type Entry, formatDatetime, writeBounded } from "@rs-emit/documents";
import { hashAttribute } from "../model/digest.ts";
import { CAPABILITY_LIST, GENERATOR } from "../model/layout.ts";
import type { ChangeListReference } from "../model/types.ts";
import { INDEX_PREFIXES } from "../model/vocabulary.ts";
import { publicationAttributes } from "./head.ts";

/** What a Change List Index says besides its lists. */
export interface IndexFacts {
  /** The collection's URL. */
  readonly collection: string;
  readonly publication: number;
  readonly previous: number | undefined;
  /** The URL that ids in the collection's feed are made from. */
  readonly id: string;
  /** SHA-256 of the Resource List that belongs to it, in hex. */
  readonly snapshot: string;
}

/** The Change List Index of a collection (ResourceSync 1.1, section 12.2). */
export function composeIndex(
  lists: readonly ChangeListReference[],
  { collection, publication, previous, id, snapshot }: IndexFacts,
): Promise<string> {
  const from = lists[0]?.from ?? publication;
  return writeBounded(
    {
      root: "sitemapindex",
      comments: [GENERATOR],
      metadata: {
        capability: "changelist",
        from: formatDatetime(from),
        foreign: [
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
      ...(list.until === undefined ? {} : { until: formatDatetime(list.until) }),
      hash: hashAttribute(list.hash),
      length: String(list.length),
    },
  };
}
