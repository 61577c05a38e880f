import { DATE_WORDS } from "@rs-emit/feeds";
import { withPlainDigits } from "./words.ts";

const LANGUAGES = Object.values(DATE_WORDS);
const lower = (words: readonly string[]) => words.map((word) => word.toLowerCase());

/** The number of each word for a month, in any of the languages. */
const MONTHS = new Map(
  LANGUAGES.flatMap(({ months, otherMonths }) => [months, ...otherMonths])
    .flatMap((list) => lower(list).map((word, at): [string, number] => [word, at + 1]))
    .filter(([word]) => !/\d/.test(word)),
);
const WEEKDAYS = new Set(LANGUAGES.flatMap(({ weekdays }) => lower(weekdays.flat())));

/** Months, and days of the week in full: they say nothing alone. */
export const MONTH_WORDS: Iterable<string> = MONTHS.keys();
export const WEEKDAY_WORDS: readonly string[] = [
  ...LANGUAGES.flatMap(({ weekdays: [full = []] }) => lower(full)),
  ...lower(DATE_WORDS.en.weekdays.flat()),
];

const oneOf = (words: Iterable<string>) =>
  `(?:${[...words].sort((one, other) => other.length - one.length).join("|")})`;
const MONTH = oneOf(MONTHS.keys());
const WEEKDAY = oneOf(WEEKDAYS);
export const ZONES = "utc gmt bst cet cest est edt cst cdt mst mdt pst pdt jst kst msk ist";
const CLOCK = String.raw`\d{1,2}[:.]\d\d(?::\d\d)?(?:\s?(?:[ap]\.?m\b\.?|uhr|h))?(?:\s${oneOf(ZONES.split(" "))})?`;

/** Each has the groups `y`, `m` and `d`, as far as it states them; or `a` and `b` in either order. */
const SHAPES = [
  String.raw`(?<y>\d{4})\s?[-/.年년]\s?(?<m>\d{1,2})(?:\s?[-/.月월]\s?(?<d>\d{1,2}))?\s?(?:[日일月월]|\.(?!\d))?`,
  String.raw`(?<y>\d{4})\s?[年년]`,
  String.raw`(?<a>\d{1,2})[-/.](?<b>\d{1,2})[-/.](?<y>\d{4}|\d\d)`,
  String.raw`(?<m>\d{1,2})\s?[月월]\s?(?<d>\d{1,2})\s?[日일]`,
  String.raw`(?<d>\d{1,2})(?:st|nd|rd|th|er|[ºª])?\.?[\s/-](?:of\s|de\s)?(?<m>${MONTH})\.?(?:[\s,/-]+(?:del?\s)?(?<y>\d{4})(?:\s?[гr]\.)?)?`,
  String.raw`(?<m>${MONTH})\.?\s(?<d>\d{1,2})(?:st|nd|rd|th)?(?:,?\s(?<y>\d{4}))?`,
  String.raw`(?<m>${MONTH})\.?,?\s(?:de\s)?(?<y>\d{4})`,
  // Without a year, only where a sign sets it apart: "1/2 cup" is none.
  String.raw`(?<a>\d{1,2})[/.](?<b>\d{1,2})\.?(?=\s*(?:[:：–—]|-\s|$))`,
];
/** What stands between a date and a time of day. */
const AT = oneOf(["at", "um", "à", "às", "a las", "alle", "om", "o", "в"]);
const EDGE = String.raw`[\s\p{P}|~←→]*`;
/** Behind a date a quotation or a bracket may begin. */
const BEGINNING = String.raw`(?:(?!['"\p{Pi}\p{Ps}])[\s\p{P}|~←→])*`;
const AROUND = {
  before: String.raw`(?:${WEEKDAY}\.?,?\s+)?`,
  behind: String.raw`(?:\s?[(（]?(?:${WEEKDAY})[)）]?)?(?:[\s,]+(?:${AT}\s)?${CLOCK})?`,
};
/** A year ends a date also where no blank parts it from a word: `2026Who`. */
const END = String.raw`(?:(?<=\d{4}|[-/.]\d\d)(?=\p{L})|(?<=[日일年년月월)）])|(?![\p{L}\p{N}]))`;
const START = String.raw`(?<!\p{N}[./-]?)(?:(?<!\p{L})|(?=\d{4}[-/.年]\d|\d\d?[-/.]\d\d?[-/.]\d))`;

const compiled = (source: (shape: string) => string) =>
  SHAPES.map((shape) => new RegExp(source(shape), "iu"));
