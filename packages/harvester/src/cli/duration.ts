import { UsageError } from "./errors.ts";

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const NAMED: Readonly<Record<string, string>> = { hourly: "1h", daily: "1d", weekly: "1w" };

/** Seconds of `30m`, `1h`, `daily`. Throws {@link UsageError}, also below a minute. */
export function parseDuration(option: string, text: string): number {
  const [, count = "", unit = ""] = /^(\d+)([smhdw])$/.exec(NAMED[text] ?? text) ?? [];
  const seconds = isUnit(unit) ? Number(count) * SECONDS[unit] : 0;
  if (seconds >= 60 && seconds <= 366 * SECONDS.d) return seconds;
  throw new UsageError(
    `${option} needs a time such as 30m, 1h, daily or 7d, a minute at least and a year at most, not "${text}".`,
  );
}

function isUnit(text: string): text is keyof typeof SECONDS {
  return text in SECONDS;
}
