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
