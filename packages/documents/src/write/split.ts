import { createHash } from "node:crypto";
import { limitError, missingValueError } from "../errors.ts";
import { WRITE_LIMITS, type WriteLimits } from "../limits.ts";
import type { Documents, Entry, Metadata } from "../model.ts";
import type { WriteOptions } from "./checked-document.ts";
import { ListWriter } from "./list-writer.ts";

type ListKind = "resource-list" | "change-list" | "resource-dump" | "change-dump";

/** The head of a list that may be split behind an index. */
export type SplitHead = { [K in ListKind]: Omit<Documents[K], "entries"> }[ListKind];

export interface SplitPlace {
  /** For the caller's use, for example a file name. */
  readonly name: string;
  readonly url: string;
}

/** Names of a list and its parts. */
export interface Naming {
  /** The list, or its index if it was split: followers find either here. */
  readonly list: SplitPlace;
  part(number: number): SplitPlace;
}

export interface WrittenList extends SplitPlace {
  readonly role: "list" | "part" | "index";
  readonly chunks: readonly Uint8Array[];
  /** The document's digest, as in the `hash` attribute. */
  readonly hash: string;
  readonly length: number;
  readonly entries: number;
}

type Coverage = Pick<Metadata, "at" | "completed" | "from" | "until">;

/**
 * Writes a list as one document; beyond the limits, as parts and then their index. Holds one part at a time.
 * Parts of a change list leave no gap: each closes at the datetime of the next part's first change.
 * @param options limits of the list or each part; the index has the specification's limits
 * @throws {DocumentError} `LIMIT` where one entry alone exceeds the limits, `INVALID_VALUE` `MISSING_VALUE`
 */
export function* splitList(
  head: SplitHead,
  entries: Iterable<Entry>,
  naming: Naming,
  options: WriteOptions = {},
): Generator<WrittenList> {
  const links = [...head.links, { rel: "index", href: naming.list.url }];
  const index = new ListWriter({ ...head, root: "sitemapindex" }, indexOptions(options));
  const { at, completed, from, until }: Metadata = head.metadata;
  let coverage: Coverage = { at, completed, from, until };
  let writer = new ListWriter({ ...head, links }, options);
  for (const entry of entries) {
    if (writer.add(entry)) continue;
    const next = coverageFrom(coverage, entry);
    yield part(index, naming, writer, { ...coverage, until: next.from });
    coverage = next;
    writer = new ListWriter({ ...head, links }, options);
    if (!writer.add(entry)) refuse({ ...WRITE_LIMITS, ...options }, "An entry alone is larger.");
  }
  if (index.entries === 0) {
    const document = writer.finishInChunks({ links: head.links });
    yield written("list", naming.list, document, writer.entries);
  } else {
    yield part(index, naming, writer, coverage);
    yield written("index", naming.list, index.finishInChunks(), index.entries);
  }
}

function part(
  index: ListWriter,
  naming: Naming,
  writer: ListWriter,
  coverage: Coverage,
): WrittenList {
  const place = naming.part(index.entries + 1);
  const list = written("part", place, writer.finishInChunks(coverage), writer.entries);
  const metadata = { ...coverage, hash: list.hash, length: String(list.length) };
  if (!index.add({ loc: place.url, metadata })) refuse(WRITE_LIMITS, "The index would be larger.");
  return list;
}

function written(
  role: WrittenList["role"],
  place: SplitPlace,
  chunks: readonly Uint8Array[],
  entries: number,
): WrittenList {
  const digest = createHash("sha256");
  let length = 0;
  for (const chunk of chunks) {
    digest.update(chunk);
    length += chunk.length;
  }
  return { ...place, role, chunks, hash: `sha-256:${digest.digest("hex")}`, length, entries };
}

/** The next part has the same snapshot, or the changes from its first one on. */
function coverageFrom(before: Coverage, { loc, metadata }: Entry): Coverage {
  if (before.from === undefined) return before;
  const from = metadata?.datetime ?? metadata?.from;
  if (from === undefined) {
    throw missingValueError("datetime", loc, "a list split there is closed at that time");
  }
  return { ...before, from };
}

/** Even with small parts, the index may be as large as the specification allows. */
function indexOptions({ prefixes }: WriteOptions): WriteOptions {
  return { prefixes };
}

function refuse({ bytes }: WriteLimits, why: string): never {
  throw limitError("bytes", bytes, why);
}
