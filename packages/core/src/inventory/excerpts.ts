import { lineOf } from "@rs-emit/feeds";
import type { Excerpt, Excerpts } from "../model/excerpts.ts";
import { type Memory, pictureText, textDigest } from "../model/memory.ts";
import { type BlockWatcher, blocksOf } from "./blocks.ts";
import type { ElementKind } from "./elements.ts";
import { names } from "./elements.ts";
import { unescaped, valueIn } from "./form-tokens.ts";
import type { NormalForm } from "./normal-form.ts";
import type { Outline } from "./outline.ts";
import { textFragment } from "./text-fragment.ts";

/** Of so many new texts a page keeps the words; of others only their digests, which are counted. */
const MOST_KEPT = 24;

/** In UTF-16 code units. */
const LONGEST = 80;

/** What readers press, fill in or copy is no news. */
const NOT_QUOTED = names("button code label legend noscript object option pre svg textarea");
const HEADINGS = names("h1 h2 h3 h4 h5 h6");

const TWO_LETTERS = /\p{L}{2}/u;
const FEW_WORDS = 3;
const LABEL_WORDS = 6;
const LINK_WORDS = 2;

/** Languages without spaces: so many characters count as a word. */
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const CHARACTERS_OF_A_WORD = 3;

export interface ExcerptedPage {
  readonly url: string;
  /** All that readers see of the page, as `Markup` collapses it; absent where nothing can be found in it. */
  readonly text: (() => string) | undefined;
}

/** The blocks that a page did not have before, as far as they may be quoted. */
export function excerptsOf(form: NormalForm, before: Memory, page: ExcerptedPage): Excerpts {
  const reader = new ExcerptReader(form, new Set(before.texts), page.url);
  blocksOf(form.text, reader);
  const found = reader.found.map((one, at) => ({ ...one, at }));
  const digests = new Set(found.map(({ digest }) => digest));
  const kept = found
    .sort((one, other) => RANKS[one.kind] - RANKS[other.kind] || one.at - other.at)
    .slice(0, MOST_KEPT);
  const whole = kept.length === 0 ? undefined : page.text?.();
  return {
    kept: kept.map(({ kind, digest, text, id, words }) => ({
      kind,
      digest,
      text,
      place: placeOf(id, whole === undefined ? undefined : textFragment(words, whole)),
    })),
    digests: [...digests],
  };
}

const RANKS = { heading: 0, text: 1, picture: 2, label: 3 } as const;

interface Found extends Omit<Excerpt, "place"> {
  readonly id: string | undefined;
  /** What a text fragment may name; empty for a picture. */
  readonly words: string;
}

class ExcerptReader implements BlockWatcher {
  readonly found: Found[] = [];
  readonly #form: NormalForm;
  readonly #before: ReadonlySet<string>;
  readonly #url: string;
  readonly #visible: ReturnType<Outline["reader"]>;
  readonly #taken = new Set<string>();
  readonly #details: { readonly isClosed: boolean; isSummary: boolean }[] = [];
  #unquoted = 0;
  #links = 0;
  #headings = 0;
  #times = 0;
  #id: string | undefined;
  #isSectionBegun = false;
  /** How many beginnings and ends of sections are passed. */
  #section = 0;
  #unit = newUnit();

  constructor(form: NormalForm, before: ReadonlySet<string>, url: string) {
    this.#form = form;
    this.#before = before;
    this.#url = url;
    this.#visible = form.outline.reader();
  }

