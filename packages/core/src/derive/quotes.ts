import { urlKey } from "@rs-emit/documents";
import type { Quote, Quotes } from "@rs-emit/feeds";
import { titleParts } from "@rs-emit/feeds";
import { wordsIn } from "../inventory/words.ts";
import type { Excerpt, Excerpts } from "../model/excerpts.ts";
import {
  type BlockDigest,
  digestToAttribute,
  type Memory,
  memoryIn,
  textDigest,
} from "../model/memory.ts";
import type { Difference } from "./difference.ts";

const MOST_QUOTES = 3;

/** A block of tags and white space alone, as between two pictures or at the page's end. */
const NO_TEXT = textDigest("");

/** Of what is quoted where something is gone: shorter texts are mostly labels, edited. */
const MORE_WORDS_THAN = 3;

/** What is new, or gone, on more pages of one publication is their shell's. */
const FEW_PAGES = 3;

const NO_NEWS: Excerpts = { kept: [], digests: [] };

/** What each updated page of one publication says now; by URL key. */
export type PublicationQuotes = ReadonlyMap<string, Quotes>;

/**
 * A text that is new on several pages is quoted of the last one by its URL: a folder's own page often
 * repeats what its pages say.
 * @param differences all of the publication, minor ones too
 */
export function quotesOf(differences: readonly Difference[]): PublicationQuotes {
  const asked = differences
    .filter(
      ({ kind, minor, resource }) =>
        kind === "updated" && !minor && resource?.excerpts !== undefined,
    )
    .map((difference) => ({ difference, key: urlKey(difference.url) }))
    .sort((one, other) => (one.key < other.key ? 1 : -1));
  if (asked.length === 0) return new Map();
  const publication = compareAll(differences);
  const told = new Set(publication.created);
  const quotes = new Map<string, Quotes>();
  for (const { difference, key } of asked) {
    const change = blockChangeOf(difference);
    const news = newsOf(difference, change, publication, told);
    const shown = shownOf(news.kept);
    if (shown.length === 0) continue;
    const counted = shown.reduce((sum, { pictures = 1 }) => sum + pictures, 0);
    quotes.set(key, {
      isAddition: isAddition(change, publication),
      shown,
      more: Math.max(0, news.digests.length - counted),
    });
    for (const digest of news.digests) told.add(digest);
  }
  return quotes;
}

interface Comparison {
  /** On how many pages a text is new. */
  readonly newOn: ReadonlyMap<BlockDigest, number>;
  /** From how many pages a text is gone. */
  readonly goneFrom: ReadonlyMap<BlockDigest, number>;
  /** Texts that changed pages had. */
  readonly past: ReadonlySet<BlockDigest>;
  /** Texts of created pages, which their own entries announce. */
  readonly created: ReadonlySet<BlockDigest>;
  /** In lower case: titles of created pages, and their parts. An entry tells its own page's. */
  readonly titles: ReadonlySet<string>;
}

function compareAll(differences: readonly Difference[]): Comparison {
  const newOn = new Map<BlockDigest, number>();
  const goneFrom = new Map<BlockDigest, number>();
  const past = new Set<BlockDigest>();
  const created = new Set<BlockDigest>();
  const titles = new Set<string>();
  for (const { kind, resource, before } of differences) {
    // Another shell around the same texts moves none of them.
    if (before?.blocks !== undefined && before.blocks === resource?.blocks) continue;
    const { old, now, added, gone } = blockChangeOf({ resource, before });
    if (kind === "created") {
      for (const part of titleParts(resource?.title ?? "")) titles.add(part);
      for (const text of now?.texts ?? []) created.add(text);
    }
    for (const text of old?.texts ?? []) past.add(text);
    if (kind === "updated" && old?.scheme !== now?.scheme) continue;
    for (const text of added) newOn.set(text, (newOn.get(text) ?? 0) + 1);
    for (const text of gone) goneFrom.set(text, (goneFrom.get(text) ?? 0) + 1);
  }
  return { newOn, goneFrom, past, created, titles };
}

/** The texts of one that the other has not. */
function lacking(one: Memory | undefined, other: Memory | undefined): ReadonlySet<BlockDigest> {
  const had = new Set(other?.texts).add(NO_TEXT);
  return new Set(one?.texts.filter((text) => !had.has(text)));
}

/** What is new and what is gone on a page. */
interface BlockChange {
  readonly old: Memory | undefined;
  readonly now: Memory | undefined;
  readonly added: ReadonlySet<BlockDigest>;
  readonly gone: ReadonlySet<BlockDigest>;
}

function blockChangeOf({ resource, before }: Pick<Difference, "resource" | "before">): BlockChange {
  const [old, now] = [memoryIn(before?.blocks), memoryIn(resource?.blocks)];
  return { old, now, added: lacking(now, old), gone: lacking(old, now) };
}

