import { lineOf } from "@rs-emit/feeds";
import type { Excerpt, Excerpts } from "../model/excerpts.ts";
import {
  type Block,
  type BlockDigest,
  type Memory,
  pictureText,
  textDigest,
} from "../model/memory.ts";
import type { BlockWatcher } from "./blocks.ts";
import type { ElementKind } from "./elements.ts";
import { names } from "./elements.ts";
import { unescaped, valueIn } from "./form-tokens.ts";
import { isLabel, isNoNews } from "./no-news.ts";
import type { NormalForm } from "./normal-form.ts";
import type { Outline } from "./outline.ts";
import { textFragment } from "./text-fragment.ts";
import { firstWords, wordsIn } from "./words.ts";

/** Of so many new texts a page keeps the words; of others only their digests, which are counted. */
const MOST_KEPT = 24;

/** A quote is cut there. In UTF-16 code units. */
const QUOTE_LENGTH = 80;

/** What readers press, fill in or copy is no news, nor are the pages before and after. */
const NOT_QUOTED = names("button code label legend nav noscript object option pre svg textarea");
const HEADINGS = names("h1 h2 h3 h4 h5 h6");

/** How lists of posts end the beginning of a post. */
const TEASER = /(?:…|\.\.\.)\]?$/u;

const ASIDE = /^\(.*\)$/su;
const TWO_LETTERS = /\p{L}{2}/u;
const LINK_WORDS = 2;

const RANKS = { heading: 0, text: 1, picture: 2, label: 3 } as const;

interface Found extends Omit<Excerpt, "place"> {
  readonly id: string | undefined;
  /** What a text fragment may name; empty for a picture. */
  readonly words: string;
}

/** Finds the blocks that a page did not have before, as far as they may be quoted. */
export class ExcerptReader implements BlockWatcher {
  readonly #found: Found[] = [];
  readonly #form: NormalForm;
  readonly #before: ReadonlySet<BlockDigest>;
  readonly #url: string | undefined;
  readonly #visible: ReturnType<Outline["reader"]>;
  readonly #taken = new Set<BlockDigest>();
  readonly #details: { readonly isClosed: boolean; isSummary: boolean }[] = [];
  #unquoted = 0;
  #links = 0;
  /** How many links began. */
  #link = 0;
  #headings = 0;
  #times = 0;
  #id: string | undefined;
  #isSectionBegun = false;
  /** How many beginnings and ends of sections are passed. */
  #section = 0;
  #unit = newUnit();

  constructor(form: NormalForm, before: Memory, url: string | undefined) {
    this.#form = form;
    this.#before = new Set(before.texts);
    this.#url = url;
    this.#visible = form.outline.reader();
  }

  /**
   * Call it when all blocks are read.
   * @param pageText all that readers see of the page, as `Markup` collapses it; absent where nothing
   * can be found in it
   */
  finish(pageText: (() => string) | undefined): Excerpts {
    const digests = this.#found.map(({ digest }) => digest);
    const kept = this.#found
      .sort((one, other) => RANKS[one.kind] - RANKS[other.kind])
      .slice(0, MOST_KEPT);
    const whole = kept.length === 0 ? undefined : pageText?.();
    return {
      kept: kept.map(({ kind, digest, text, id, words }) => ({
        kind,
        digest,
        text,
        place: placeOf(id, whole === undefined ? undefined : textFragment(words, whole)),
      })),
      digests,
    };
  }

  open({ name }: ElementKind, tag: string, at: number): void {
    if (NOT_QUOTED.has(name)) this.#unquoted += 1;
    else if (name === "a") {
      this.#links += 1;
      this.#link += 1;
    } else if (name === "time") this.#times += 1;
    else if (name === "details") {
      this.#details.push({ isClosed: !tag.includes(" open="), isSummary: false });
    } else if (name === "summary") this.#setSummary(true);
    else if (HEADINGS.has(name)) {
      this.#enterSections(at);
      this.#headings += 1;
      const own = this.#form.outline.ids.get(at);
      if (own !== undefined || !this.#isSectionBegun) this.#id = own;
      this.#isSectionBegun = false;
    }
  }

  #enterSections(at: number): void {
    const { sections } = this.#form.outline;
    for (; (sections[this.#section]?.at ?? Number.POSITIVE_INFINITY) <= at; this.#section++) {
      this.#id = sections[this.#section]?.id;
      this.#isSectionBegun = this.#id !== undefined;
    }
  }

  close({ name }: ElementKind): void {
    if (NOT_QUOTED.has(name)) this.#unquoted -= 1;
    else if (name === "a") this.#links -= 1;
    else if (name === "time") this.#times -= 1;
    else if (name === "details") this.#details.pop();
    else if (name === "summary") this.#setSummary(false);
    else if (HEADINGS.has(name)) this.#headings -= 1;
  }

  #setSummary(isSummary: boolean): void {
    const details = this.#details.at(-1);
    if (details !== undefined) details.isSummary = isSummary;
  }

  get #isClosed(): boolean {
    return this.#details.some((one) => one.isClosed && !one.isSummary);
  }

