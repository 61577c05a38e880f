import { secondsOf } from "@rs-emit/documents";

/** Spaces in place of the T and before the zone, lower case, zones without colon, and the names of UTC. */
const COMMON =
  /^(\d{4}-\d\d-\d\d)(?:[Tt]|\s+)(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(?:([+-]\d\d)(?::?(\d\d))?|Z|UTC|GMT)?$/i;

/**
 * A date as sites write it: a W3C datetime, or what many generators write in its place, such as `2026-11-22 10:00:00 +0000`.
 * Without a zone it is UTC.
 *
 * @returns UTC seconds; `undefined` if it is missing or cannot be read
 */
export function readDate(text: string | undefined): number | undefined {
  const seconds = secondsOf(text);
  if (seconds !== undefined || text === undefined) return seconds;
  const match = COMMON.exec(text.trim());
  if (match === null) return undefined;
  const [, day, time, hours, minutes = "00"] = match;
  return secondsOf(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}
