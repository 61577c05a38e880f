import type { SourceState } from "../schema.ts";

/** How a source does. */
export const HEALTHS = ["waiting", "well", "troubled", "gone", "opted-out", "blocked"] as const;
export type Health = (typeof HEALTHS)[number];

/** What tells how a source does. */
export interface HealthFacts {
  readonly state: SourceState;
  readonly last_check: number | null;
  readonly problem_code: string | null;
}

/** How a source does: `waiting` until its first check is done, `troubled` while its last one failed. */
export function healthOf({ state, last_check, problem_code }: HealthFacts): Health {
  if (state !== "followed") return state;
  if (last_check === null) return "waiting";
  return problem_code === null ? "well" : "troubled";
}
