import { comparable, type Quotes } from "@rs-emit/feeds";
import { markToAttribute } from "../../src/model/page-memory.ts";
import type { Mark } from "../../src/model/statement.ts";
import { fileMark, pictureMark, textMark } from "../../src/page/texts/mark.ts";
import {
  type Block,
  embedded,
  type Garden,
  type GardenPage,
  htmlOfGarden,
  listed,
  mainOf,
  menuLabel,
  sentencesOf,
  titleOf,
} from "./garden.ts";

/** What a page says in one place, and what it means. */
interface Unit {
  readonly kind: "heading" | "text" | "picture" | "file";
  /** Equal for what readers take for the same. */
  readonly key: string;
  readonly text: string;
  /** Equal for a text and its corrections. */
  readonly meaning?: string;
  readonly digits?: string;
  readonly isTime?: boolean;
  readonly isDated?: boolean;
  readonly isLink?: boolean;
  /** What a list shows of a post's text. */
  readonly beginningOf?: string;
  readonly mark: Mark;
}

/** What followers must be told of one publication. */
export interface Truth {
  readonly created: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  /** Of each page that was updated, or moved and edited: minor, or all that is news; `undefined` where nothing is remembered. */
  readonly updated: ReadonlyMap<string, "minor" | readonly string[] | undefined>;
  /** Where pages that are gone stand now. */
  readonly moved: ReadonlyMap<string, string>;
}

export interface Memory {
  /** Pages of which the last publication remembers what they said. */
  readonly remembered: ReadonlySet<string>;
  /** Digests of what was told, quoted or only counted. */
  readonly quoted: ReadonlySet<string>;
  /** Whether this publication remembers. */
  readonly excerpts: boolean;
}

export function truthOf(before: Garden, now: Garden, memory: Memory): Truth {
  const [old, html] = [htmlOfGarden(before), htmlOfGarden(now)];
  const created = new Set([...html.keys()].filter((path) => !old.has(path)));
  const deleted = new Set([...old.keys()].filter((path) => !html.has(path)));
  const changed = [...html.keys()].filter((path) => {
    return old.has(path) && old.get(path) !== html.get(path);
  });
  const kinds = { created, deleted, changed };
  const edits = editedMoves(new Change(before, now, created, memory), before, now, kinds);
  const entered = new Set([...created].filter((path) => !edits.has(path)));
  const site = new Change(before, now, created, memory);
  // A moved page silences others like a new one, and not itself.
  const moving = new Change(before, now, entered, memory);
  const updated = new Map<string, "minor" | readonly string[] | undefined>();
  const news = new Map<string, readonly Unit[]>();
  for (const [to, from] of edits) news.set(to, moving.newsOn(to, from));
  for (const path of changed) {
    if (contentOf(before, path) === contentOf(now, path)) updated.set(path, "minor");
    else if (site.isKnown(path)) news.set(path, site.newsOn(path));
    else updated.set(path, undefined);
  }
  for (const [path, units] of toldOnce(news, site)) {
    updated.set(path, units.length === 0 ? "minor" : spoken(units));
  }
  return {
    created,
    deleted,
    updated,
    moved: movesIn(site, before, now, kinds, edits),
  };
}

/** Of several pictures without words, how many there are. */
function spoken(units: readonly Unit[]): readonly string[] {
  const unnamed = units.filter(({ kind, text }) => kind === "picture" && text === "");
  const others = units.filter((unit) => !unnamed.includes(unit)).map(({ text }) => text);
  if (unnamed.length === 0) return others;
  return [...others, `${unnamed.length} pictures`];
}

function contentOf(garden: Garden, path: string): string {
  const page = garden.pages.get(path);
  if (page === undefined) return "";
  const shell = garden.hasMain ? "main" : [...garden.menu, garden.year].join();
  return `${titleOf(page)}\n${mainOf(garden, page)}\n${shell}`;
}

