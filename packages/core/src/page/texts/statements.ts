import { lineOf } from "@rs-emit/feeds";
import { FEWEST_SOUGHT, keyOf, type Mark, type Statement } from "../../model/statement.ts";
import { unescaped } from "../content/form-tokens.ts";
import type { NormalForm } from "../content/normal-form.ts";
import type { Outline } from "../content/outline.ts";
import { type ElementKind, HEADINGS, names } from "../elements.ts";
import type { BlockWatcher, Picture, TextLink } from "./blocks.ts";
import { besideDate } from "./dates.ts";
import { hasNewsworthyNumber, isDull } from "./dull.ts";
import { textFragment } from "./text-fragment.ts";
import { hasMoreWords, piecesOf, type TextSpan } from "./words.ts";

/** Longer texts are cut here. UTF-16 code units. */
const LONGEST = 300;

/** The number of a page's statements whose place is searched. */
const MOST_PLACED = 24;

/** Readers copy such text; quoting it says nothing. */
const NOT_QUOTED = names("code pre textarea");
/** Not the page's own words: controls, ways to other pages, and drawings. */
const NOT_READ = names("button label legend nav noscript object option select svg");

/** Readers see what stands inside after a click, but for its summary. */
const WAITING: ReadonlyMap<string, number> = new Map([
  ["details", 1],
  ["dialog", 1],
  ["summary", -1],
]);

/** Collects the statements that are new on a page, without repeats. */
export class StatementReader implements BlockWatcher {
  readonly #found: FoundStatement[] = [];
  readonly #form: NormalForm;
  readonly #had: Pick<ReadonlySet<number>, "has">;
  readonly #taken = new Set<number>();
  readonly #mayQuote: boolean;
  readonly #visible: ReturnType<Outline["reader"]>;
  /** A picture's place is asked for before the words of its line. */
  readonly #visiblePlace: ReturnType<Outline["reader"]>;
  readonly #isWaiting: (at: number) => boolean;
  #notQuoted = 0;
  #notRead = 0;
  #headings = 0;
  #waiting = 0;
  #id: string | undefined;
  #isSectionBegun = false;
  /** The number of section starts and ends before the current text. */
  #section = 0;
  #unit: Unit = newUnit();

  constructor(form: NormalForm, had: Pick<ReadonlySet<number>, "has">, mayQuote: boolean) {
    this.#form = form;
    this.#had = had;
    this.#mayQuote = mayQuote;
    this.#visible = form.outline.reader();
    this.#visiblePlace = form.outline.reader();
    this.#isWaiting = form.outline.waitingReader();
  }

