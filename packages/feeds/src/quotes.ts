import { webLink } from "./addresses.ts";
import { comparable } from "./comparable.ts";
import { type Catalogue, ENGLISH, moreOf, PLACES, separatorOf } from "./message-catalogues.ts";
import { cutAtWord, IN_QUOTATION_MARKS, lineOf, TEXT_LIMITS } from "./text.ts";

/** What an updated page says now and did not say before. */
export interface Quotes {
  /** Whether nothing of the page is gone. */
  readonly isAddition: boolean;
  /** Whether the author dated the first one, or what is new on the page, with the days of the publication. */
  readonly isDated?: boolean | undefined;
  /** Best first. */
  readonly shown: readonly Quote[];
  readonly more: number;
  /** Digests of what is only counted, the best {@link MOST_COUNTED}: it is not told again. */
  readonly counted?: readonly string[] | undefined;
}

export interface Quote {
  /** The digest of the text in the page's memory in the Resource List. */
  readonly digest: string;
  /** Empty for pictures without a description, and an embed without a title. */
  readonly text: string;
  /** The number of pictures without a description; absent for a text. */
  readonly pictures?: number | undefined;
  /** Of an embed without a title. */
  readonly host?: string | undefined;
  readonly place?: string | undefined;
}

const MOST_SHOWN = 10;
const LONGEST_TEXT = 200;
const LONGEST_PLACE = 2000;

const HEAD = /^(new|now)( dated)? (\d{1,6})((?: [\w-]{4,16})*)$/;
export const MOST_COUNTED = 32;
const DIGEST = /^[\w-]{4,16}$/;
const HOST = /^@[\w.:-]{1,200}$/;
const PLACE = /^#[\w.~!$&'()*+,;=:@/?%-]+$/;

/**
 * A line for each quote: `digest place text`, `digest 3` for three pictures, or `digest @host` for an embed. Before
 * them `new 2` or `now 2`: two more texts are new; with `now`, something is gone; with `new dated`, the author dated
 * the first quote. Behind the number: the digests of these texts.
 */
export function quotesToAttribute({
  isAddition,
  isDated,
  shown,
  more,
  counted = [],
}: Quotes): string {
  const lines = shown.map(({ digest, text, pictures, host, place = "-" }) => {
    if (host !== undefined) return `${digest} @${host}`;
    return pictures === undefined ? `${digest} ${place} ${text}` : `${digest} ${pictures}`;
  });
  const head = [isAddition ? "new" : "now", ...(isDated ? ["dated"] : []), more, ...counted];
  return [head.join(" "), ...lines].join("\n");
}

/** @returns `undefined` for any other form: a stranger may have written it */
export function attributeToQuotes(attribute: string | undefined): Quotes | undefined {
  const [head = "", ...lines] = attribute?.split("\n") ?? [];
  const [, word, dated, more, digests = ""] = HEAD.exec(head) ?? [];
  if (word === undefined) return undefined;
  const shown = lines.slice(0, MOST_SHOWN).flatMap((line) => quoteIn(line) ?? []);
  if (shown.length === 0) return undefined;
  const counted = digests.trim().split(" ", MOST_COUNTED).filter(Boolean);
  const isDated = dated !== undefined && shown[0]?.digest === lines[0]?.split(" ")[0];
  return { isAddition: word === "new", isDated, shown, more: Number(more), counted };
}

function quoteIn(line: string): Quote | undefined {
  const [digest = "", second = ""] = line.split(" ", 2);
  if (!DIGEST.test(digest)) return undefined;
  const text = lineOf(line.slice(digest.length + second.length + 2), LONGEST_TEXT);
  if (text === "") {
    if (HOST.test(second)) return { digest, text, host: second.slice(1) };
    const pictures = /^[1-9]\d{0,5}$/.test(second) ? Number(second) : undefined;
    return pictures === undefined ? undefined : { digest, text, pictures };
  }
  const isPlace = PLACE.test(second) && second.length <= LONGEST_PLACE;
  return { digest, text, place: isPlace ? second : undefined };
}

