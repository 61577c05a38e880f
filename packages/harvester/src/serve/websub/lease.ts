/** Seconds of a lease that hubs are asked for. */
export const ASKED_LEASE = 10 * 86_400;
/** The part of a lease after which it is renewed. */
export const RENEWAL = 0.8;
/** Seconds: shorter and longer leases of a hub count as these. */
const GRANTED = { least: 300, most: 366 * 86_400 };

/** @returns seconds that the hub grants; by default those it was asked for */
export function grantedLease(leaseSeconds = ""): number {
  if (!/^\d+$/.test(leaseSeconds)) return ASKED_LEASE;
  return Math.min(Math.max(Number(leaseSeconds), GRANTED.least), GRANTED.most);
}