  /** @param pageText the page's visible text as `Markup` collapses it; absent where no places are searched */
  finish(pageText?: () => string): readonly Statement[] {
    const placed = this.#found
      .filter(({ isQuotable, name }) => isQuotable && name === "")
      .sort((one, other) => Number(other.kind === "heading") - Number(one.kind === "heading"))
      .slice(0, MOST_PLACED);
    const page = placed.length === 0 ? undefined : pageText?.();
    const isPlaced = new Set(placed);
    return this.#found.map((found) => {
      const { id, ...statement } = found;
      const isSought = page !== undefined && isPlaced.has(found);
      const fragment = isSought ? textFragment(statement.text, page) : undefined;
      return { ...statement, place: placeOf(id, fragment) };
    });
  }

  open({ name }: ElementKind, _: string, at: number): void {
    this.#waiting += WAITING.get(name) ?? 0;
    if (NOT_READ.has(name)) this.#notRead += 1;
    else if (NOT_QUOTED.has(name)) this.#notQuoted += 1;
    else if (HEADINGS.has(name)) {
      this.#enterSections(at);
      this.#headings += 1;
      const own = this.#form.outline.ids.get(at);
      if (own !== undefined || !this.#isSectionBegun) this.#id = own;
      this.#isSectionBegun = false;
    }
  }

  close({ name }: ElementKind): void {
    this.#waiting -= WAITING.get(name) ?? 0;
    if (NOT_READ.has(name)) this.#notRead -= 1;
    else if (NOT_QUOTED.has(name)) this.#notQuoted -= 1;
    else if (HEADINGS.has(name)) this.#headings -= 1;
  }

  #enterSections(at: number): void {
    const { sections } = this.#form.outline;
    for (; (sections[this.#section]?.at ?? Number.POSITIVE_INFINITY) <= at; this.#section++) {
      this.#id = sections[this.#section]?.id;
      this.#isSectionBegun = this.#id !== undefined;
    }
  }

  run(escaped: string, at: number, start: number, link: TextLink | undefined): void {
    if (this.#notRead > 0) return;
    this.#enterSections(at);
    const unit = this.#unit;
    unit.id ??= this.#id;
    unit.runs.push({ escaped, at, start, link });
    if (this.#notQuoted === 0) unit.isQuotable = true;
    if (this.#headings > 0) unit.isHeading = true;
    if (!this.#isWaiting(at) && this.#waiting === 0) unit.isHidden = false;
  }

  texts(text: string, spans: readonly TextSpan[], marks: readonly Mark[]): void {
    const unit = this.#unit;
    this.#unit = newUnit();
    if (unit.runs.length === 0) return;
    const fresh = spans.flatMap((span, at) => {
      const mark = marks[at];
      return mark !== undefined && this.#isNew(mark) ? [{ span, mark }] : [];
    });
    if (fresh.length === 0) return;
    const seen = this.#seenOf(unit.runs);
    if (seen.text === "") return;
    const shown = seen.isWhole ? undefined : new Set(textsIn(seen.text, piecesOf(seen.text)));
    const { date } = besideDate(text);
    let run = 0;
    for (const { span, mark } of fresh) {
      const [start, end] = span;
      while ((unit.runs[run + 1]?.start ?? Number.POSITIVE_INFINITY) <= start) run += 1;
      const whole = text.slice(start, end);
      const words = spans.length === 1 && !seen.isWhole ? seen.text : whole;
      const saysLittle = isDull(words) && !hasNewsworthyNumber(words);
      // A date alone is not quoted, but says on which page the author dates what is new.
      if (saysLittle && date === undefined) continue;
      const isShown = spans.length === 1 || shown === undefined || shown.has(whole);
      const isQuotable = unit.isQuotable && !seen.isForbidden && isShown && !saysLittle;
      const { links, rest } = linksAndRest(text, span, unit.runs, run);
      this.#found.push({
        kind: unit.isHeading ? "heading" : "text",
        mark,
        text: lineOf(words, LONGEST),
        before: hasMoreWords(words, FEWEST_SOUGHT - 1) ? "" : endOf(text.slice(0, start)),
        name: "",
        isQuotable: isQuotable && this.#mayQuote,
        links,
        rest,
        isHidden: unit.isHidden,
        date,
        id: unit.id,
      });
    }
  }

  #seenOf(runs: readonly TextRun[]) {
    let text = "";
    let isWhole = true;
    let isForbidden = false;
    for (const { escaped, at } of runs) {
      const shown = this.#visible(escaped, at);
      text += unescaped(shown.text);
      if (shown.text !== escaped) isWhole = false;
      if (shown.isForbidden) isForbidden = true;
    }
    return { text: text.replace(/\s+/gu, " ").trim(), isWhole, isForbidden };
  }

  picture({ name, description }: Picture, mark: Mark, at: number): void {
    this.#show({ kind: "picture", mark, name }, { text: description }, at);
  }

  file(link: TextLink, mark: Mark, at: number): void {
    const { address } = link;
    const host = URL.canParse(address) ? new URL(address).host.replace(/^www\./, "") : undefined;
    const name = host ?? address.slice(address.lastIndexOf("/") + 1);
    this.#show({ kind: "file", mark, name, host }, link, at);
  }

  /** It has no text: what hides its place hides it. */
  #show(
    what: Pick<Statement, "kind" | "mark" | "name" | "host">,
    words: Pick<TextLink, "text">,
    at: number,
  ): void {
    this.#enterSections(at);
    const isUnseen = this.#notRead > 0 || this.#visiblePlace(" ", at).text === "";
    if (isUnseen || !this.#isNew(what.mark)) return;
    this.#found.push({
      ...what,
      // A link's words follow its tag.
      get text() {
        return lineOf(words.text, LONGEST);
      },
      before: "",
      links: [],
      rest: "",
      isQuotable: this.#mayQuote && this.#notQuoted === 0,
      isHidden: this.#isWaiting(at) || this.#waiting > 0,
      id: this.#id,
    });
  }

  /** Neither on the page before, nor higher up on the page. */
  #isNew(mark: Mark): boolean {
    const key = keyOf(mark);
    if (this.#had.has(key) || this.#taken.has(key)) return false;
    this.#taken.add(key);
    return true;
  }
}

type FoundStatement = Omit<Statement, "place"> & { readonly id: string | undefined };

interface TextRun {
  readonly escaped: string;
  readonly at: number;
  /** Position in its unit's text. */
  readonly start: number;
  readonly link: TextLink | undefined;
}

interface Unit {
  readonly runs: TextRun[];
  id: string | undefined;
  isQuotable: boolean;
  isHeading: boolean;
  isHidden: boolean;
}

function newUnit(): Unit {
  return { runs: [], id: undefined, isQuotable: false, isHeading: false, isHidden: true };
}

function textsIn(text: string, spans: readonly TextSpan[]): readonly string[] {
  return spans.map(([start, end]) => text.slice(start, end));
}

/** Whole words. */
function endOf(text: string): string {
  if (text.length <= LONGEST) return text;
  return text.slice(-LONGEST).replace(/^\S*/u, "");
}

/** @param first the last run that begins no later than the span */
function linksAndRest(
  text: string,
  [start, end]: TextSpan,
  runs: readonly TextRun[],
  first: number,
) {
  const links = new Map<TextLink, string>();
  let rest = "";
  for (let at = first; at < runs.length; at += 1) {
    const { link, start: from = end } = runs[at] ?? {};
    if (from >= end) break;
    const until = runs[at + 1]?.start ?? text.length;
    const part = text.slice(Math.max(from, start), Math.max(start, Math.min(until, end)));
    if (link === undefined) rest += part;
    else if (part !== "") links.set(link, (links.get(link) ?? "") + part);
  }
  return {
    links: [...links.values()].map((one) => lineOf(one, LONGEST)),
    rest: lineOf(rest, LONGEST),
  };
}

function placeOf(id: string | undefined, fragment: string | undefined): string | undefined {
  if (id === undefined && fragment === undefined) return undefined;
  const anchor = id === undefined ? "" : encodeURIComponent(wellFormed(id));
  return `#${anchor}${fragment === undefined ? "" : `:~:text=${fragment}`}`;
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