/** All texts that a change told, shown or only counted. */
export function digestsIn({ shown, counted = [] }: Quotes): readonly string[] {
  return [...shown.map(({ digest }) => digest), ...counted];
}

/** Without the quotes that are no longer on the page. */
export function validQuotes(
  quotes: Quotes,
  stands: (digest: string) => boolean,
): Quotes | undefined {
  const shown = quotes.shown.filter(({ digest }) => stands(digest));
  if (shown.length === quotes.shown.length) return quotes;
  const isDated = quotes.isDated === true && shown[0] === quotes.shown[0];
  return shown.length === 0 ? undefined : { ...quotes, isDated, shown };
}

/**
 * A quote of the page's title becomes the page's name in feeds, so that {@link isRename} recognizes it. A
 * home page's quote stays: it is the site's new name.
 */
export function calledByName<Change extends { readonly title?: string | undefined }>(
  change: Change & { readonly name?: string | undefined; readonly quotes?: Quotes | undefined },
): Change {
  const { title = "", name, quotes } = change;
  if (name === undefined) return change;
  const isTitle = ({ text }: Quote) => name !== "" && isSame(text, title);
  const shown = quotes?.shown.map((one) => (isTitle(one) ? { ...one, text: name } : one));
  return { ...change, title: name, quotes: quotes && shown && { ...quotes, shown } };
}

/** Whether only the page's name is new. */
export function isRename({ shown, more }: Quotes, name: string): boolean {
  return more === 0 && shown.every(({ text }) => isSame(text, name));
}

/** Whether a quote, which may be cut, is the page's name. */
export function isSame(quote: string, name: string): boolean {
  if (quote === "") return false;
  const [one, other] = [comparable(quote), comparable(name)];
  return quote.endsWith("…") ? other.startsWith(one) : one === other;
}

/** In the quotation marks of the feed's words; `undefined` for what has no words of the page. */
export function quotedText(
  { text }: Quote,
  words: Catalogue,
  most = TEXT_LIMITS.line,
): string | undefined {
  return text === "" ? undefined : words.quote({ text: cutAtWord(withoutMarks(text), most) });
}

const QUOTED = new RegExp(`^${IN_QUOTATION_MARKS}$`, "u");

/** A text that is all in quotation marks needs no others. */
function withoutMarks(text: string): string {
  return QUOTED.exec(text.trim())?.[1]?.trim() ?? text;
}

/** What has no words of the page: `3 pictures`, `an embed from youtube.com`. */
export function unquotedText({ pictures = 1, host }: Quote, words: Catalogue): string {
  return host === undefined ? words.pictures({ count: pictures }) : words.embed({ host });
}

/** @param most UTF-16 code units of the page's words */
export function inWords(quote: Quote, words: Catalogue, most?: number): string {
  return quotedText(quote, words, most) ?? unquotedText(quote, words);
}

/** What is told of quotes, which stand at the first of the {@link PLACES}: `New: …`. */
export function quotesFrame({ isAddition }: Quotes, words: Catalogue): string {
  return (isAddition ? words.added : words.changed)({ quotes: PLACES[0] });
}

/** `New: “Jujutsu Kaisen”, 2 pictures and 3 more` */
export function quotesLine(quotes: Quotes, words: Catalogue = ENGLISH): string {
  const shown = quotes.shown.map((quote) => inWords(quote, words));
  const list = shown.join(separatorOf(words, "list")) + moreOf(words, quotes.more);
  return quotesFrame(quotes, words).replace(PLACES[0], () => list);
}

/** The absolute URL of a quote on its page. */
export function quoteLink(url: string, { place }: Quote): string | undefined {
  return place === undefined ? undefined : webLink(url.replace(/#.*$/s, "") + place);
}
