import type { Entry } from "./log.ts";
import { bytesOf, markupOf, sameContent, sha256 } from "./page.ts";
import { keyOf, type Site, type Standing } from "./site.ts";
import {
  type CollectionState,
  contentOf,
  deletionOf,
  entryOf,
  inOrder,
  type Known,
  known,
  lastmodOf,
  published,
  type State,
  toldState,
} from "./state.ts";

const DAY = 86_400;

/** What a publication must do: nothing but stop, or become this. */
export type Expected =
  | { readonly stops: "CLOCK" }
  | { readonly time: number; readonly state: State };

/** What publishing the site as it stands must do, by the design alone. */
export function expectPublication(state: State, site: Site): Expected {
  if (state.size === 0) return { time: site.now, state: firstPublication(site) };
  const last = Math.max(...[...state.values()].map(({ time }) => time));
  if (last > site.now + DAY) return { stops: "CLOCK" };
  const time = Math.max(site.now, last + 1);
  return { time, state: continuation(state, site, time) };
}

/** Nothing was published before: each page is created at its modification time. */
function firstPublication(site: Site): State {
  return new Map(
    site.collections().map((collection) => {
      const own = site.standing().filter((page) => page.collection === collection);
      const log = own.map(({ url, modified }): Entry => {
        const time = Math.min(modified, site.now);
        return { url, kind: "created", datetime: time, lastmod: time };
      });
      return [collection, toldState(collection, log, site, site.now)];
    }),
  );
}

/** The difference between what was published and what stands is exact, collection by collection. */
function continuation(state: State, site: Site, time: number): State {
  const next = new Map<string, CollectionState>();
  for (const collection of new Set([...site.collections(), ...state.keys()])) {
    const before = state.get(collection);
    const entries: Entry[] = [];
    let isRewritten = false;
    const snapshot = new Map(before?.snapshot);
    for (const page of site.standing()) {
      if (page.collection !== collection) continue;
      const was = snapshot.get(page.key);
      const hash = sha256(bytesOf(page.file, page.page));
      if (was?.hash === hash) {
        // A file that only changed its spelling is the same resource.
        snapshot.set(page.key, { ...was, file: page.file.normalize("NFC") });
        continue;
      }
      const content = contentOf(page, site, state.values());
      if (was?.markup !== undefined && was.markup === markupOf(page.file, page.page)) {
        snapshot.set(page.key, known(page, was.url, content, was.lastmod));
        isRewritten = true;
        continue;
      }
      const now = known(page, was?.url ?? page.url, content, lastmodOf(page, was, time));
      const minor = was ? sameContent(was.content, content) : stoodBefore(state, site, page, now);
      entries.push(entryOf(was ? "updated" : "created", now, time, minor));
      snapshot.set(page.key, now);
    }
    for (const [key, was] of before?.snapshot ?? []) {
      if (site.standing().some((page) => page.key === key && page.collection === collection))
        continue;
      entries.push({
        ...deletionOf(was, time),
        ...(stillStands(site, was) ? { minor: true } : {}),
      });
      snapshot.delete(key);
    }
    if (before && entries.length === 0 && !isRewritten)
      next.set(collection, { ...before, snapshot });
    else {
      const log = [...(before?.log ?? []), ...entries.sort(inOrder)];
      const now = published(collection, log, snapshot, site, time);
      next.set(collection, { ...now, from: before?.from ?? now.from });
    }
  }
  return next;
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
  const holding = [...state].filter(([url]) => page.url.startsWith(url));
  const memory = holding.length > 0 ? holding : [...state];
  const newest = memory.sort(([, one], [, other]) => other.time - one.time)[0]?.[1];
  if (keys.some((key) => newest?.withheld.has(key))) return true;
  const others = [...state.values()].flatMap(({ snapshot, left }) =>
    keys
      .filter((key) => key === page.key || !standing.has(key))
      .map((key) => snapshot.get(key) ?? left.get(key)),
  );
  return others.some((was) => was?.hash === now.hash || sameContent(was?.content, now.content));
}

function stillStands(site: Site, { file }: Known): boolean {
  return [...site.files.keys()].some((standing) => standing.normalize("NFC") === file);
}
