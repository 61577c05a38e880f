import { timestamp } from "@rs-emit/feeds";
import type { DateMark } from "../model/page-marks.ts";
import { attribute, type Replacement } from "../page/placeholders/find-placeholders.ts";

/** An attribute and its value, if it has one (HTML standard, "Attributes"). */
const ATTRIBUTE = /\s+([^\s"'<>/=]+)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?/y;

/** To the second for programs, the UTC day for readers. */
export function replacementsForDates(
  dates: readonly DateMark[],
  changed: number,
  written: (start: number, end: number) => string,
): readonly Replacement[] {
  const at = timestamp(changed);
  return dates.flatMap(({ start, inner }) => {
    const tag = written(start, inner.start);
    const place = datetimeIn(tag);
    const wanted = attribute("datetime", at);
    const filled = tag.slice(0, place.start) + wanted + tag.slice(place.end);
    const day = at.slice(0, 10);
    return [
      ...(filled === tag ? [] : [{ start, end: inner.start, text: filled }]),
      ...(written(inner.start, inner.end) === day ? [] : [{ ...inner, text: day }]),
    ];
  });
}

/** The attribute's place in a start tag, or the end of the tag's name if it has none. */
function datetimeIn(tag: string): { readonly start: number; readonly end: number } {
  const name = /^<[^\s/>]+/.exec(tag)?.[0].length ?? 0;
  ATTRIBUTE.lastIndex = name;
  for (let found = ATTRIBUTE.exec(tag); found !== null; found = ATTRIBUTE.exec(tag)) {
    if (found[1]?.toLowerCase() === "datetime") {
      return { start: found.index, end: ATTRIBUTE.lastIndex };
    }
  }
  return { start: name, end: name };
}
