import { linkedBytes } from "./insertions.ts";
import type { Entry } from "./log.ts";
import { named } from "./names.ts";
import { isPage, markupOf, sameContent, sha256 } from "./page.ts";
import { keyOf, type Site, type Standing } from "./site.ts";
import {
  type CollectionState,
  contentOf,
  deletionOf,
  entryOf,
  finished,
  inOrder,
  type Known,
  known,
  lastmodOf,
  published,
  type State,
  sameBytes,
  toldState,
} from "./state.ts";

const DAY = 86_400;

/** What a publication must do: nothing but stop, or become this. */
export type Expected =
  | { readonly stops: "CLOCK" | "NOTE_WITHOUT_CHANGE" }
  | { readonly time: number; readonly state: State };

/** What publishing the site as it stands must do, by the design alone. */
export function expectPublication(state: State, site: Site): Expected {
  if (state.size === 0)
    return withNews(state, { time: site.now, state: firstPublication(site) }, site);
  const last = Math.max(...[...state.values()].map(({ time }) => time));
  if (last > site.now + DAY) return { stops: "CLOCK" };
  const time = Math.max(site.now, last + 1);
  const next = continuation(state, site, time);
  const arrival = time - 1;
  const isTooClose = arrival <= last && hasEntryOf(arrival, state, next);
  if (!isTooClose) return withNews(state, { time, state: next }, site);
  return withNews(state, { time: time + 1, state: continuation(state, site, time + 1) }, site);
}

/** Whether a publication tells of a time that it did not know before. */
function hasEntryOf(time: number, before: State, next: State): boolean {
  return [...next].some(([url, { log }]) =>
    log.slice(before.get(url)?.log.length ?? 0).some(({ datetime }) => datetime === time),
  );
}

/** A note goes with some change that is not minor. */
function withNews(
  before: State,
  expected: Exclude<Expected, { readonly stops: string }>,
  site: Site,
): Expected {
  const isNews = [...expected.state].some(([url, { log }]) =>
    log.slice(before.get(url)?.log.length ?? 0).some(({ minor }) => !minor),
  );
  return site.note === undefined || isNews ? expected : { stops: "NOTE_WITHOUT_CHANGE" };
}

/**
 * Nothing was published before: each page is created at its modification time. The note goes with the
 * newest changes.
 */
function firstPublication(site: Site): State {
  const standing = site.standing().filter((page) => page.collection !== undefined);
  const timeOf = ({ modified }: Standing) => Math.min(modified, site.now);
  const newest = Math.max(...standing.map(timeOf));
  return new Map(
    site.collections().map((collection) => {
      const own = standing.filter((page) => page.collection === collection);
      const log = own.map((page): Entry => {
        const time = timeOf(page);
        const message = wordsOf(noteOf(page), time === newest ? site.note : undefined);
        const entry = { url: page.url, kind: "created", datetime: time, lastmod: time };
        return message === undefined ? entry : { ...entry, message };
      });
      return [collection, toldState(collection, log, site, site.now)];
    }),
  );
}

