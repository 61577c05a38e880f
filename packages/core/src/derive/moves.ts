import { urlKey } from "@rs-emit/documents";
import { placeKey } from "../inventory/redirects.ts";
import { groupBy } from "../model/group.ts";
import { ON_DEMAND } from "../model/resources.ts";
import { composedKey } from "../model/url.ts";

/** Where a page went, or came from; by its URL key. */
export type Moves = ReadonlyMap<string, string>;

/** A page that moved is a page gone and a new one, which one publication tells. */
export interface MovablePage {
  readonly url: string;
  readonly kind: string;
  readonly minor?: boolean | undefined;
  /** Where it is, as a redirect that it left says. */
  readonly place: string | undefined;
  /** What it says, before it was gone or now: the surest first. */
  readonly signs: readonly (string | undefined)[];
}

/** @param leadsTo the URL that a redirect in its place leads to */
export function movablePage(
  { url, kind, minor }: Pick<MovablePage, "url" | "kind" | "minor">,
  leadsTo: string | undefined,
  signs: MovablePage["signs"],
): MovablePage {
  const isRedirected = kind === "deleted" && leadsTo !== undefined;
  const place = kind === "deleted" ? leadsTo : url;
  return { url, kind, minor: minor && !isRedirected, place: place && placeKey(place), signs };
}

/** Keys of pages that moved and say something else there. */
export function editedMoves(pages: readonly MovablePage[], moves: Moves): ReadonlySet<string> {
  const byKey = new Map(pages.map((page) => [urlKey(page.url), page]));
  const edited = pages.filter(({ url, signs }) => {
    const moved = moves.get(urlKey(url));
    const other = moved === undefined ? undefined : byKey.get(urlKey(moved));
    return other && !signs.some((sign, at) => sign !== undefined && sign === other.signs[at]);
  });
  return new Set(edited.map(({ url }) => urlKey(url)));
}

/** Pages with one place or sign: one gone and one new, else those of the same name. */
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

/** A redirect says where its page is. Where names differ in Unicode form only, a file was spelled anew. */
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
  const byName = groupBy(created, ({ url }) => nameOf(url));
  return [...groupBy(gone, ({ url }) => nameOf(url))].flatMap(([name, ofName]) =>
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

/** A file's name, with or without its extension, or its folder's. */
function nameOf(url: string): string {
  const { pathname } = new URL(url);
  const path = pathname.replace(/\/(?:index\.[a-z]+)?$/i, "").replace(/\.[a-z]+$/i, "");
  return path.slice(path.lastIndexOf("/") + 1);
}
