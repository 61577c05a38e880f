import type { Notification } from "./notification.ts";

/** Seconds by which a source's clock may be ahead of ours. */
const AHEAD = 86_400;

/**
 * Whether notifications are missing before one (Change Notification 1.0.1, section 3: they cover
 * consecutive intervals), and up to when all has been told with it. Times are UTC seconds.
 *
 * @param notification `undefined` for one that makes no sense, and may have told of anything
 * @param toldUntil up to when all had been told before
 */
export function chainOf(
  notification: Notification | undefined,
  toldUntil: number | null,
  now: number,
): { readonly hasGap: boolean; readonly toldUntil: number | null } {
  const { from, until } = notification ?? {};
  const hasGap =
    from === undefined || until === undefined || toldUntil === null || from > toldUntil;
  if (until === undefined) return { hasGap, toldUntil };
  // What is missing will be polled: the chain goes on from here. Late ones do not turn it back.
  const told = Math.min(until, now + AHEAD);
  return { hasGap, toldUntil: Math.max(told, toldUntil ?? told) };
}