/** The difference between what was published and what stands is exact, collection by collection. */
function continuation(state: State, site: Site, time: number): State {
  const next = new Map<string, CollectionState>();
  const moves = movesOf(state, site, time);
  const movedOf = (url: string) => {
    const moved = moves.get(url);
    return moved === undefined ? {} : { moved };
  };
  const isEcho = echoesIn(state, site, moves);
  for (const collection of new Set([...site.collections(), ...state.keys()])) {
    const before = state.get(collection);
    const entries: Entry[] = [];
    /** Pages as another collection knew them. */
    const arrivals = new Set<Entry>();
    let isRewritten = false;
    const snapshot = new Map(before?.snapshot);
    for (const page of site.standing()) {
      if (page.collection !== collection) continue;
      const was = snapshot.get(page.key);
      if (was !== undefined && isSame(was, page, site)) {
        const content = contentOf(page, site);
        // Another option reads another part of the page: what is remembered of it is renewed.
        if (content?.selector !== was.content?.selector) isRewritten = true;
        snapshot.set(page.key, { ...was, content });
        continue;
      }
      const content = contentOf(page, site);
      const url = was?.url ?? page.url;
      // The note of a page that moved with its bytes was told where it stood.
      const moved = sameBytes(page, site, state.values());
      const own = moved?.content === undefined ? noteOf(page) : "";
      const fresh = known(page, site, { url, content, lastmod: 0, told: "" });
      const stood = !was && stoodBefore(state, site, page, fresh);
      const arrived = was || stood ? undefined : inAnother(state, page);
      const old = was ?? arrived;
      const last = moved?.told || (old?.told ?? "");
      const lastmod = lastmodOf(page, old, time);
      const now = known(page, site, { url, content, lastmod, told: last });
      const isMinorCopy = old === undefined && own === "" && isEcho(page);
      const minor = was ? sameContent(was.content, content) : stood || isMinorCopy;
      // A new note waits for a change that is not minor.
      const isReported = !minor && own !== "" && own !== last;
      const message = isReported ? wordsOf(own, site.note) : minor ? undefined : site.note;
      const entry = entryOf(old ? "updated" : "created", now, time, minor, message);
      if (arrived) {
        const then = { ...arrived, url, lastmod: Math.min(arrived.lastmod, time - 1) };
        const arrival = entryOf("created", then, time - 1, true, undefined);
        arrivals.add(arrival);
        entries.push(arrival);
      }
      entries.push({ ...entry, ...(old ? {} : movedOf(now.url)) });
      snapshot.set(page.key, isReported ? { ...now, told: own } : now);
    }
    for (const [key, was] of before?.snapshot ?? []) {
      if (site.standing().some((page) => page.key === key && page.collection === collection))
        continue;
      const words = site.note === undefined ? {} : { message: site.note };
      entries.push({
        ...deletionOf(was, time),
        ...movedOf(was.url),
        ...(stillStands(site, was) ? { minor: true } : words),
      });
      snapshot.delete(key);
    }
    const fresh = entries
      .sort(inOrder)
      .map((entry) => (arrivals.has(entry) ? entry : named(entry, collection, site)));
    const told = [...(before?.log ?? []), ...fresh];
    const digests = finished(collection, told, site);
    for (const page of site.standing()) {
      const digest = digests.get(page.key);
      const was = snapshot.get(page.key);
      if (digest === undefined || was === undefined || digest.hash === was.hash) continue;
      if (before?.snapshot.get(page.key)?.hash === was.hash) {
        snapshot.set(page.key, { ...known(page, site, was), ...digest });
        isRewritten = true;
      } else snapshot.set(page.key, { ...was, ...digest });
    }
    if (before && entries.length === 0 && !isRewritten)
      next.set(collection, { ...before, snapshot });
    else {
      const log = told.map((entry): Entry => {
        const digest =
          entry.datetime === time && entry.hash && !arrivals.has(entry)
            ? digests.get(keyOf(entry.url))
            : undefined;
        return { ...entry, ...digest };
      });
      const now = published(collection, log, snapshot, site, time);
      next.set(collection, { ...now, from: before?.from ?? now.from });
    }
  }
  return next;
}

/** A new page says nothing of its own if an updated page of its collection, or a new one at a shorter address, has its title and texts. */
function echoesIn(state: State, site: Site, moves: ReadonlyMap<string, string>) {
  const isFirst = [...state.values()].every(({ snapshot }) => snapshot.size === 0);
  const fresh = site.standing().flatMap((page) => {
    const was = page.collection && state.get(page.collection)?.snapshot.get(page.key);
    if (page.collection === undefined || moves.has(page.url)) return [];
    if (was && isSame(was, page, site)) return [];
    return [{ ...page, isUpdated: Boolean(was), content: contentOf(page, site) }];
  });
  const isAhead = (one: string, other: string) =>
    one.length < other.length || (one.length === other.length && one < other);
  return (page: Standing) =>
    !isFirst &&
    fresh.some(
      (other) =>
        other.key !== page.key &&
        other.collection === page.collection &&
        sameContent(other.content, contentOf(page, site)) &&
        (other.isUpdated || isAhead(other.url, page.url)),
    );
}

interface Movable {
  readonly url: string;
  /** What tells that two pages are one, the surest first: the name but for its Unicode form, the content, the markup. */
  readonly signs: readonly (string | undefined)[];
}

function movable(url: string, { content, markup }: Pick<Known, "content" | "markup">): Movable {
  const said = content && JSON.stringify(content);
  return { url, signs: [keyOf(url).normalize("NFC"), said, markup] };
}