function toldOnce(news: ReadonlyMap<string, readonly Unit[]>, site: Change) {
  const url = (path: string) => path.replace(/^index\.html$/, "");
  const isHome = (path: string) => Number(url(path) === "");
  const order = [...news].sort(([one, ones], [other, others]) => {
    const byPlace = isHome(one) - isHome(other);
    return byPlace || ones.length - others.length || (url(one) < url(other) ? -1 : 1);
  });
  const tellers = new Map<string, readonly [path: string, isHeading: boolean]>();
  for (const [path, units] of order) {
    for (const { key, kind } of units) {
      const teller = tellers.get(key);
      const isHeading = kind === "heading";
      const [one, other] = [url(path), url(teller?.[0] ?? "")];
      const isHigher = one.length - other.length || (one < other ? -1 : 1);
      const isBetter = site.isShell(key) ? isHigher < 0 : isHeading && !teller?.[1];
      if (teller === undefined || isBetter) tellers.set(key, [path, isHeading]);
    }
  }
  return [...news].map(([path, units]) => {
    return [path, units.filter(({ key }) => tellers.get(key)?.[0] === path)] as const;
  });
}

class Change {
  readonly #before: Garden;
  readonly #now: Garden;
  readonly #created: ReadonlySet<string>;
  readonly #memory: Memory;
  readonly #said = new Set<string>();
  readonly #titles = new Set<string>();
  readonly #newTitles = new Map<string, Set<string>>();

  constructor(before: Garden, now: Garden, created: ReadonlySet<string>, memory: Memory) {
    this.#before = before;
    this.#now = now;
    this.#created = created;
    this.#memory = memory;
    for (const [path, page] of before.pages) {
      this.#titles.add(page.title);
      if (!memory.remembered.has(path)) continue;
      for (const { key } of unitsOf(before, page)) this.#said.add(key);
    }
    for (const [path, page] of now.pages) {
      if (created.has(path)) {
        this.#titles.add(page.title);
        for (const { key } of unitsOf(now, page)) this.#said.add(key);
      } else if (before.pages.has(path) && before.pages.get(path)?.title !== page.title) {
        this.#newTitles.set(page.title, (this.#newTitles.get(page.title) ?? new Set()).add(path));
      }
    }
  }

  isKnown(path: string): boolean {
    return this.#memory.excerpts && this.#memory.remembered.has(path);
  }

