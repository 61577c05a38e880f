import { urlKey } from "@rs-emit/documents";
import { comparable } from "@rs-emit/feeds";
import { compareVersions } from "../model/resources.ts";
import { copiesOfStayingPages } from "../news/copies.ts";
import { echoPages } from "../news/echo-pages.ts";
import { judgeUpdates, type NewsVerdict, type SiteBefore } from "../news/judge.ts";
import { MovedTexts } from "../news/moved-texts.ts";
import { asksOf, headedTitle, type JudgedChange } from "../news/page-change.ts";
import type { Settings } from "../options/settings.ts";
import { hasNewNote } from "./author-notes.ts";
import type { Difference } from "./difference.ts";
import { editedMoves, fileNameOf, type Moves, movablePage, movesOf } from "./moves.ts";

export type NewsRules = Pick<Settings, "news" | "minor" | "note">;

export interface PublicationNews {
  readonly differences: readonly Difference[];
  readonly moves: Moves;
}

/**
 * The only judge: for continuations, builds of the past and versions in git.
 * @param differences everything that one publication changes
 */
export function newsOf(
  differences: readonly Difference[],
  site: SiteBefore,
  rules: NewsRules,
): PublicationNews {
  const pages = new Map(differences.map((one) => [one, changedPage(one)]));
  const texts = new MovedTexts([...pages.values()], site);
  const { moves, edited } = movesIn(pages, texts, site);
  for (const { url, halfMove, resource = {} } of differences) {
    if (halfMove === undefined || moves.has(urlKey(url))) continue;
    moves.set(urlKey(url), halfMove.url);
    const isEdited = halfMove.entry && compareVersions(halfMove.entry, resource) === "full";
    if (isEdited) edited.add(urlKey(url));
  }
  const before = new Map(differences.map(({ url, before }) => [urlKey(url), before]));
  for (const [one, page] of pages) {
    const from = moves.get(urlKey(one.url));
    if (one.kind !== "created" || from === undefined || !edited.has(urlKey(one.url))) continue;
    pages.set(one, {
      ...page,
      isMoved: true,
      before: before.get(urlKey(from)),
      asks: asksOf(true, one.resource, one.resource?.authorMinor),
    });
  }
  const unmoved = [...pages.values()].filter(({ url }) => !moves.has(urlKey(url)));
  const copies = copiesOfStayingPages(unmoved, site);
  const own = unmoved.filter((page) => !copies.has(page));
  const echoes = new Set([...copies.keys(), ...echoPages(own, site)]);
  for (const [{ url, now }, place] of copies) {
    // Its readers find the same there: it was copied before it was deleted.
    if (now === undefined) moves.set(urlKey(url), place);
  }
  const verdicts = judgeUpdates(
    [...pages.values()].filter((page) => !echoes.has(page)),
    site,
  );
  const judged = differences.map((one) => {
    const key = urlKey(one.url);
    const page = pages.get(one);
    const verdict = page && verdicts.get(page);
    if (page?.now !== undefined && echoes.has(page)) {
      const isSaid = hasNewNote(one.resource, one.before);
      const minor = one.minor || (one.resource?.authorMinor ?? !isSaid);
      return { ...one, minor, isContent: true };
    }
    const found = verdict === undefined ? one : { ...one, ...worth(one, verdict, rules) };
    return moves.has(key) ? { ...found, minor: false, isContent: edited.has(key) } : found;
  });
  return { differences: rules.note === undefined ? judged : withNote(judged, rules), moves };
}

/** Pages that moved, and those of them that were edited; by URL key. */
function movesIn(
  pages: ReadonlyMap<Difference, JudgedChange>,
  texts: MovedTexts,
  site: Pick<SiteBefore, "isCommon">,
) {
  const movable = [...pages].map(([one, page]) => {
    const { content, markup } = (one.kind === "deleted" ? one.before : one.resource) ?? {};
    return movablePage(one, one.leadsTo, [texts.likenessOf(page), content, markup]);
  });
  const moves = new Map(movesOf(movable));
  const known = new Set(
    movable.filter(({ url, minor }) => minor || moves.has(urlKey(url))).map(({ url }) => url),
  );
  const mayBeSame = (one: JudgedChange, other: JudgedChange) => haveSameName(one, other, site);
  for (const [from, to] of texts.edited(({ url }) => !known.has(url), mayBeSame)) {
    moves.set(urlKey(from.url), to.url);
    moves.set(urlKey(to.url), from.url);
  }
  return { moves, edited: new Set(editedMoves(movable, moves)) };
}

/** Equal file names, or equal titles. A title that many pages have counts only with the first heading. */
function haveSameName(
  one: JudgedChange,
  other: JudgedChange,
  { isCommon }: Pick<SiteBefore, "isCommon">,
): boolean {
  const name = fileNameOf(one.url);
  if (name !== "" && name === fileNameOf(other.url)) return true;
  const title = one.before?.title ?? "";
  if (title === "" || comparable(title) !== comparable(other.now?.title ?? "")) return false;
  return !isCommon(title) || headedTitle(one.before) === headedTitle(other.now);
}

/** The author's words for a publication need a change to carry them, where nothing else is news. */
function withNote(judged: readonly Difference[], { minor }: NewsRules): readonly Difference[] {
  if (minor || judged.some((one) => !one.minor)) return judged;
  return judged.map((one) => {
    const isReportedNow = one.isContent === true && one.resource?.authorMinor !== true;
    return isReportedNow ? { ...one, minor: false } : one;
  });
}

type Worth = Pick<Difference, "minor" | "isContent" | "quotes" | "isReplaced">;

function worth(
  { resource, before }: Difference,
  verdict: NewsVerdict,
  { news, minor }: NewsRules,
): Worth {
  const isContent = verdict.kind !== "chrome";
  const isWanted = news === "content" || hasNewNote(resource, before);
  const isNews = verdict.kind === "news" || (isWanted && isContent);
  const isReported = resource?.authorMinor === undefined ? isNews && !minor : !resource.authorMinor;
  if (!isReported || verdict.kind !== "news") return { minor: !isReported, isContent };
  const { quotes, isReplaced } = verdict;
  return { minor: false, isContent, quotes, isReplaced };
}

function changedPage({ url, collection, kind, minor, before, resource }: Difference): JudgedChange {
  const isUpdate = kind === "updated" && !minor;
  return {
    url,
    collection,
    before: kind === "created" ? undefined : before,
    now: resource,
    asks: asksOf(isUpdate, resource, resource?.authorMinor),
    statements: resource?.statements,
    description: resource?.description,
  };
}
