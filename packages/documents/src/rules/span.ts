import { type Precision, parseDatetime } from "../datetime.ts";
import { DatetimeError } from "../errors.ts";

/** The instants a datetime can mean: one if told to the second, a whole day if only a date. */
export interface Span {
  /** UTC seconds since 1970. */
  readonly earliest: number;
  readonly latest: number;
}

const DAY = 86_400;
const SECONDS: Record<Precision, number> = {
  year: 366 * DAY,
  month: 31 * DAY,
  day: DAY,
  minute: 60,
  second: 0,
  fraction: 0,
};

/** The instants a text can mean, or `undefined` where it is absent or no W3C datetime. */
export function spanOf(text: string | undefined): Span | undefined {
  if (text === undefined) return undefined;
  try {
    const { seconds, precision } = parseDatetime(text);
    return { earliest: seconds, latest: seconds + SECONDS[precision] };
  } catch (error) {
    if (error instanceof DatetimeError) return undefined;
    throw error;
  }
}

/** Whether the first is certainly before the second: nothing is held against a vague datetime. */
export function isBefore(first: Span | undefined, second: Span | undefined): boolean {
  return first !== undefined && second !== undefined && first.latest < second.earliest;
}

/** Whether the two cannot be the same instant. */
export function differ(first: Span | undefined, second: Span | undefined): boolean {
  return isBefore(first, second) || isBefore(second, first);
}
