import { DatetimeError, parseDatetime } from "@rs-emit/documents";

/** The instant of a W3C datetime, in UTC seconds; `undefined` where there is none, or it makes no sense. */
export function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return parseDatetime(text).seconds;
  } catch (error) {
    if (error instanceof DatetimeError) return undefined;
    throw error;
  }
}

const SPACE = /[\s\p{Cc}]+/gu;
const HALF_AT_END = /[\uD800-\uDBFF]$/;

/**
 * Somebody else's words on one line: white space collapsed, cut at a whole code point.
 *
 * @param longest in UTF-16 code units, with the ellipsis that shows a cut
 * @returns `undefined` where nothing is left
 */
export function line(text: string | undefined, longest: number): string | undefined {
  const whole = text?.replace(SPACE, " ").trim();
  if (whole === undefined || whole === "") return undefined;
  if (whole.length <= longest) return whole;
  return `${whole
    .slice(0, longest - 1)
    .replace(HALF_AT_END, "")
    .trimEnd()}…`;
}
