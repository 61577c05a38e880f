import { setTimeout as sleep } from "node:timers/promises";

/** Seconds before each new attempt, unless the host sends `Retry-After`. */
const PAUSES = [1, 5, 15];

/** Seconds. If a host asks for a longer pause, the run stops asking. */
const LONGEST_PAUSE = 60;

/**
 * Requests up to three times more while a host answers 429 or 5xx, as hosts do for some seconds after a
 * deploy. Pauses as `Retry-After` says (RFC 9110, section 10.2.3).
 * @param mayChange the statuses that are worth another attempt
 * @returns the first answer with another status, or the last answer
 */
export async function fetchAgain(
  ask: () => Promise<Response>,
  mayChange: (status: number) => boolean = (status) => status === 429 || status >= 500,
): Promise<Response> {
  for (const pause of PAUSES) {
    const response = await ask();
    const seconds = secondsAsked(response) ?? pause;
    if (!mayChange(response.status) || seconds > LONGEST_PAUSE) return response;
    await response.body?.cancel();
    await sleep(seconds * 1000);
  }
  return ask();
}

/** `Retry-After` is a number of seconds or a date. */
function secondsAsked({ headers }: Response): number | undefined {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
