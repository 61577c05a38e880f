/**
 * When a host that is busy may be asked again (RFC 9110, section 10.2.3), in UTC seconds.
 *
 * @param value the header `Retry-After`: seconds, or a date
 * @param now UTC seconds
 * @param most the seconds ahead that count at most
 * @returns nothing where the header is missing or says neither
 */
export function readRetryAfter(
  value: string | undefined,
  now: number,
  most: number,
): number | undefined {
  if (value === undefined) return undefined;
  const time = /^\d+$/.test(value) ? now + Number(value) : readHttpDate(value);
  return time === undefined ? undefined : Math.min(Math.max(time, now), now + most);
}

/** A date of HTTP in any of its three forms (RFC 9110, section 5.6.7), in UTC seconds. */
function readHttpDate(value: string): number | undefined {
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  // asctime's form, the only one that does not end in a zone, is in UTC too.
  const time = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(time) ? undefined : time / 1000;
}
