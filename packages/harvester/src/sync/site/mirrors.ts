import { count, type Entry, list, urlKey } from "@rs-emit/documents";
import { HarvestError, resolveUrl, siteHost } from "@rs-emit/reader";

/** Mirrors of one resource that are asked. */
const MOST = 3;

/** Times in a row that a mirror may fail before it is left alone. */
const FAILURES = 3;

/** The highest `pri` (ResourceSync 1.1, section 7): what has none comes after those that have one. */
const LAST = 999_999;

/** Addresses of the same bytes, the preferred one first (ResourceSync 1.1, section 14.2). */
export function mirrorsIn({ links = [] }: Entry, url: string, base: string): readonly string[] {
  const own = urlKey(url);
  const mirrors = links
    .filter(({ rel }) => rel === "duplicate")
    .toSorted((one, other) => priorityOf(one.pri) - priorityOf(other.pri))
    .flatMap(({ href }) => resolveUrl(href, base) ?? [])
    .filter((mirror) => urlKey(mirror) !== own);
  return [...new Set(mirrors)].slice(0, MOST);
}

function priorityOf(pri: string | undefined): number {
  return pri !== undefined && /^[1-9]\d{0,5}$/.test(pri) ? Number(pri) : LAST + 1;
}

/** The mirrors of a run, by their hosts. What they give is nothing to rely on: the site serves what they do not. */
export class Mirrors {
  /** Failures in a row. */
  readonly #failures = new Map<string, number>();
  readonly #failed = new Set<string>();
  #resources = 0;

  /** Asks one mirror after another, and gives what the first of them has as it should be. */
  async first<Found>(
    mirrors: readonly string[],
    ask: (mirror: string) => Promise<Found>,
  ): Promise<Found | undefined> {
    let hasFailed = false;
    for (const mirror of mirrors) {
      const host = siteHost(mirror);
      if ((this.#failures.get(host) ?? 0) >= FAILURES) continue;
      try {
        const found = await ask(mirror);
        this.#failures.delete(host);
        return found;
      } catch (error) {
        if (!(error instanceof HarvestError)) throw error;
        this.#failures.set(host, (this.#failures.get(host) ?? 0) + 1);
        this.#failed.add(host);
        hasFailed = true;
      }
    }
    if (hasFailed) this.#resources += 1;
    return undefined;
  }

  /** For the user, where a resource was had from no mirror that was asked. */
  get notes(): readonly string[] {
    if (this.#resources === 0) return [];
    const resources = count(this.#resources, "resource");
    return [`Mirrors did not have ${resources} as the site states it: ${list([...this.#failed])}.`];
  }
}
