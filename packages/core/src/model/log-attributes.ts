/**
 * Attributes of rs-emit's namespace: what it must remember and no vocabulary has. `docs/format.md` lists
 * their forms, meanings, and promises to other versions.
 */
import { createHash } from "node:crypto";
import {
  type ChangeEntry,
  DCTERMS,
  EMIT,
  type Entry,
  foreignValue,
  formatDatetime,
  isChangeKind,
  type Metadata,
  parseDatetime,
  replaceIllegalCharacters,
  WIKI,
} from "@rs-emit/documents";
import { attributeToQuotes, quotesToAttribute } from "@rs-emit/feeds";
import { hashAttribute, sha256In } from "./digest.ts";
import type { Change } from "./log.ts";
import { PageMemory } from "./page-memory.ts";
import type { ChangeTime, Representation, SnapshotEntry } from "./resources.ts";
import { relativeLink } from "./url.ts";

/** An unclosed `title` may contain a whole page, and readers refuse such titles. */
const LONGEST_WORDS = 1000;

export function changeToEntry(change: Change): ChangeEntry {
  return {
    loc: change.url,
    lastmod: formatDatetime(change.lastmod),
    metadata: {
      ...toMetadata(change, [
        [WIKI, "importance", change.minor && "minor"],
        [
          EMIT,
          "changed",
          change.changed === undefined ? undefined : formatDatetime(change.changed),
        ],
        [DCTERMS, "description", shortened(change.message)],
        [EMIT, "moved", change.moved && movedToAttribute(change.moved, change.url)],
        [EMIT, "name", shortened(change.name)],
        [EMIT, "quotes", change.quotes && quotesToAttribute(change.quotes)],
      ]),
      change: change.kind,
      datetime: formatDatetime(change.datetime),
    },
    links: change.links,
  };
}

/** @returns `undefined` when the entry lacks what a change needs */
export function entryToChange({ loc, lastmod, metadata, links }: Entry): Change | undefined {
  const kind = metadata?.change;
  if (metadata?.datetime === undefined || !isChangeKind(kind)) return undefined;
  const datetime = parseDatetime(metadata.datetime).seconds;
  return {
    url: loc,
    kind,
    datetime,
    lastmod: lastmod === undefined ? datetime : parseDatetime(lastmod).seconds,
    ...fromMetadata(metadata),
    links,
    ...(foreignValue(metadata, WIKI, "importance") === "minor" ? { minor: true } : {}),
    ...changedFrom(foreignValue(metadata, EMIT, "changed")),
    message: foreignValue(metadata, DCTERMS, "description"),
    moved: attributeToMoved(foreignValue(metadata, EMIT, "moved"), loc),
    name: foreignValue(metadata, EMIT, "name"),
    quotes: attributeToQuotes(foreignValue(metadata, EMIT, "quotes")),
  };
}

/** A change as a later run reads it back. */
export function asLogged(change: Change): Change {
  const [title, message, name] = [change.title, change.message, change.name].map(asWritten);
  return { ...change, title, message, name };
}

export function snapshotToEntry(entry: SnapshotEntry): Entry {
  const { url, lastmod } = entry;
  return {
    loc: url,
    lastmod: lastmod === undefined ? undefined : formatDatetime(lastmod),
    metadata: toMetadata(entry, [
      [EMIT, "changed", changedToAttribute(entry.changed)],
      [EMIT, "engines", entry.engines],
      [EMIT, "blocks", entry.blocks?.toAttribute()],
      [EMIT, "headings", entry.headings?.join("\n") || undefined],
      [EMIT, "original", entry.original === entry.hash ? undefined : entry.original],
    ]),
    links: entry.links,
  };
}

export function entryToSnapshot({ loc, lastmod, metadata = {}, links }: Entry): SnapshotEntry {
  return {
    url: loc,
    ...fromMetadata(metadata),
    links,
    lastmod: lastmod === undefined ? undefined : parseDatetime(lastmod).seconds,
    blocks: PageMemory.parse(foreignValue(metadata, EMIT, "blocks")),
    engines: foreignValue(metadata, EMIT, "engines"),
    headings: foreignValue(metadata, EMIT, "headings")?.split("\n"),
    original: foreignValue(metadata, EMIT, "original"),
    changed: attributeToChanged(foreignValue(metadata, EMIT, "changed")),
  };
}

function changedFrom(attribute: string | undefined): Pick<Change, "changed"> {
  return attribute === undefined ? {} : { changed: parseDatetime(attribute).seconds };
}

function changedToAttribute(changed: ChangeTime | undefined): string | undefined {
  return changed === "unknown" ? "" : changed === undefined ? undefined : formatDatetime(changed);
}

function attributeToChanged(attribute: string | undefined): ChangeTime | undefined {
  if (attribute === undefined) return undefined;
  return attribute === "" ? "unknown" : parseDatetime(attribute).seconds;
}

/** The attribute is relative, so that it stays valid when the site moves. */
export function movedToAttribute(moved: string, loc: string): string {
  return relativeLink(new URL(loc), new URL(moved));
}

export function attributeToMoved(reference: string | undefined, loc: string): string | undefined {
  if (reference === undefined || !URL.canParse(reference, loc)) return undefined;
  return new URL(reference, loc).href;
}

type EntryAttribute = readonly [namespace: string, name: string, value: string | undefined];

function toMetadata(of: Representation, others: readonly EntryAttribute[] = []): Metadata {
  const attributes: readonly EntryAttribute[] = [
    [DCTERMS, "title", shortened(of.title)],
    [EMIT, "content", of.content],
    [EMIT, "markup", of.markup],
    [EMIT, "note", of.noteDigest],
    ...others,
  ];
  return {
    hash: of.hash === undefined ? undefined : hashAttribute(of.hash),
    length: of.length === undefined ? undefined : String(of.length),
    type: of.type,
    foreign: attributes.flatMap(([namespace, name, value]) =>
      value === undefined ? [] : { namespace, name, value },
    ),
  };
}

function fromMetadata(metadata: Metadata): Representation {
  return {
    hash: sha256In(metadata.hash),
    length: metadata.length === undefined ? undefined : Number(metadata.length),
    type: metadata.type,
    title: foreignValue(metadata, DCTERMS, "title"),
    content: foreignValue(metadata, EMIT, "content"),
    markup: foreignValue(metadata, EMIT, "markup"),
    noteDigest: foreignValue(metadata, EMIT, "note"),
  };
}

function shortened(words: string | undefined): string | undefined {
  if (words === undefined || words.length <= LONGEST_WORDS) return words;
  return `${words.slice(0, LONGEST_WORDS - 1)}…`;
}

export function asWritten(words: string | undefined): string | undefined {
  return words && replaceIllegalCharacters(shortened(words) ?? "");
}

export const CHANGE_LIST_PREFIXES = { dcterms: DCTERMS, wiki: WIKI, emit: EMIT } as const;
export const RESOURCE_LIST_PREFIXES = { dcterms: DCTERMS, emit: EMIT } as const;
export const INDEX_PREFIXES = { emit: EMIT } as const;

/** Raise it only where an older version must not continue, not for attributes that it may ignore. */
export const FORMAT = 1;

/** The first format has no attribute. */
export function formatToAttribute(format: number): string | undefined {
  return format === 1 ? undefined : String(format);
}

export function attributeToFormat(value = "1"): number | undefined {
  return /^[1-9]\d*$/.test(value) ? Number(value) : undefined;
}

export function noteDigest(note: string): string {
  return createHash("sha256").update(note).digest("hex").slice(0, 12);
}
