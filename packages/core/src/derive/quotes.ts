import { urlKey } from "@rs-emit/documents";
import type { Quote, Quotes } from "@rs-emit/feeds";
import { titleParts } from "@rs-emit/feeds";
import type { Excerpt } from "../model/excerpts.ts";
import { type Memory, memoryIn, textDigest } from "../model/memory.ts";
import type { Difference } from "./differences.ts";

const MOST_QUOTES = 3;

/** A block of tags alone, such as a line at the page's end. */
const NO_TEXT = textDigest("");

/** What is new, or gone, on more pages of one publication is their shell's. */
const FEW_PAGES = 3;

/** What each updated page of one publication says now; by URL key. */
export type PublicationQuotes = ReadonlyMap<string, Quotes>;

/** @param differences all of the publication, minor ones too */
export function quotesOf(differences: readonly Difference[]): PublicationQuotes {
  const asked = differences.filter(
    ({ kind, minor, resource }) => kind === "updated" && !minor && resource?.excerpts !== undefined,
  );
  if (asked.length === 0) return new Map();
  const publication = compareAll(differences);
  const quotes = new Map<string, Quotes>();
  for (const difference of asked) {
    const found = quotesOfPage(difference, publication);
    if (found !== undefined) quotes.set(urlKey(difference.url), found);
  }
  return quotes;
}

interface Comparison {
  /** On how many pages a text is new. */
  readonly newOn: ReadonlyMap<string, number>;
  /** From how many pages a text is gone. */
  readonly goneFrom: ReadonlyMap<string, number>;
  /** Texts that changed pages had. */
  readonly past: ReadonlySet<string>;
  /** In lower case: titles of created pages, and their parts. An entry tells its own page's. */
  readonly titles: ReadonlySet<string>;
}

function compareAll(differences: readonly Difference[]): Comparison {
  const newOn = new Map<string, number>();
  const goneFrom = new Map<string, number>();
  const past = new Set<string>();
  const titles = new Set<string>();
  for (const { kind, resource, before } of differences) {
    if (kind === "created") for (const part of titleParts(resource?.title ?? "")) titles.add(part);
    const [old, now] = [memoryIn(before?.blocks), memoryIn(resource?.blocks)];
    for (const text of old?.texts ?? []) past.add(text);
    if (kind === "updated" && old?.scheme !== now?.scheme) continue;
    for (const text of lacking(now, old)) newOn.set(text, (newOn.get(text) ?? 0) + 1);
    for (const text of lacking(old, now)) goneFrom.set(text, (goneFrom.get(text) ?? 0) + 1);
  }
  return { newOn, goneFrom, past, titles };
}

/** The texts of one that the other has not. */
function lacking(one: Memory | undefined, other: Memory | undefined): ReadonlySet<string> {
  const had = new Set(other?.texts).add(NO_TEXT);
  return new Set(one?.texts.filter((text) => !had.has(text)));
}

function quotesOfPage(
  { resource, before }: Difference,
  { newOn, goneFrom, past, titles }: Comparison,
): Quotes | undefined {
  const { kept = [], digests = [] } = resource?.excerpts ?? {};
  const isNews = (digest: string) => (newOn.get(digest) ?? 0) <= FEW_PAGES && !past.has(digest);
  const own = new Set(titleParts(resource?.title ?? ""));
  const isTitle = ({ text }: Excerpt) => [titles, own].some((all) => all.has(text.toLowerCase()));
  const told = new Set(kept.filter(isTitle).map(({ digest }) => digest));
  const news = digests.filter((digest) => isNews(digest) && !told.has(digest));
  const shown = shownOf(kept.filter((one) => isNews(one.digest) && !isTitle(one)));
  if (shown.length === 0) return undefined;
  const gone = lacking(memoryIn(before?.blocks), memoryIn(resource?.blocks));
  const counted = shown.reduce((sum, { pictures = 1 }) => sum + pictures, 0);
  return {
    isAddition: [...gone].every((text) => (goneFrom.get(text) ?? 0) > FEW_PAGES),
    shown,
    more: Math.max(0, news.length - counted),
  };
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
    .map((one) =>
      one === first
        ? { digest: one.digest, text: "", pictures: pictures.length }
        : { digest: one.digest, text: one.text, place: one.place },
    );
}