  /** @param from the page's place before */
  newsOn(path: string, from = path): readonly Unit[] {
    const [old, page] = [this.#before.pages.get(from), this.#now.pages.get(path)];
    if (old === undefined || page === undefined) return [];
    const had = unitsOf(this.#before, old);
    const has = unitsOf(this.#now, page);
    const hadKeys = new Set(had.map(({ key }) => key));
    const hasKeys = new Set(has.map(({ key }) => key));
    const gone = had.filter(({ key }) => !hasKeys.has(key));
    const fresh = has.filter(({ key }) => !hadKeys.has(key));
    const news = new Map<string, Unit>();
    const cameBack = fresh.filter((unit) => this.#isQuoted(unit));
    for (const unit of [...(old.title === page.title ? [] : [titleUnit(page)]), ...fresh]) {
      const isNews =
        unit !== NEXT &&
        !hadKeys.has(unit.key) &&
        !this.#isQuoted(unit) &&
        !this.#isSaid(unit, path) &&
        !isCorrection(unit, gone) &&
        !(unit.kind === "file" && cameBack.some(({ text }) => text === unit.text));
      if (isNews && !news.has(unit.key)) news.set(unit.key, unit);
    }
    // A file is told with its words.
    const words = new Set(
      [...news.values()].filter(({ kind }) => kind !== "file").map(({ text }) => text),
    );
    return [...news.values()].filter(({ kind, text }) => kind !== "file" || !words.has(text));
  }

  /** What its author dates anew is told again. */
  #isQuoted({ mark, isDated }: Unit): boolean {
    return !isDated && this.#memory.quoted.has(markToAttribute(mark));
  }

  #isSaid({ key, text, isLink, beginningOf, kind }: Unit, path: string): boolean {
    if (this.#said.has(key)) return true;
    if (kind === "picture" || kind === "file") return false;
    if (this.#titles.has(text)) return true;
    // A menu of all pages has each one's title.
    const isLabel = isLink || text.startsWith("©") || text.split(" ").length <= 3;
    const isTitle = text === this.#now.pages.get(path)?.title;
    if (!isTitle && (this.#wasShell(key) || (isLabel && this.isShell(key)))) return true;
    if (beginningOf !== undefined && this.#created.has(beginningOf)) return true;
    const titled = isLink ? this.#newTitles.get(text) : undefined;
    return titled !== undefined && (titled.size > 1 || !titled.has(path));
  }

  /** Whether most pages have it, or had it, so that it is none's own. */
  isShell(key: string): boolean {
    return this.#wasShell(key) || shareOf(this.#now, key, () => this.#memory.excerpts) > 0.5;
  }

  #wasShell(key: string): boolean {
    return shareOf(this.#before, key, (path) => this.#memory.remembered.has(path)) > 0.5;
  }
}

function shareOf(garden: Garden, key: string, isRemembered: (path: string) => boolean): number {
  const known = [...garden.pages].filter(([path]) => isRemembered(path));
  if (known.length < 5) return 0;
  const having = known.filter(([, page]) => unitsOf(garden, page).some((unit) => unit.key === key));
  return having.length / known.length;
}

/** The same in other letters, or another picture with the same description. */
function isCorrection(unit: Unit, gone: readonly Unit[]): boolean {
  if (unit.kind === "file") return false;
  if (unit.kind === "picture") {
    return (
      unit.text !== "" && gone.some(({ kind, text }) => kind === "picture" && text === unit.text)
    );
  }
  const before = gone.filter(({ meaning }) => meaning !== undefined && meaning === unit.meaning);
  if (before.length === 0) return false;
  return !(unit.isTime && before.every(({ digits }) => digits !== unit.digits));
}

function unitsOf(garden: Garden, page: GardenPage): readonly Unit[] {
  const next = page.next && garden.pages.get(page.next);
  return [
    ...shellOf(garden),
    ...(page.hasHeading ? [titleUnit(page)] : []),
    ...page.blocks.flatMap(unitsOfBlock),
    ...listed(garden, page).flatMap(([path, { title, beginning }]) => [
      textUnit("text", title, { isLink: true }),
      ...(beginning === undefined ? [] : [textUnit("text", beginning, { beginningOf: path })]),
    ]),
    ...(next ? [NEXT, textUnit("text", next.title, { isLink: true })] : []),
  ];
}

/** Says nothing by itself. */
const NEXT = textUnit("text", "Next:");

function shellOf({ hasMain, menu, year }: Garden): readonly Unit[] {
  if (hasMain) return [];
  return [
    ...menu.map((name) => textUnit("text", menuLabel(name))),
    textUnit("text", `© ${year} Ami of the wall`, { meaning: "rights" }),
  ];
}

function titleUnit({ title }: GardenPage): Unit {
  return textUnit("heading", title);
}

function unitsOfBlock(block: Block): readonly Unit[] {
  const [text = "", ...others] = sentencesOf(block);
  if (block.kind === "img") {
    const key = `i${block.file}.png`;
    return [{ kind: "picture", key, text, mark: pictureMark(key, text) }];
  }
  if (block.kind === "file") {
    const key = `f/f${block.file}.pdf`;
    const file: Unit = { kind: "file", key, text, mark: fileMark(key) };
    return [file, textUnit("text", text)];
  }
  if (block.kind === "embed") {
    const key = embedded(block);
    return [{ kind: "file", key, text: text || new URL(key).host, mark: fileMark(key) }];
  }
  const { saying, isTime = false, isDated = false, more = [] } = block;
  const kind = block.kind === "h2" ? "heading" : "text";
  return [
    textUnit(kind, text, {
      meaning: String(saying),
      digits: text.replace(/\D/g, ""),
      isTime,
      isDated,
    }),
    ...others.map((one, at) => textUnit(kind, one, { meaning: String(more[at]), isDated })),
  ];
}

function textUnit(kind: "text" | "heading", text: string, more: Partial<Unit> = {}): Unit {
  return { kind, key: `"${comparable(text)}`, text, mark: textMark(text), ...more };
}

interface Kinds {
  readonly created: ReadonlySet<string>;
  readonly deleted: ReadonlySet<string>;
  readonly changed: readonly string[];
}

/** Fewer texts say too little to know a page by. */
const FEWEST_TEXTS = 3;

function ownKeysIn(site: Change, garden: Garden, path: string): readonly string[] {
  const page = garden.pages.get(path);
  const keys = page === undefined ? [] : unitsOf(garden, page).map(({ key }) => key);
  return keys.filter((key) => !site.isShell(key));
}

/** The new place of each deleted page whose title a new page has, and whether it says the same there. */
function namesakes(site: Change, before: Garden, now: Garden, { created, deleted }: Kinds) {
  return [...deleted].flatMap((from) => {
    const title = before.pages.get(from)?.title;
    const to = [...created].find((path) => now.pages.get(path)?.title === title);
    if (to === undefined) return [];
    const [had, has] = [ownKeysIn(site, before, from), ownKeysIn(site, now, to)];
    const isLike = site.isKnown(from) && had.length > 0 && had.join() === has.join();
    const isSame = isLike || contentOf(before, from) === contentOf(now, to);
    return [{ from, to, had: new Set(had), has: new Set(has), isSame }];
  });
}

/** Where each page was that moved and was edited. */
function editedMoves(site: Change, before: Garden, now: Garden, kinds: Kinds) {
  const edited = namesakes(site, before, now, kinds).filter(({ from, had, has, isSame }) => {
    const stays = [...had].filter((key) => has.has(key)).length;
    return !isSame && site.isKnown(from) && had.size >= FEWEST_TEXTS && stays * 2 > had.size;
  });
  return new Map(edited.map(({ from, to }) => [to, from]));
}

/** A deleted page whose texts went to a page that stays is gone. */
function movesIn(
  site: Change,
  before: Garden,
  now: Garden,
  kinds: Kinds,
  edits: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const unedited = namesakes(site, before, now, kinds).filter(({ isSame }) => isSame);
  return new Map([
    ...[...edits].map(([to, from]) => [from, to] as const),
    ...unedited.map(({ from, to }) => [from, to] as const),
  ]);
}

/** What a publication told of a page's update, held against what is news there. */
export function judged(
  news: "minor" | readonly string[] | undefined,
  minor: boolean | undefined,
  quotes: Quotes | undefined,
): string | undefined {
  if (news === "minor") return minor ? undefined : `told ${textsOf(quotes)}, and is minor`;
  if (minor) return `minor, and has news: ${news}`;
  if (news === undefined) return quotes === undefined ? undefined : "quotes from no memory";
  const shown = textsOf(quotes);
  const wrong = shown.filter((text) => !news.includes(text));
  if (wrong.length > 0) return `quotes ${wrong.join(", ")} beside ${news.join(", ")}`;
  if (shown.length !== Math.min(3, news.length)) return `quotes ${shown} of ${news}`;
  const size = (texts: readonly string[]) =>
    texts.reduce((sum, text) => sum + Number(/^(\d+) pictures$/.exec(text)?.[1] ?? 1), 0);
  const more = size(news) - size(shown);
  return quotes?.more === more ? undefined : `${quotes?.more} more, not ${more}`;
}

function textsOf(quotes: Quotes | undefined): readonly string[] {
  return (quotes?.shown ?? []).map(
    ({ text, host, pictures }) => text || host || `${pictures} pictures`,
  );
}
