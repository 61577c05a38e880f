import { withPlainDigits } from "./words.ts";

const MONTHS = `january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec
  januar februar märz mai juni juli oktober dezember januari februari maart mei augustus
  janvier février mars avril juin juillet août septembre octobre novembre décembre
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
  janeiro fevereiro março maio junho julho setembro outubro novembro dezembro`;
const WEEKDAYS = `monday tuesday wednesday thursday friday saturday sunday
  mon tue tues wed thu thur thurs fri sat sun
  montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
  lundi mardi mercredi jeudi vendredi samedi dimanche
  lunes martes miércoles jueves viernes sábado domingo`;
const AROUND = `st nd rd th am pm of on in at by the and min mins minute minutes hour hours day days week weeks
  ago read reading time posted published updated modified edited created written words last date page pages tag tags category categories
  view views comment comments post posts previous prev next newer older back top more continue permalink`;

const words = (list: string) => new Set(list.split(/\s+/));
const DULL_WORDS = words(`${MONTHS} ${WEEKDAYS} ${AROUND}`);

const RUN = /[\p{L}\p{M}]+/gu;
const TWO_LETTERS = /\p{L}\p{M}*\p{L}/u;
/** "©" says nothing, nor does an arrow that leads back from a footnote. */
const SIGN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?![©®™↔-↪▶◀⤴⤵⬅-⬇➡])\p{Extended_Pictographic}/u;
const EASTERN_WEEKDAY = String.raw`\s*(?:[(（][月火水木金土日월화수목금토일](?:曜日?|요일)?[)）]|[月火水木金土日]曜日?|[월화수목금토일]요일|(?:星期|周|週)[一二三四五六日天])`;
const CALENDAR = new RegExp(`(?<!\\d)\\d+\\s*[年月日년월일](?:${EASTERN_WEEKDAY})?`, "gu");
const DATED_BY =
  /(?:最終)?(?:更新|投稿|作成|公開|掲載|編集|发布|發布|创建|修改)(?:日時?|时间|時間|于|於)/gu;

/** Never news alone: without dates and the words around them, no two letters in a row are left. */
export function isDull(text: string): boolean {
  const rest = text
    .replace(CALENDAR, " ")
    .replace(DATED_BY, " ")
    .replace(RUN, (word) => (DULL_WORDS.has(word.toLowerCase()) ? " " : word));
  return !TWO_LETTERS.test(rest) && !SIGN.test(rest);
}

const MONTH = `(?:${MONTHS.split(/\s+/).join("|")})\\.?`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?\.?`;
const DATES = [
  String.raw`\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?`,
  String.raw`\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})`,
  String.raw`${DAY}\s+(?:of\s+|de\s+)?${MONTH}(?:,?\s+(?:de\s+)?\d{4})?`,
  String.raw`${MONTH}\s+${DAY}(?:,?\s+\d{4})?`,
  String.raw`${MONTH},?\s+\d{4}`,
  String.raw`\d{4}\s*[年년](?:\s*\d{1,2}\s*[月월](?:\s*\d{1,2}\s*[日일])?)?(?:${EASTERN_WEEKDAY})?`,
];
const WEEKDAY = `(?:(?:${WEEKDAYS.split(/\s+/).join("|")})\\.?,?\\s+)?`;
const DATE = `${WEEKDAY}(?:${DATES.join("|")})`;
const EDGE = String.raw`[\s\p{P}]*`;
const BEFORE = new RegExp(`^${EDGE}${DATE}(?![\\p{L}\\p{N}])${EDGE}`, "iu");
const BEHIND = new RegExp(`(?<![\\p{L}\\p{N}])${DATE}${EDGE}$`, "iu");

/** With a weekday and the words around it. UTF-16 code units. */
const LONGEST_DATE = 60;
const LOOSE_END = /[\s–—|·:;,([（-]+$/u;

/** Removes a date at the start or end; keeps the whole text where nothing meaningful would be left. */
export function withoutDate(text: string): string {
  if (!/\d/.test(text)) return text;
  const from = Math.max(0, text.length - LONGEST_DATE);
  const end = text.slice(from).replace(BEHIND, "");
  const isDated = end.length < text.length - from;
  const bare = isDated ? (text.slice(0, from) + end).replace(LOOSE_END, "") : text;
  const rest = bare.replace(BEFORE, "");
  return rest === text || isDull(rest) ? text : rest;
}

/** Times of day, money and version numbers. */
const NEWSWORTHY_NUMBER =
  /\d{1,2}[:.：]\d{2}\b(?![.\d])|\d{1,2}\s*[時时시点點]|\b\d{1,2}\s*(?:am|pm|h|uhr)\b|\p{Sc}\s*\d|\d\s*(?:\p{Sc}|eur|euros?|usd|dollars?|pounds?|chf|yen|[円元원])|\bv?\d+\.\d+\.\d+\b|\bv(?:ersion)?\.?\s*\d+/iu;

/** The time when a page was made is no news. */
const STAMP = /\b(?:updated?|modified|generated|built|rendered|revision)\b/iu;
const DATED = new RegExp(`(?<![\\p{L}\\p{N}])(?:${DATES.join("|")})(?![\\p{L}\\p{N}])`, "iu");
const HOURS = new RegExp(
  `(?<![\\p{L}])(?:${WEEKDAYS.split(/\s+/).join("|")})(?![\\p{L}])|\\p{Sc}`,
  "iu",
);
const VERSION = /\d+\.\d+\.\d+/;

/** Opening hours, prices and versions are news even if only digits differ. */
export function hasNewsworthyNumber(words: string): boolean {
  const text = withPlainDigits(words);
  if (!NEWSWORTHY_NUMBER.test(text) || STAMP.test(text)) return false;
  return !isDull(text) || (!DATED.test(text) && (HOURS.test(text) || VERSION.test(text)));
}
