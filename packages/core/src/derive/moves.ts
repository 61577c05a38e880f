import { groupBy, urlKey } from "@rs-emit/documents";
import type { Change } from "../model/log.ts";
import { placeKey } from "../model/redirects.ts";
import { ON_DEMAND, representationOf } from "../model/resources.ts";
import { composedKey } from "../model/url.ts";
import type { Difference } from "./difference.ts";
import type { Origins } from "./new-change.ts";

/** The page's other place, by its URL key: where it went, or where it came from. */
export type Moves = ReadonlyMap<string, string>;

/** A publication reports a moved page as one deleted and one new page. */
export interface MovablePage {
  readonly url: string;
  readonly kind: string;
  readonly minor?: boolean | undefined;
  /** The new place, according to the redirect that the page left. */
  readonly place: string | undefined;
  /** Identities of the content, before the deletion or now; the surest first. */
  readonly signs: readonly (string | undefined)[];
}

export function movablePage(
  { url, kind, minor }: Pick<MovablePage, "url" | "kind" | "minor">,
  leadsTo: string | undefined,
  signs: MovablePage["signs"],
): MovablePage {
  const isRedirected = kind === "deleted" && leadsTo !== undefined;
  const place = kind === "deleted" ? leadsTo : url;
  return { url, kind, minor: minor && !isRedirected, place: place && placeKey(place), signs };
}

export function editedMoves(pages: readonly MovablePage[], moves: Moves): ReadonlySet<string> {
  const byKey = new Map(pages.map((page) => [urlKey(page.url), page]));
  const edited = pages.filter(({ url, signs }) => {
    const moved = moves.get(urlKey(url));
    const other = moved === undefined ? undefined : byKey.get(urlKey(moved));
    return other && !signs.some((sign, at) => sign !== undefined && sign === other.signs[at]);
  });
  return new Set(edited.map(({ url }) => urlKey(url)));
}

/** Pairs a deleted page with a new page: by an unambiguous place or sign, else by an equal file name too. */
export function movesOf(pages: readonly MovablePage[]): Moves {
  const news = pages.filter(({ kind, minor }) => !minor && kind !== "updated");
  const moves = new Map<string, string>();
  const known = news.map((page) => ({ ...page, by: signsOf(page) }));
  const most = Math.max(0, ...known.map(({ by }) => by.length));
  for (let at = 0; at < most; at++) {
    const left = known.filter(({ url }) => !moves.has(urlKey(url)));
    for (const [sign, same] of groupBy(left, ({ by }) => by[at])) {
      if (sign === undefined || sign === ON_DEMAND) continue;
      const gone = same.filter(({ kind }) => kind === "deleted");
      const created = same.filter(({ kind }) => kind === "created");
      for (const [from, to] of pairs(gone, created)) {
        moves.set(urlKey(from.url), to.url);
        moves.set(urlKey(to.url), from.url);
      }
    }
  }
  return moves;
}

/** A redirect names the page's new place. Where names differ only in Unicode form, a file was respelled. */
function signsOf({ url, kind, place, signs }: MovablePage): MovablePage["signs"] {
  const isRedirect = kind === "deleted" && place !== undefined;
  return isRedirect ? [place] : [place, composedKey(url), ...signs];
}

type MovedPair = readonly [from: MovablePage, to: MovablePage];

function pairs(
  gone: readonly MovablePage[],
  created: readonly MovablePage[],
): readonly MovedPair[] {
  if (gone.length === 0 || created.length === 0) return [];
  const only = onlyPair(gone, created);
  if (only.length > 0) return only;
  const byName = groupBy(created, ({ url }) => fileNameOf(url));
  return [...groupBy(gone, ({ url }) => fileNameOf(url))].flatMap(([name, ofName]) =>
    onlyPair(ofName, byName.get(name) ?? []),
  );
}

function onlyPair(
  gone: readonly MovablePage[],
  created: readonly MovablePage[],
): readonly MovedPair[] {
  const [from, to] = [gone[0], created[0]];
  const isOne = gone.length === 1 && created.length === 1;
  return isOne && from !== undefined && to !== undefined ? [[from, to]] : [];
}

/** Without extension, case and the signs between words. */
export function fileNameOf(url: string): string {
  const { pathname } = new URL(url);
  const path = pathname.replace(/\/(?:index\.[a-z]+)?$/i, "").replace(/\.[a-z]+$/i, "");
  return path
    .slice(path.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/[-_.]+/g, "-");
}

/** By URL key: what was published elsewhere of pages that come from another collection. */
export function pagesMovedIn(differences: readonly Difference[]): Origins {
  return new Map(
    differences.flatMap(({ kind, url, from }) =>
      kind === "updated" && from !== undefined ? [[urlKey(url), from]] : [],
    ),
  );
}

/**
 * The page moves in unedited, and the edit is a separate update. Their times differ, since followers identify
 * a page's changes by time (ResourceSync 0.9.1, section 10.1).
 */
export function withMoveIn(change: Change, movedIn: Origins): Change[] {
  const from = movedIn.get(urlKey(change.url));
  if (from === undefined || change.kind !== "updated") return [change];
  const datetime = change.datetime - 1;
  const lastmod = Math.min(from.lastmod ?? datetime, datetime);
  const { url } = change;
  const moveIn = { url, kind: "created", datetime, lastmod, minor: true } as const;
  return [{ ...representationOf(from), ...moveIn }, change];
}
