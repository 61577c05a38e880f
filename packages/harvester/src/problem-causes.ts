import { count, numeral } from "@rs-emit/documents";
import { lineOf, readableAddress } from "@rs-emit/feeds";

/** Why a site is not well: what is kept of an error. */
export interface Problem {
  readonly code: string;
  /** What was found at an address. */
  readonly finding?: string | null | undefined;
}

/** Names that stand for all of a cause, and characters of each. */
const NAMED = { most: 3, length: 30 } as const;

/** Sites that are not well, by cause: eighty sites without a change log are one line, not eighty. */
export class Causes {
  readonly #sites = new Map<string, Map<string, string>>();

  /** @param address of the site; it counts once for each cause */
  add(cause: string, address: string, name = siteName(address)): void {
    this.#sites.set(cause, (this.#sites.get(cause) ?? new Map()).set(address, name));
  }

  /** The most frequent first. */
  *[Symbol.iterator](): Generator<Cause> {
    const causes = [...this.#sites].sort(([, one], [, other]) => other.size - one.size);
    for (const [cause, sites] of causes) {
      const names = [...sites.values()].slice(0, NAMED.most);
      yield { cause, sites: sites.size, names };
    }
  }
}

interface Cause {
  readonly cause: string;
  readonly sites: number;
  /** Some of them. */
  readonly names: readonly string[];
}

/** `80 sites: no change log (a.example, b.example, c.example and 77 more)` */
export function causeLine({ cause, sites, names }: Cause): string {
  return `${count(sites, "site")}: ${cause} (${someNames(names, sites)})`;
}

/** Some names of all: `a.example, b.example and 3 more` */
export function someNames(names: readonly string[], all: number): string {
  const rest = all - names.length;
  return `${names.join(", ")}${rest === 0 ? "" : ` and ${numeral(rest)} more`}`;
}

/** A site as lists name it: as its followers call it, else by its address. */
export function siteName(address: string, name?: string): string {
  return lineOf(name ?? readableAddress(address).replace(/\/$/, ""), NAMED.length);
}

/** Of a site whose last check did not fail: that it had a log is the trouble. */
export const LOST_LOG = {
  code: "NO_SOURCE",
  message: "The site publishes no change log any more.",
} as const;

/** Equal for all sites with the same cause: it names no address. */
export function causeOf({ code, finding }: Problem): string {
  const words = finding?.replaceAll(": ", ", ") ?? code.toLowerCase().replaceAll("_", " ");
  return CAUSES[code] ?? lineOf(words, LONGEST);
}

const LONGEST = 100;

/** Of problems that name more than one document. */
const CAUSES: Readonly<Record<string, string>> = {
  ADDRESS: "no address of a site",
  BLOCKED: "blocked by the operator",
  BUSY: "asked to be left alone for a while",
  CRASHED: "a check that did not end: tried later, and alone",
  EMPTY_LIST: "an empty list of pages",
  FORBIDDEN: "not asked: on a private address, or an unusual port (--allow-private)",
  GONE: "taken away for good (410)",
  LOST_LEASE: "a check that took too long",
  MIDWAY: "just being published",
  MISSING: "a document that the site names is missing (404)",
  NO_LIST: "neither change log nor sitemap",
  NO_SOURCE: "no change log",
  OPTED_OUT: "not to be followed, says the owner (robots.txt)",
  OTHER_HOST: "documents on another host (--other-hosts)",
  POSTPONED: "left alone: the host asked for that, or another run reads it",
  SHARED_LIST: "one change list for two collections",
  TEMPORARY_FILE: "not compared: no temporary file can be written (TMPDIR)",
  TOO_MANY_PAGES: "more pages than are compared (--max-pages)",
  UNFINISHED: "not read to the end yet",
  UNREADABLE: "a document that cannot be read",
};
