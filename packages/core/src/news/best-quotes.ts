import {
  comparable,
  cutAtWord,
  lineOf,
  MOST_COUNTED,
  type Quote,
  type Quotes,
} from "@rs-emit/feeds";
import { markToAttribute } from "../model/page-memory.ts";
import type { Statement } from "../model/statement.ts";
import { decodePath } from "../model/url.ts";
import { isRandom } from "../page/content/link-addresses.ts";
import { isDull, withoutDate } from "../page/texts/dull.ts";
import { isLabel, wordsIn } from "../page/texts/words.ts";

const MOST_QUOTES = 3;
/** Longer quotes are cut here. UTF-16 code units. */
const QUOTE_LENGTH = 80;
const FEW_WORDS = 3;

export interface NewStatement extends Statement {
  readonly isReplacement: boolean;
  /** Whether its author dated it within a week of the publication. */
  readonly isDated: boolean;
  /** Whether it came onto most pages with this publication. */
  readonly isOnMost: boolean;
}

const RIGHTS = /^(?:©|\(c\)|copyright\b)/iu;
/** Also an address and the name of a file. */
const PATH =
  /^(?:https?:\/\/\S+|\S+@\S+\.\w+|[~.]?[\w.-]*\/[\w./~%-]*|[\w-]+\.(?:gif|html?|jpe?g|png|svg|webp))$/i;
