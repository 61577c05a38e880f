/** Changes and snapshot entries as they stand in documents, both ways. */

import {
  type ChangeEntry,
  type ChangeKind,
  DCTERMS,
  EMIT,
  type Entry,
  type ForeignAttribute,
  foreignValue,
  formatDatetime,
  type Metadata,
  parseDatetime,
  replaceIllegalCharacters,
  WIKI,
} from "@rs-emit/documents";
import { hashAttribute, sha256In } from "./digest.ts";
import type { Change } from "./log.ts";
import type { Representation, SnapshotEntry } from "./resources.ts";

/** An unclosed `title` may be a whole page, and a reader refuses what is too long to be a title. */
const LONGEST_WORDS = 1000;

/** A change as an entry of a Change List. */
export function changeToEntry(change: Change): ChangeEntry {
  const foreign = titleAndIdentities(change);
  if (change.minor) foreign.push({ namespace: WIKI, name: "importance", value: "minor" });
  if (change.message !== undefined) {
    foreign.push({ namespace: DCTERMS, name: "description", value: shortened(change.message) });
  }
  return {
    loc: change.url,
    lastmod: formatDatetime(change.lastmod),
    metadata: {
      ...representation(change),
      change: change.kind,
      datetime: formatDatetime(change.datetime),
      ...(foreign.length === 0 ? {} : { foreign }),
    },
  };
}

/** An entry of one of our Change Lists as a change; `undefined` when it says too little. */
export function entryToChange({ loc, lastmod, metadata }: Entry): Change | undefined {
  const kind = changeKind(metadata?.change);
  if (metadata?.datetime === undefined || kind === undefined) return undefined;
  const datetime = parseDatetime(metadata.datetime).seconds;
  const message = foreignValue(metadata, DCTERMS, "description");
  return {
    url: loc,
    kind,
    datetime,
    lastmod: lastmod === undefined ? datetime : parseDatetime(lastmod).seconds,
    ...known(metadata),
    ...(foreignValue(metadata, WIKI, "importance") === "minor" ? { minor: true } : {}),
    ...(message === undefined ? {} : { message }),
  };
}

/** A change as it is read back from the log that it is written into. */
export function asLogged(change: Change): Change {
  const { title, message } = change;
  return {
    ...change,
    ...(title === undefined ? {} : { title: replaceIllegalCharacters(shortened(title)) }),
    ...(message === undefined ? {} : { message: replaceIllegalCharacters(shortened(message)) }),
  };
}

/** A resource as an entry of a Resource List. */
export function snapshotToEntry(entry: SnapshotEntry): Entry {
  const foreign = titleAndIdentities(entry);
  return {
    loc: entry.url,
    ...(entry.lastmod === undefined ? {} : { lastmod: formatDatetime(entry.lastmod) }),
    metadata: { ...representation(entry), ...(foreign.length === 0 ? {} : { foreign }) },
  };
}

/** An entry of one of our Resource Lists as a resource. */
export function entryToSnapshot({ loc, lastmod, metadata }: Entry): SnapshotEntry {
  return {
    url: loc,
    ...known(metadata ?? {}),
    ...(lastmod === undefined ? {} : { lastmod: parseDatetime(lastmod).seconds }),
  };
}

function representation({ hash, length, type }: Partial<Representation>): Metadata {
  return {
    ...(hash === undefined ? {} : { hash: hashAttribute(hash) }),
    ...(length === undefined ? {} : { length: String(length) }),
    ...(type === undefined ? {} : { type }),
  };
}

function titleAndIdentities({
  title,
  content,
  markup,
}: Partial<Representation>): ForeignAttribute[] {
  const foreign: ForeignAttribute[] = [];
  if (title !== undefined) {
    foreign.push({ namespace: DCTERMS, name: "title", value: shortened(title) });
  }
  if (content !== undefined) foreign.push({ namespace: EMIT, name: "content", value: content });
  if (markup !== undefined) foreign.push({ namespace: EMIT, name: "markup", value: markup });
  return foreign;
}

function shortened(words: string): string {
  return words.length <= LONGEST_WORDS ? words : `${words.slice(0, LONGEST_WORDS - 1)}…`;
}

function known(metadata: Metadata): Partial<Representation> {
  const hash = sha256In(metadata.hash);
  const title = foreignValue(metadata, DCTERMS, "title");
  const content = foreignValue(metadata, EMIT, "content");
  const markup = foreignValue(metadata, EMIT, "markup");
  return {
    ...(hash === undefined ? {} : { hash }),
    ...(metadata.length === undefined ? {} : { length: Number(metadata.length) }),
    ...(metadata.type === undefined ? {} : { type: metadata.type }),
    ...(title === undefined ? {} : { title }),
    ...(content === undefined ? {} : { content }),
    ...(markup === undefined ? {} : { markup }),
  };
}

function changeKind(change: string | undefined): ChangeKind | undefined {
  return change === "created" || change === "updated" || change === "deleted" ? change : undefined;
}