/** Pages gone and pages new with one sign: one and one, or one and one of the same file name. */
function movesOf(state: State, site: Site, time: number): ReadonlyMap<string, string> {
  const created: Movable[] = [];
  for (const page of site.standing()) {
    const { collection, key, url } = page;
    if (collection === undefined || state.get(collection)?.snapshot.has(key)) continue;
    const content = contentOf(page, site);
    const lastmod = lastmodOf(page, undefined, time);
    const now = known(page, site, { url, content, lastmod, told: "" });
    const isNew = !stoodBefore(state, site, page, now) && inAnother(state, page) === undefined;
    if (isNew) created.push(movable(url, now));
  }
  const gone: Movable[] = [];
  for (const [collection, { snapshot }] of state) {
    for (const [key, was] of snapshot) {
      const stands = site
        .standing()
        .some((page) => page.key === key && page.collection === collection);
      if (!stands && !stillStands(site, was)) gone.push(movable(was.url, was));
    }
  }
  const moves = new Map<string, string>();
  for (const at of [0, 1, 2]) {
    const left = (pages: readonly Movable[]) => pages.filter(({ url }) => !moves.has(url));
    const [from, to] = [left(gone), left(created)];
    for (const sign of new Set(from.flatMap(({ signs }) => signs[at] ?? []))) {
      const has = ({ signs }: Movable) => signs[at] === sign;
      for (const [one, other] of pairs(from.filter(has), to.filter(has))) {
        moves.set(one.url, other.url).set(other.url, one.url);
      }
    }
  }
  return moves;
}

function pairs(from: readonly Movable[], to: readonly Movable[]): [Movable, Movable][] {
  const isOne = from.length === 1 && to.length === 1;
  return from.flatMap((one): [Movable, Movable][] => {
    const alike = (page: Movable) => isOne || nameOf(page.url) === nameOf(one.url);
    const [other, ...others] = to.filter(alike);
    const isSure = others.length === 0 && from.filter(alike).length === 1;
    return other !== undefined && isSure ? [[one, other]] : [];
  });
}

function nameOf(url: string): string {
  const path = new URL(url).pathname.replace(/\/(?:index\.\w+)?$/i, "");
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[a-z]+$/i, "");
}

/** Whether followers hear nothing of it: pages are the same when their markup is. */
function isSame(was: Known, page: Standing, site: Site): boolean {
  if (!isPage(page.file)) return was.hash === sha256(linkedBytes(page, site));
  return was.markup === markupOf(page.file, page.page);
}

/** The page's own words, then the author's for the publication. */
function wordsOf(own: string, note: string | undefined): string | undefined {
  return [own, note].filter((words) => words).join("\n") || undefined;
}

function noteOf({ file, page }: Standing): string {
  return isPage(file) ? page.note : "";
}

/**
 * Whether a page that is new to its collection entered only because an option, its eligibility or the
 * collections changed. An edit that came with it is a reader's concern, where it can be told.
 */
function stoodBefore(state: State, site: Site, page: Standing, now: Known): boolean {
  const keys = [true, false].map((clean) => keyOf(site.urlOf(page.file, clean)));
  const standing = new Set(
    site
      .standing()
      .filter((one) => one.collection)
      .map(({ key }) => key),
  );
  // What followers never had is new to them; what was withdrawn without a word comes back without one.
  const isBack = [...state.values()].some(({ log, withheld }) => {
    const last = log.findLast(({ url }) => keys.includes(keyOf(url)));
    return last?.kind === "deleted" && last.minor && keys.some((key) => withheld.has(key));
  });
  if (isBack) return true;
  const others = [...state.values()].flatMap(({ snapshot, left }) =>
    keys
      .filter((key) => key === page.key || !standing.has(key))
      .map((key) => snapshot.get(key) ?? left.get(key)),
  );
  return others.some((was) => was && isAsBefore(was, now));
}

function isAsBefore(was: Known, now: Known): boolean {
  if (was.hash === now.hash || sameContent(was.content, now.content)) return true;
  return was.markup !== undefined && was.markup === now.markup;
}

/** What another collection last knew of a page. */
function inAnother(state: State, { key }: Standing): Known | undefined {
  const known = [...state.values()].map(({ snapshot, left }) => snapshot.get(key) ?? left.get(key));
  return known.find((one) => one !== undefined);
}

function stillStands(site: Site, { file }: Known): boolean {
  return site.files.has(file);
}