const TELEPHONE = /^(?:\p{L}{1,9}[.:]*\s*)?[+(]?\d[\d\s()/-]{5,}$/u;
const HASHTAGS = /^(?:#[\p{L}\p{N}_-]+\s*)+$/u;
/** Formulas, templates and unsolved conflicts contain such signs, and code such words. */
const CODE = /^(?:<{7}|>{7})|\\[\p{L}([{]|\{[{%]|\ufffd|[\w+/]{40}/u;

/**
 * First what the author dated; then additions before replacements, then headings, then texts of three words and more, in page order.
 * @returns `undefined` where nothing may be quoted
 */
export function bestQuotes(news: readonly NewStatement[]): Quotes | undefined {
  const unnamed = unnamedIn(news);
  const shown = news
    .filter((one) => isShowable(one) && !unnamed.slice(1).includes(one))
    .sort((one, other) => rankOf(one) - rankOf(other));
  const texts = new Set<string>();
  const distinct = shown.filter(({ kind, text, name }) => {
    const words = text === "" ? name : comparable(text);
    // A file is told with the text that links it.
    const isTold = kind === "file" && [...texts].some((one) => one.includes(words));
    return !isTold && !texts.has(words) && texts.add(words) !== undefined;
  });
  const saying = distinct.filter(({ text, name }) => name !== "" || !saysLittle(text));
  const chosen = (saying.length > 0 ? saying : distinct).slice(0, MOST_QUOTES);
  const [best] = chosen;
  if (best === undefined) return undefined;
  const picturesIn = (one: Statement) => (one === unnamed[0] ? unnamed.length : 0);
  const told = chosen.reduce((sum, one) => sum + (picturesIn(one) || 1), 0);
  const counted = new Set<Statement>([...shown, ...news]);
  for (const one of chosen) counted.delete(one);
  const repeated = shown.length - distinct.length;
  return {
    isAddition: !best.isReplacement,
    isDated: best.isDated,
    shown: chosen.map((one) => quoteOf(one, picturesIn(one))),
    more: Math.max(0, news.length - told - repeated),
    counted: [...counted].slice(0, MOST_COUNTED).map(({ mark }) => markToAttribute(mark)),
  };
}

/** Pictures without a description are counted together; a few are called by their files where nothing else is new. */
function unnamedIn(news: readonly NewStatement[]): readonly NewStatement[] {
  const pictures = news.filter((one) => one.kind === "picture" && one.text === "");
  const areAlone = pictures.length === news.length && pictures.length <= MOST_QUOTES;
  return areAlone ? pictures.filter((one) => calledIn(one) === "") : pictures;
}

function isShowable({ isQuotable, text, name }: Statement): boolean {
  return isQuotable && !(name === "" && (CODE.test(text) || lineOf(text) === ""));
}

/** The best has the least rank: what is asked first weighs more than all behind it. */
function rankOf(one: NewStatement): number {
  const { kind, text, name, isReplacement, isDated } = one;
  const faults = [
    isPoor(one),
    !isDated,
    name !== "",
    isReplacement,
    kind !== "heading",
    wordsIn(text) < FEW_WORDS,
    text === "",
  ];
  return faults.reduce((rank, isFault) => 2 * rank + Number(isFault), 0);
}

/** Quoted only if nothing else is there. */
function isPoor({ kind, text, name, isHidden, isOnMost }: NewStatement): boolean {
  if (isHidden || isOnMost) return true;
  if (name !== "") return text === "" && (kind !== "file" || PATH.test(name));
  return saysLittle(text);
}

const FORMS = [RIGHTS, PATH, TELEPHONE, HASHTAGS];

/** A date, a label, rights, an address, a telephone number or hashtags. */
export function saysLittle(text: string): boolean {
  return isDull(text) || isLabel(text) || FORMS.some((form) => form.test(text));
}

function quoteOf(one: Statement, pictures: number): Quote {
  const { mark, host, place } = one;
  const digest = markToAttribute(mark);
  const called = pictures > 0 ? "" : calledIn(one);
  if (called === "") return { digest, text: "", pictures: pictures || 1 };
  if (called === host) return { digest, text: "", host };
  return { digest, text: cutAtWord(called, QUOTE_LENGTH), place };
}

/** What a statement is called by; empty for a picture that has no words. */
function calledIn({ kind, text, name }: Statement): string {
  const isName = name !== "" && (isDull(text) || LINK_WORDS.test(text));
  if (text !== "" && !isName) return shownText(text).replace(TYPED, "");
  return kind === "picture" ? pictureName(name) : decodePath(name);
}

/** Bullets and arrows that the author typed, and what a cut left. */
const TYPED = /^(?:[-–•·*>#]+\s+(?!\d)|[←→]+\s*)+|[\s,、，←→]+$/gu;

/** Without its date, unless the date is a part of a word or of what is said. */
function shownText(text: string): string {
  const rest = withoutDate(text);
  const at = text.indexOf(rest);
  const behind = text.slice(at + rest.length);
  const isHalf = /[()[\]（）]/.test(text.slice(0, at) + behind) && OPEN.test(rest);
  const isPart = isHalf || (wordsIn(rest) < FEW_WORDS && SAID.test(behind));
  return isPart || GLUED.test(text.slice(0, at + 1)) ? text : rest;
}

/** A bracket of which the date has the other half. */
const OPEN = /^[^([（]*[)\]）]|[([（][^)\]）]*$/u;
/** A date behind a label, or a word: `Out in May 2026`. */
const SAID = /^\s*[:：]|^\s+[\p{L}\p{N}]/u;

/** 6月18日生まれ: born on 18 June. */
const GLUED = /\d[年月日]?[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/** Words of a link, and titles of an embed, that say nothing of it. */
const LINK_WORDS = /^(?:click here|download|here|pdf|youtube video player)$/i;

/** Empty for a number, a digest, and what a camera calls its pictures. */
function pictureName(file: string): string {
  const name = decodePath(file)
    .replace(/\.\w{2,5}$/, "")
    .replace(/[\s_-]+/g, " ")
    .trim();
  const isAnyRandom = name
    .split(" ")
    .some((part) => part.length >= SHORTEST_RANDOM && isRandom(part, 3));
  return isAnyRandom || NO_NAME.test(name) || isDull(name) ? "" : name;
}

/** Hosts of pictures write such names. UTF-16 code units. */
const SHORTEST_RANDOM = 6;
const NO_NAME = /^(?:img|dsc[fn]?|pxl|image|picture|photo|screenshot|\P{L}|.)?[\P{L}x]*$/iu;