  open({ name }: ElementKind, tag: string, at: number): void {
    if (NOT_QUOTED.has(name)) this.#unquoted += 1;
    else if (name === "a") {
      this.#links += 1;
      this.#unit.linked = "";
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
    else if (name === "a") {
      this.#links -= 1;
      if (wordsIn(this.#unit.linked) > LINK_WORDS) this.#unit.hasLongLink = true;
    } else if (name === "time") this.#times -= 1;
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
    const visible = this.#visible(escaped, at);
    const text = unescaped(visible.text);
    this.#enterSections(at);
    unit.id ??= this.#id;
    unit.visible += text;
    if (visible.text !== escaped) unit.isWhole = false;
    if (visible.isForbidden || this.#isClosed) unit.isHidden = true;
    if (this.#unquoted === 0) unit.isQuoted = true;
    if (this.#links === 0 && TWO_LETTERS.test(text)) unit.hasPlainText = true;
    else if (this.#links > 0) unit.linked += text;
    if (this.#times === 0) unit.isTime = false;
    if (this.#headings > 0) unit.isHeading = true;
  }

  end(texts: readonly string[]): void {
    const { isHidden, isQuoted, isWhole, visible, id, ...unit } = this.#unit;
    const { hasPlainText, hasLongLink, linked, isTime, isHeading } = unit;
    this.#unit = newUnit();
    // Which of several sentences a hidden part belongs to is not known.
    if (isHidden || !isQuoted || (!isWhole && texts.length > 1)) return;
    const isShortLink = !hasPlainText && !hasLongLink && wordsIn(linked) <= LINK_WORDS;
    if (isShortLink) return;
    for (const whole of texts) {
      const words = isWhole ? whole : visible.replace(/ +/g, " ").trim();
      if (!TWO_LETTERS.test(words)) continue;
      const kind = isTime || isLabel(words) ? "label" : isHeading ? "heading" : "text";
      this.#take({ kind, digest: textDigest(whole), text: cut(words), id, words });
    }
  }

  picture(name: string, tag: string, at: number): void {
    this.#unit = newUnit();
    const source = valueIn(tag, "src") ?? "";
    this.#enterSections(at);
    // A picture has no text: what hides its place hides it.
    const isHidden = this.#isClosed || this.#visible(" ", at).text === "";
    if (isHidden || this.#unquoted > 0 || !isOfHost(source, this.#url)) return;
    const alt = cut(valueIn(tag, "alt") ?? "");
    const text = TWO_LETTERS.test(alt) ? alt : "";
    const digest = textDigest(pictureText(name));
    this.#take({ kind: "picture", digest, text, id: this.#id, words: "" });
  }

  #take(found: Found): void {
    if (this.#before.has(found.digest) || this.#taken.has(found.digest)) return;
    this.#taken.add(found.digest);
    this.found.push(found);
  }
}

interface Unit {
  id: string | undefined;
  isHidden: boolean;
  /** Whether no part of its text is hidden. */
  isWhole: boolean;
  visible: string;
  isQuoted: boolean;
  hasPlainText: boolean;
  hasLongLink: boolean;
  /** Of the last link. */
  linked: string;
  isTime: boolean;
  isHeading: boolean;
}

function newUnit(): Unit {
  return {
    id: undefined,
    isHidden: false,
    isWhole: true,
    visible: "",
    isQuoted: false,
    hasPlainText: false,
    hasLongLink: false,
    linked: "",
    isTime: true,
    isHeading: false,
  };
}

/** A date, a number of something, or what announces the text after it. */
function isLabel(text: string): boolean {
  if (/\d/.test(text)) {
    return wordsIn(text) <= LABEL_WORDS && wordsIn(text.replace(/\S*\d\S*/gu, "")) <= FEW_WORDS;
  }
  return /[:：]$/u.test(text) && wordsIn(text) <= LINK_WORDS;
}

function wordsIn(text: string): number {
  const spaced = text.split(/\s+/).filter((word) => word !== "").length;
  const joined = text.match(WITHOUT_SPACES)?.length ?? 0;
  return Math.max(spaced, Math.ceil(joined / CHARACTERS_OF_A_WORD));
}

function isOfHost(source: string, url: string): boolean {
  return URL.canParse(source, url) && new URL(source, url).host === new URL(url).host;
}

/** One line, cut at a word. */
function cut(text: string): string {
  const line = lineOf(text, Number.POSITIVE_INFINITY);
  if (line.length <= LONGEST) return line;
  const words = line.slice(0, LONGEST + 1).replace(/\s+\S*$/u, "");
  return words.length <= LONGEST ? `${words}…` : lineOf(line, LONGEST);
}

function placeOf(id: string | undefined, fragment: string | undefined): string | undefined {
  if (id === undefined && fragment === undefined) return undefined;
  const anchor = id === undefined ? "" : encodeURIComponent(wellFormed(id));
  return `#${anchor}${fragment === undefined ? "" : `:~:text=${fragment}`}`;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