const BEFORE = compiled(
  (shape) => `^${EDGE}${AROUND.before}${shape}${AROUND.behind}${END}(?:[_.-]\\d+)?${BEGINNING}`,
);
const BEHIND = compiled((shape) => `${START}${AROUND.before}${shape}${AROUND.behind}${EDGE}$`);

/** Most texts neither begin nor end with a digit or with such a word, and so cost nothing more. */
const FIRST_WORD = new RegExp(`^${EDGE}(\\d|\\p{L}+)`, "u");
const LAST_WORD = new RegExp(`(\\d|\\p{L}+)${EDGE}$`, "u");
const BORDERS = new Set([
  ...[...MONTHS.keys(), ...WEEKDAYS, ...ZONES.split(" ")],
  ..."uhr am pm m h r г st nd rd th er 日 年 月 일 년 월".split(" "),
]);

/** With a weekday and a clock time. UTF-16 code units. */
const LONGEST_DATE = 60;
/** Words of a bracket that the date closed: "Updates (latest: 5 May)". */
const OPEN_BRACKET = /[([（][^()[\]（）]{0,30}$/u;
const LOOSE_END = /[\s–—|·:;,([（-]+$/u;

export interface TextBesideDate {
  readonly rest: string;
  /** As written; absent where no date stands at the start or end. */
  readonly date?: string | undefined;
}

/** Takes a date from the end and one from the start of a text. */
export function besideDate(text: string): TextBesideDate {
  const plain = withPlainDigits(text);
  const [from, until] = [Math.max(0, text.length - LONGEST_DATE), LONGEST_DATE];
  const behind = found(BEHIND, plain.slice(from), LAST_WORD);
  const end = behind === undefined ? text.length : from + behind.index;
  const before = found(BEFORE, plain.slice(0, Math.min(until, end)), FIRST_WORD);
  const start = before?.[0].length ?? 0;
  if (start === 0 && behind === undefined) return { rest: text };
  const rest = text.slice(start, end);
  return {
    rest: behind === undefined ? rest : rest.replace(OPEN_BRACKET, "").replace(LOOSE_END, ""),
    date: before?.[0] ?? behind?.[0],
  };
}

function found(
  shapes: readonly RegExp[],
  text: string,
  border: RegExp,
): RegExpExecArray | undefined {
  if (!/\d/.test(text)) return undefined;
  const [, word = ""] = border.exec(text) ?? [];
  if (!/\d/.test(word) && !BORDERS.has(word.toLowerCase())) return undefined;
  for (const shape of shapes) {
    const match = shape.exec(text);
    if (match !== null && isPossible(match)) return match;
  }
  return undefined;
}

function isPossible(match: RegExpExecArray): boolean {
  const { a, d, m } = match.groups ?? {};
  if (a !== undefined || d !== undefined) return daysIn(match).length > 0;
  return m === undefined || monthOf(m) <= 12;
}

function monthOf(text: string): number {
  return MONTHS.get(text.toLowerCase()) ?? Number(text);
}

type Day = readonly [year: number | undefined, month: number, day: number];

/** The days that a date can mean: `5/6/26` may begin with any of its parts. Empty for one without a day. */
function daysIn({ groups = {} }: RegExpExecArray): readonly Day[] {
  const { y, m = "", d, a, b } = groups;
  const year = y === undefined ? undefined : Number(y) + (y.length === 2 ? 2000 : 0);
  const month = monthOf(m);
  const read: readonly Day[] =
    a === undefined
      ? d === undefined
        ? []
        : [[year, month, Number(d)]]
      : [
          [year, Number(b), Number(a)],
          [year, Number(a), Number(b)],
          ...(y?.length === 2 ? [[2000 + Number(a), Number(b), Number(y)] as const] : []),
        ];
  return read.filter(([, month, day]) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
}

const DAY = 86_400;
/** Days. */
const NEAR = 7;

/** Whether a date, as {@link besideDate} gives it, is within a week of a time in UTC seconds. */
export function isNear(date: string, time: number): boolean {
  const match = found(BEFORE, withPlainDigits(date), FIRST_WORD);
  const thisYear = new Date(time * 1000).getUTCFullYear();
  return (match === undefined ? [] : daysIn(match)).some(([year, month, day]) => {
    const years = year === undefined ? [thisYear - 1, thisYear, thisYear + 1] : [year];
    return years.some((one) => {
      const days = Date.UTC(one, month - 1, day) / 1000 / DAY - Math.floor(time / DAY);
      return Math.abs(days) <= NEAR;
    });
  });
}
