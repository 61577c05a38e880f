import { comparable, IN_QUOTATION_MARKS, titleParts } from "@rs-emit/feeds";
import { keysIn } from "../model/page-memory.ts";
import { FEWEST_SOUGHT, keyOf, type Statement } from "../model/statement.ts";
import { isDull, withoutDate } from "../page/texts/dull.ts";
import { markOfForm, mixed, textForm } from "../page/texts/mark.ts";
import { wordsIn } from "../page/texts/words.ts";
import type { SiteBefore } from "./judge.ts";
import type { JudgedChange } from "./page-change.ts";

/** A text with no more words beside an echo is dull: a tag, or "Next". */
const FEW_WORDS = 3;

/** Lists end the beginning of a post like this. */
const TEASER_END = /(?:\.{3}|…|\[…\]|\bread more\b|\bcontinue reading\b).*$/isu;

export interface Echoable {
  readonly statement: Statement;
  readonly own: EchoedName;
  readonly links: readonly EchoedName[];
}

/** A text to look up: among pages' texts by its key, among titles by its form. */
export interface EchoedName {
  readonly key: number;
  readonly form: string;
}

export function echoableOf(statement: Statement): Echoable {
  const { text, mark, links, name } = statement;
  if (name !== "") return { statement, own: { key: keyOf(mark), form: "" }, links: [] };
  const own = { key: keyOf(mark), form: textForm(text) };
  return { statement, own, links: links.map(nameOf) };
}

export function nameOf(text: string): EchoedName {
  const form = textForm(text);
  return { key: keyOf(markOfForm(form)), form };
}

/** The forms of a title and of its parts. */
export function titleForms(title: string | undefined): readonly string[] {
  return titleParts(title).map(comparable);
}

export type CommonTitles = Pick<SiteBefore, "isCommon">;

/** What others may call a page: its first heading, and its title where few have that. */
export function namesOf({ now = {} }: JudgedChange, { isCommon }: CommonTitles): readonly string[] {
  const { title = "", headings = [] } = now;
  const own = isCommon(title) ? [] : titleForms(title);
  return [...own, ...headings.slice(0, 1).map(comparable)];
}

export class CreatedPages {
  readonly #keys = new Set<number>();
  readonly #titles = new Set<string>();
  #texts: SearchedText | undefined;
  readonly #pages: readonly JudgedChange[];

  constructor(pages: readonly JudgedChange[], site: CommonTitles) {
    this.#pages = pages;
    for (const page of pages) {
      for (const key of keysIn(page.now?.blocks)) this.#keys.add(key);
      for (const part of namesOf(page, site)) this.#titles.add(part);
      if (page.description) this.#keys.add(nameOf(page.description).key);
    }
  }

  has({ key, form }: EchoedName): boolean {
    return this.#keys.has(key) || (form !== "" && this.#titles.has(form));
  }

  /** Whether it is a title of theirs. A short one may stand in any text by chance. */
  isTitle(text: string): boolean {
    const form = textForm(text);
    return this.#titles.has(form) && wordsIn(form) >= FEWEST_SOUGHT;
  }

  /** Whether one of them has a text. A shorter one is sought with what stands before it in its line. */
  contain({ text, before }: Statement): boolean {
    if (this.#pages.length === 0) return false;
    const own = withoutDate(text).replace(TEASER_END, "");
    if (isDull(own)) return false;
    const part = wordsIn(own) < FEWEST_SOUGHT ? `${before} ${own}` : own;
    if (wordsIn(part) < FEWEST_SOUGHT) return false;
    this.#texts ??= new SearchedText(this.#pages.map(allWordsOf).join("\n"));
    return this.#texts.includes(sought(part));
  }
}

function allWordsOf(page: JudgedChange): string {
  const texts = (page.statements ?? []).map(({ text }) => text).filter((text) => !isDull(text));
  return sought([page.now?.title, page.description, ...texts].join(" "));
}

/** From the beginning of a word on. */
function sought(text: string): string {
  return ` ${comparable(text)}`;
}

/** @param isSaid whether pages say a text */
export function isEcho(
  { statement, own, links }: Echoable,
  isSaid: (name: EchoedName) => boolean,
  created: CreatedPages,
): boolean {
  if (isSaid(own)) return true;
  // Lists show a new page by a picture.
  if (statement.name !== "") return created.isTitle(statement.text);
  const said = statement.links.filter((_, at) => {
    const link = links[at];
    return link !== undefined && isSaid(link);
  });
  if (said.length > 0) {
    const others = statement.links.filter((link) => !said.includes(link));
    const rest = [statement.rest, ...others].join(" ");
    if (isDull(rest) || wordsIn(rest.replace(/\d+/g, " ")) <= FEW_WORDS) return true;
  }
  return created.contain(statement) || isAnnouncement(statement.text, created);
}

const QUOTED = new RegExp(IN_QUOTATION_MARKS, "gu");
/** `Published the post "Growing moss"` has three more. */
const ANNOUNCING_WORDS = 6;

/** Whether it says little more than the title of a new page, in quotation marks. */
function isAnnouncement(text: string, created: CreatedPages): boolean {
  return [...text.matchAll(QUOTED)].some(([, title = ""]) => {
    return created.isTitle(title) && wordsIn(text) - wordsIn(title) <= ANNOUNCING_WORDS;
  });
}

/** The length of the shortest sought text: three words of one letter, each behind a space. */
const RUN = 6;
const [BASE, BITS_EACH] = [0x01_00_01_93, 8];
/** The weight of a run's first character when the run moves on. */
const WEIGHT = Array.from({ length: RUN }).reduce<number>((weight) => Math.imul(weight, BASE), 1);

/** Bits record which runs of characters the text may have. Most texts that are sought in it are not there. */
export class SearchedText {
  readonly #text: string;
  readonly #runs: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.#runs = new Uint32Array(2 ** Math.ceil(Math.log2(text.length * BITS_EACH + 1024)) / 32);
    everyRun(text, (hash) => {
      const at = this.#placeOf(hash);
      this.#runs[at] = (this.#runs[at] ?? 0) | (1 << (hash & 31));
      return true;
    });
  }

  includes(part: string): boolean {
    const mayHave = everyRun(part, (hash) => {
      return ((this.#runs[this.#placeOf(hash)] ?? 0) & (1 << (hash & 31))) !== 0;
    });
    return mayHave && this.#text.includes(part);
  }

  #placeOf(hash: number): number {
    return (hash >>> 5) & (this.#runs.length - 1);
  }
}

function everyRun(text: string, test: (hash: number) => boolean): boolean {
  let hash = 0;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash, BASE) + text.charCodeAt(at);
    if (at >= RUN) hash -= Math.imul(text.charCodeAt(at - RUN), WEIGHT);
    if (at >= RUN - 1 && !test(mixed(hash))) return false;
  }
  return true;
}
