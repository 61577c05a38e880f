/** What must be told of an index with parts, by the rules of `readers/sitemap/trust.ts`: written without looking at how it is done. */

/** A page as a part lists it. */
export interface ListedEntry {
  /** A letter or a number behind `s`, and how its address ends. */
  readonly page: string;
  readonly date: number | undefined;
  readonly hash: number | undefined;
}

export type PartAnswer = "whole" | "failed" | "missing" | "cut" | "empty" | "html";

export interface PartRead {
  readonly part: string;
  readonly answer: PartAnswer;
  readonly entries: readonly ListedEntry[];
}

interface Known {
  home: string;
  date: number | undefined;
  hash: number | undefined;
  moves: number;
  missingSince: number | undefined;
}

/** An entry that a known page is compared with. */
interface Counted extends ListedEntry {
  readonly part: string;
  readonly isMoved: boolean;
}

const DAY = 86_400;
/** What nobody confirms to be gone is forgotten after this. */
const UNCONFIRMED = 90 * DAY;
const RESTLESS = 3;
const CALM_CHECKS = 3;

export class ListsModel {
  /** What each check tells that tells anything. */
  readonly reported: string[][] = [];
  readonly #known = new Map<string, Known>();
  /** The entries of each part as they were last read. */
  readonly #parts = new Map<string, readonly ListedEntry[]>();
  /** New pages of a part that are not told, since most of the part was new. */
  readonly #leftOut = new Map<string, ReadonlySet<string>>();
  /** How many pages were known when most began to be missing; later ones do not make these fewer. */
  #knownBefore: number | undefined;
  #hasBegun = false;
  #isDoubted = false;
  /** Checks in a row in which few dates moved. */
  #steady_checks = 0;

