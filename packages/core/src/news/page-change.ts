import { comparable } from "@rs-emit/feeds";
import { memoryIn, PageMemory, type ReadableMemory } from "../model/page-memory.ts";
import type { Resource } from "../model/resources.ts";
import type { Mark, Statement } from "../model/statement.ts";
import type { ChromeTest } from "./page-chrome.ts";

export interface PageState {
  readonly title?: string | undefined;
  /** The first is the title too where the page has no other. */
  readonly headings?: readonly string[] | undefined;
  readonly blocks?: PageMemory | undefined;
  readonly content?: string | undefined;
}

/** With the first heading: every page of a site may have one title. Empty for a page without title. */
export function headedTitle({ title, headings = [] }: PageState = {}): string {
  return title ? [title, headings[0] ?? ""].map(comparable).join("\n") : "";
}

/** A page before and after a publication. */
export interface PageStates {
  readonly url: string;
  readonly collection: string;
  readonly before: PageState | undefined;
  readonly now: PageState | undefined;
}

export interface JudgedChange extends PageStates {
  /** For a page that changed outside of comments; see {@link asksOf}. */
  readonly asks: "news" | "chrome" | undefined;
  /** A new page's statements are all new. `undefined` if the page was not read: it is a copy of another. */
  readonly statements?: readonly Statement[] | undefined;
  readonly description?: string | undefined;
  /** It was at another address before, and was edited. */
  readonly isMoved?: true;
}

/** The shortest address first: of pages that say the same, it is the best known. */
export function byAddress({ url }: JudgedChange, other: JudgedChange): number {
  return url.length - other.url.length || (url < other.url ? -1 : 1);
}

/** If the author calls it minor, or it is unreadable, only its page chrome is in question. */
export function asksOf(
  isUpdate: boolean,
  { undecoded }: Pick<Resource, "undecoded"> = {},
  isMinor = false,
): JudgedChange["asks"] {
  if (!isUpdate) return undefined;
  return isMinor || undecoded?.isUnreadable ? "chrome" : "news";
}

export interface PageChange {
  readonly page: JudgedChange;
  readonly old: ReadableMemory;
  readonly now: ReadableMemory;
  readonly added: ReadonlySet<number>;
  readonly gone: ReadonlySet<number>;
}

const NOTHING = PageMemory.of([], "");

/**
 * Where another version of rs-emit remembered the page, none of its texts is new, or else a site would be told
 * whole after an update: only its title may be.
 * @returns `undefined` where a version is not remembered, or under another content rule
 */
export function pageChangeOf(page: JudgedChange): PageChange | undefined {
  const [old, now] = [memoryIn(page.before?.blocks), memoryIn(page.now?.blocks)];
  if (now !== undefined && page.before?.blocks?.isOfAnotherVersion) {
    return { page, old: NOTHING, now, added: new Set(), gone: new Set() };
  }
  if (old === undefined || old.scheme !== now?.scheme) return undefined;
  const [had, has] = [old.keys(), now.keys()];
  return { page, old, now, added: lacking(has, had), gone: lacking(had, has) };
}

/** Few places differ, and a set of all keys for each page would take longer than searching for those. */
function lacking(keys: Float64Array, other: Float64Array): ReadonlySet<number> {
  const [more, less] = [keys.length, other.length];
  return new Set(
    keys.filter((key, at) => {
      const isInPlace = key === other[at] || key === other[at + less - more];
      return !isInPlace && !other.includes(key);
    }),
  );
}

/** The marks of what is gone from a page, page chrome included, without repeats. */
export function goneMarks({ old, gone }: PageChange): readonly Mark[] {
  const marks = new Map<number, Mark>();
  if (gone.size === 0) return [];
  const markAt = old.marks();
  for (const [place, key] of old.keys().entries()) {
    if (gone.has(key)) marks.set(key, markAt(place));
  }
  return [...marks.values()];
}

/** What replaces something that is gone: it has the same neighbours. */
export function replacements(
  { old, now, added, gone }: PageChange,
  chrome: ChromeTest,
): ReadonlySet<number> {
  const own = (keys: Float64Array) => keys.filter((key) => chrome(key) === undefined);
  const [before, after] = [own(old.keys()), own(now.keys())];
  const goneBehind = new Set<number | undefined>();
  const goneBefore = new Set<number | undefined>();
  for (const [at, key] of before.entries()) {
    if (!gone.has(key)) continue;
    const [left, right] = [before[at - 1], before[at + 1]];
    if (left === undefined || !gone.has(left)) goneBehind.add(left);
    if (right === undefined || !gone.has(right)) goneBefore.add(right);
  }
  const replaced = new Set<number>();
  for (let from = 0; from < after.length; from++) {
    let end = from;
    while (end < after.length && added.has(after[end] ?? 0)) end += 1;
    if (end === from) continue;
    if (goneBehind.has(after[from - 1]) || goneBefore.has(after[end])) {
      for (const key of after.slice(from, end)) replaced.add(key);
    }
    from = end;
  }
  return replaced;
}