function newsOf(
  { resource }: Difference,
  change: BlockChange,
  publication: Comparison,
  told: ReadonlySet<BlockDigest>,
): Excerpts {
  const { newOn, past, titles } = publication;
  const { kept = [], digests = [] } = resource?.excerpts ?? {};
  if (isRebuilt(change)) return NO_NEWS;
  const edits = editsIn(change, new Set(digests));
  const own = new Set(titleParts(resource?.title ?? ""));
  const isTitle = ({ text }: Excerpt) => {
    const line = text.toLowerCase();
    if (own.has(line) || titles.has(line)) return true;
    return endsOf(line).some((part) => titles.has(part) && !own.has(part));
  };
  const isEdit = ({ text }: Excerpt) => text !== "" && wordsIn(text) <= MORE_WORDS_THAN;
  const isGrown = isAddition(change, publication);
  const isNoNews = (one: Excerpt) => isTitle(one) || (!isGrown && isEdit(one));
  const dull = new Set(kept.filter(isNoNews).map(({ digest }) => digest));
  const isNews = (digest: BlockDigest) =>
    (newOn.get(digest) ?? 0) <= FEW_PAGES &&
    [past, told, edits, dull].every((known) => !known.has(digest));
  const news = kept.filter(({ digest }) => isNews(digest));
  const ornament = ornamentOf(news);
  return {
    kept: news.filter((one) => one !== ornament),
    digests: digests.filter((digest) => isNews(digest) && digest !== ornament?.digest),
  };
}

/** One picture without words is an ornament or a button more often than news; several are a gallery's. */
function ornamentOf(news: readonly Excerpt[]): Excerpt | undefined {
  const pictures = news.filter(({ text }) => text === "");
  return pictures.length === 1 ? pictures[0] : undefined;
}

/** More is gone than stands there now: mostly the same words in another form, and labels. */
function isRebuilt({ now, gone }: BlockChange): boolean {
  return gone.size > lacking(now, undefined).size;
}

/** The words that a text begins or ends with, two and more: lists write dates and the like beside titles. */
function endsOf(text: string): string[] {
  const words = text.split(" ");
  return words
    .flatMap((_, at) => [words.slice(0, at).join(" "), words.slice(at).join(" ")])
    .filter((end) => wordsIn(end) > 1);
}

/**
 * Texts of a page that took the place of half as many others or more: most are the same words, edited.
 * @param quotable those that are no edits of dates, labels and the like
 */
function editsIn(
  { old, now, added, gone }: BlockChange,
  quotable: ReadonlySet<BlockDigest>,
): ReadonlySet<BlockDigest> {
  const goneAt = new Map<string, number>();
  for (const { place, texts } of runsOf(gone, old)) {
    goneAt.set(place, Math.max(goneAt.get(place) ?? 0, texts.length));
  }
  const edits = runsOf(added, now).filter(({ place, texts }) => {
    const news = texts.filter((text) => quotable.has(text)).length;
    const others = texts.length - news;
    return news <= 2 * ((goneAt.get(place) ?? 0) - others);
  });
  return new Set(edits.flatMap(({ texts }) => texts));
}

interface Run {
  readonly texts: readonly BlockDigest[];
  /** Its neighbours. */
  readonly place: string;
}

/** Neighbouring texts of a page. */
function runsOf(chosen: ReadonlySet<BlockDigest>, memory: Memory | undefined): Run[] {
  const texts = memory?.texts.filter((text) => text !== NO_TEXT) ?? [];
  const isChosen = (text?: BlockDigest) => text !== undefined && chosen.has(text);
  const runs: Run[] = [];
  for (let from = 0; from < texts.length; from++) {
    let end = from;
    while (isChosen(texts[end])) end += 1;
    if (end === from) continue;
    const run = texts.slice(from, end);
    runs.push({ texts: run, place: `${texts[from - 1]} ${texts[end]}` });
    from = end;
  }
  return runs;
}

function isAddition({ gone }: BlockChange, { goneFrom }: Comparison): boolean {
  return [...gone].every((text) => (goneFrom.get(text) ?? 0) > FEW_PAGES);
}

/** Pictures without a description are one quote, which says how many they are. */
function shownOf(excerpts: readonly Excerpt[]): readonly Quote[] {
  const pictures = excerpts.filter(({ text }) => text === "");
  const [first] = pictures;
  const texts = new Set<string>();
  const isRepeated = ({ text }: Excerpt) => texts.has(text) || !texts.add(text);
  return excerpts
    .filter((one) => (one.text === "" ? one === first : !isRepeated(one)))
    .slice(0, MOST_QUOTES)
    .map((one) => {
      const digest = digestToAttribute(one.digest);
      return one === first
        ? { digest, text: "", pictures: pictures.length }
        : { digest, text: one.text, place: one.place };
    });
}