  text(escaped: string, at: number): void {
    const unit = this.#unit;
    this.#enterSections(at);
    unit.id ??= this.#id;
    unit.pieces.push({ escaped, at, link: this.#links > 0 ? this.#link : undefined });
    if (this.#isClosed) unit.isHidden = true;
    if (this.#unquoted === 0) unit.isQuoted = true;
    if (this.#times === 0) unit.isTime = false;
    if (this.#headings > 0) unit.isHeading = true;
  }

  end(blocks: readonly Block[]): void {
    const unit = this.#unit;
    this.#unit = newUnit();
    if (unit.isHidden || !unit.isQuoted) return;
    const news = blocks.filter(({ digest }) => this.#isNew(digest));
    if (news.length === 0) return;
    const { visible, isWhole, isForbidden, isShortLink } = this.#textOf(unit.pieces);
    // Which of several sentences a hidden part belongs to is not known.
    if (isForbidden || isShortLink || (!isWhole && blocks.length > 1)) return;
    for (const { text, digest } of news) {
      if (blocks.length > 1 && TEASER.test(text)) continue;
      const words = isWhole ? text : visible.replace(/ +/g, " ").trim();
      if (!TWO_LETTERS.test(words) || unit.isTime || isNoNews(words)) continue;
      if (!unit.isHeading && wordsIn(words) < 2) continue;
      const isLast = isLabel(words) || ASIDE.test(words);
      const kind = isLast ? "label" : unit.isHeading ? "heading" : "text";
      this.#take({ kind, digest, text: cut(words), id: unit.id, words });
    }
  }

  #textOf(pieces: readonly Piece[]): UnitText {
    const links = new Map<number, string>();
    let visible = "";
    let plain = "";
    let isWhole = true;
    let isForbidden = false;
    for (const { escaped, at, link } of pieces) {
      const shown = this.#visible(escaped, at);
      const text = unescaped(shown.text);
      visible += text;
      if (shown.text !== escaped) isWhole = false;
      if (shown.isForbidden) isForbidden = true;
      if (link !== undefined) links.set(link, (links.get(link) ?? "") + text);
      else plain += text;
    }
    const isShort = (text: string) => wordsIn(text) <= LINK_WORDS;
    const isShortLink =
      [...links.values()].every(isShort) && (!TWO_LETTERS.test(plain) || isNoNews(plain));
    return { visible, isWhole, isForbidden, isShortLink };
  }

  picture(name: string, tag: string, at: number): void {
    this.#unit = newUnit();
    this.#enterSections(at);
    const digest = textDigest(pictureText(name));
    if (!this.#isNew(digest)) return;
    const source = valueIn(tag, "src") ?? "";
    // A picture has no text: what hides its place hides it.
    const isHidden = this.#isClosed || this.#visible(" ", at).text === "";
    if (isHidden || this.#unquoted > 0 || !isOfHost(source, this.#url)) return;
    const alt = cut(valueIn(tag, "alt") ?? "");
    const text = TWO_LETTERS.test(alt) && wordsIn(alt) > 1 ? alt : "";
    this.#take({ kind: "picture", digest, text, id: this.#id, words: "" });
  }

  #isNew(digest: BlockDigest): boolean {
    return !this.#before.has(digest) && !this.#taken.has(digest);
  }

  #take(found: Found): void {
    if (!this.#isNew(found.digest)) return;
    this.#taken.add(found.digest);
    this.#found.push(found);
  }
}

/** A text between two tags or line breaks. */
interface Piece {
  readonly escaped: string;
  readonly at: number;
  /** Which link it stands in. */
  readonly link: number | undefined;
}

/** What stands between two line breaks of the layout. */
interface Unit {
  readonly pieces: Piece[];
  id: string | undefined;
  isHidden: boolean;
  isQuoted: boolean;
  isTime: boolean;
  isHeading: boolean;
}

function newUnit(): Unit {
  return {
    pieces: [],
    id: undefined,
    isHidden: false,
    isQuoted: false,
    isTime: true,
    isHeading: false,
  };
}

interface UnitText {
  readonly visible: string;
  /** Whether no part of it is hidden. */
  readonly isWhole: boolean;
  readonly isForbidden: boolean;
  /** Whether it is no news but for links of few words. */
  readonly isShortLink: boolean;
}

function isOfHost(source: string, url: string | undefined): boolean {
  return (
    url !== undefined &&
    URL.canParse(source, url) &&
    new URL(source, url).host === new URL(url).host
  );
}

/** One line, cut at a word. */
function cut(text: string): string {
  const line = lineOf(text, Number.POSITIVE_INFINITY);
  const words = firstWords(line, QUOTE_LENGTH);
  if (words === undefined) return lineOf(line, QUOTE_LENGTH);
  return words === line ? line : `${words}…`;
}

function placeOf(id: string | undefined, fragment: string | undefined): string | undefined {
  if (id === undefined && fragment === undefined) return undefined;
  const anchor = id === undefined ? "" : encodeURIComponent(wellFormed(id));
  return `#${anchor}${fragment === undefined ? "" : `:~:text=${fragment}`}`;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
