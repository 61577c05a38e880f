import { DatetimeError, parseDatetime } from "@rs-emit/documents";

/** UTC seconds of a W3C datetime; `undefined` if missing or invalid. */
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

/** A stranger's text on one line, at most `longest` UTF-16 code units, cut between code points. */
export function line(text: string | undefined, longest: number): string | undefined {
  const whole = text?.replace(SPACE, " ").trim();
  if (whole === undefined || whole === "") return undefined;
  if (whole.length <= longest) return whole;
  return `${whole
    .slice(0, longest - 1)
    .replace(HALF_AT_END, "")
    .trimEnd()}…`;
}
