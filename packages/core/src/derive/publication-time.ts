import type { Environment } from "../model/environment.ts";
import { mention, type Sentence, sentence } from "../model/sentence.ts";
import { clockError } from "./errors.ts";

const DAY = 86_400;

export function refuseFuture(what: string | Sentence, time: number, clock: number): void {
  if (time <= clock + DAY) return;
  throw clockError(what, time, clock, "Give the present time or an earlier one.");
}

/** @throws {EmitError} `CLOCK` for a clock, or a time that the author gives, that is more than a day ahead */
export function presentTime(
  { now }: { readonly now?: number | undefined },
  { clock: read = () => Math.floor(Date.now() / 1000) }: Pick<Environment, "clock">,
  hostTime?: number,
): number {
  const clock = read();
  if (now !== undefined) {
    refuseFuture(sentence`The time given with the option ${mention("now")} is`, now, clock);
  }
  if (hostTime !== undefined && clock > hostTime + DAY) {
    const cure = "Set this machine's clock: the site's host has another time.";
    throw clockError("This machine's clock says", clock, hostTime, cure);
  }
  return now ?? clock;
}

/** @param seconds the least interval after the last publication. Throws clockError. */
export function nextTime(
  present: number,
  last: number,
  seconds: number,
): { time: number; corrected: boolean } {
  if (last > present + DAY) {
    const cure = [
      sentence`Set this machine's clock, or use the option ${mention("now")}.`,
      "If the published log is wrong, restore it.",
    ];
    throw clockError("The last publication is of", last, present, cure);
  }
  return { time: Math.max(present, last + seconds), corrected: present < last };
}