  /** @param now UTC seconds */
  read(parts: readonly PartRead[], now: number): void {
    const readable = parts.flatMap((one) => {
      const entries = this.#readable(one);
      return entries === undefined ? [] : [{ part: one.part, entries }];
    });
    const failed = parts
      .map(({ part }) => part)
      .filter((part) => !readable.some((one) => one.part === part));
    // A part that was never readable hides no page that is known.
    const isWhole = failed.every((part) => !this.#parts.has(part));
    const pages = [
      ...readable,
      ...failed.map((part) => ({ entries: this.#parts.get(part) ?? [] })),
    ];
    // One part may be empty; a site without any page is a fault.
    if (pages.every(({ entries }) => entries.length === 0)) return;
    this.#respell(readable);
    const isNew = new Set(readable.filter(({ part }) => !this.#parts.has(part)));
    const counted = this.#counted(readable, failed);
    const wereEqual = this.#areEqual();
    for (const { part, entries } of readable) this.#parts.set(part, entries);
    this.#distrust(counted, wereEqual || this.#areEqual(), isWhole);
    const known = this.#known.size;
    const reported = this.#hasBegun ? this.#changedColumns(counted) : [];
    const strange = this.#strange(readable, isNew);
    const added = this.#keep(readable, isNew, counted, isWhole ? now : undefined, strange);
    reported.push(...added);
    reported.push(...this.#gone(known, isWhole ? now : undefined));
    this.#hasBegun = true;
    if (reported.length > 0) this.reported.push(reported.sort());
  }

  /** Where most pages of a part have another ending now, they are the same pages, each one of them. */
  #respell(readable: readonly Omit<PartRead, "answer">[]): void {
    const listed = readable.flatMap(({ entries }) => entries.map(({ page }) => page));
    for (const { part } of readable) {
      const pages = [...this.#known].filter(
        ([, { home, missingSince }]) => home === part && missingSince === undefined,
      );
      const taken = new Set<string>();
      const respelled = pages.flatMap(([page, known]) => {
        const isNow = (one: string) =>
          !this.#known.has(one) && !taken.has(one) && stemOf(one) === stemOf(page);
        const now = listed.includes(page) ? undefined : listed.find(isNow);
        if (now === undefined) return [];
        taken.add(now);
        return [{ page, now, known }];
      });
      if (respelled.length * 2 <= pages.length) continue;
      for (const { page, now, known } of respelled) {
        this.#known.delete(page);
        this.#known.set(now, known);
      }
    }
  }

  #readable({ answer, entries }: PartRead): readonly ListedEntry[] | undefined {
    if (answer === "empty") return [];
    return answer === "whole" ? entries : undefined;
  }

  /** The entry that counts of each page that is known, differs, and whose part could be read. */
  #counted(readable: readonly Omit<PartRead, "answer">[], failed: readonly string[]) {
    const counted = new Map<string, Counted>();
    for (const [page, known] of this.#known) {
      const found = readable.flatMap(({ part, entries }) =>
        entries.filter((entry) => entry.page === page).map((entry) => ({ ...entry, part })),
      );
      const [first] = found;
      const isThere = known.missingSince === undefined;
      if (first === undefined || (isThere && failed.includes(known.home))) continue;
      const before = this.#parts.get(known.home)?.find((entry) => entry.page === page);
      const isAsItWas = found.some(
        ({ part, date, hash }) =>
          part === known.home && date === before?.date && hash === before?.hash,
      );
      if (isThere && isAsItWas) continue;
      counted.set(page, { ...first, isMoved: isLater(first.date, known.date) });
    }
    return counted;
  }

  #areEqual(): boolean {
    const dates = [...this.#parts.values()].flat().flatMap(({ date }) => date ?? []);
    return dates.length > 1 && new Set(dates).size === 1;
  }

  #distrust(counted: ReadonlyMap<string, Counted>, areEqual: boolean, isWhole: boolean): void {
    const steady = [...this.#known].filter(([, { moves }]) => moves < RESTLESS);
    const dated = steady.filter(
      ([, { date, missingSince }]) => date !== undefined && !missingSince,
    );
    const moved = steady.filter(([page]) => counted.get(page)?.isMoved);
    const isCalm = moved.length === 0 || moved.length < dated.length / 10;
    const areMany = moved.length > 1 && moved.length > dated.length / 2;
    const isEqual = areEqual && (!this.#hasBegun || (moved.length > 1 && !isCalm));
    if (areMany || isEqual) {
      this.#isDoubted = true;
      this.#steady_checks = 0;
    } else if (!isCalm) this.#steady_checks = 0;
    else if (isWhole) this.#steady_checks += 1;
    if (this.#steady_checks >= CALM_CHECKS) this.#isDoubted = false;
  }

  #changedColumns(counted: ReadonlyMap<string, Counted>): string[] {
    const reported: string[] = [];
    for (const [page, { hash, isMoved }] of counted) {
      const known = this.#known.get(page);
      if (known === undefined) continue;
      const areHashes = hash !== undefined && known.hash !== undefined;
      const isByDate = !areHashes && isMoved && known.moves < RESTLESS && !this.#isDoubted;
      if ((areHashes && hash !== known.hash) || isByDate) reported.push(`updated ${page}`);
    }
    return reported;
  }

  /** Pages of parts of which most, and more than five, is new: until half of those that were left out are there again. */
  #strange(
    readable: readonly Omit<PartRead, "answer">[],
    firstRead: ReadonlySet<Omit<PartRead, "answer">>,
  ): ReadonlySet<string> {
    const ordinary = new Set<string>();
    const strange = new Set<string>();
    for (const one of readable) {
      const pages = [...new Set(one.entries.map(({ page }) => page))];
      const added = pages.filter((page) => !this.#known.has(page));
      const isStrange = !firstRead.has(one) && added.length > 5 && added.length * 2 > pages.length;
      const before = [...(this.#leftOut.get(one.part) ?? [])];
      const again = before.filter((page) => added.includes(page));
      const isBelieved = before.length > 0 && again.length * 2 >= before.length;
      this.#leftOut.set(one.part, new Set(isStrange ? added : []));
      for (const page of pages) (isStrange && !isBelieved ? strange : ordinary).add(page);
    }
    return new Set([...strange].filter((page) => !ordinary.has(page)));
  }

  #keep(
    readable: readonly Omit<PartRead, "answer">[],
    firstRead: ReadonlySet<Omit<PartRead, "answer">>,
    counted: ReadonlyMap<string, Counted>,
    wholeAt: number | undefined,
    strange: ReadonlySet<string>,
  ): string[] {
    for (const [page, known] of this.#known) {
      const now = counted.get(page);
      const isListed = readable.some(({ entries }) => entries.some((entry) => entry.page === page));
      known.moves = now?.isMoved ? known.moves + 1 : 0;
      if (now !== undefined) {
        known.home = now.part;
        // A cache may answer with an old list at times.
        if (known.date === undefined || now.isMoved) known.date = now.date;
        known.hash = now.hash ?? known.hash;
        known.missingSince = undefined;
      } else if (!isListed) known.missingSince ??= wholeAt;
    }
    const added: string[] = [];
    for (const one of readable) {
      const { part, entries } = one;
      for (const { page, date, hash } of entries) {
        if (this.#known.has(page) || strange.has(page)) continue;
        this.#known.set(page, { home: part, date, hash, moves: 0, missingSince: undefined });
        if (!firstRead.has(one)) added.push(`created ${page}`);
      }
    }
    return added;
  }

  /** None where a part could not be read, which may have them. */
  #gone(pages: number, now: number | undefined): string[] {
    const known = this.#knownBefore ?? pages;
    const missing = [...this.#known].flatMap(([page, { missingSince }]) =>
      missingSince === undefined ? [] : [{ page, missingSince }],
    );
    const mustBeConfirmed = missing.length * 2 > known;
    const patience = mustBeConfirmed ? UNCONFIRMED : DAY;
    const gone = missing.filter(
      ({ missingSince }) => now !== undefined && missingSince <= now - patience,
    );
    for (const { page } of gone) this.#known.delete(page);
    const isHeld = mustBeConfirmed && (missing.length - gone.length) * 2 > known;
    this.#knownBefore = isHeld ? known : undefined;
    return mustBeConfirmed ? [] : gone.map(({ page }) => `deleted ${page}`);
  }
}

function stemOf(page: string): string {
  return page.replace(/\.html$|\/$/, "");
}

function isLater(date: number | undefined, known: number | undefined): boolean {
  return date !== undefined && known !== undefined && date > known;
}
