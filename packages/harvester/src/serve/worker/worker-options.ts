import type { checkSource } from "../../check/check.ts";
import type { Harvester } from "../../check/harvester.ts";
import type { CheckResult } from "../../check/result.ts";
import type { Store } from "../../store/database.ts";
import type { Report } from "./boss.ts";

/** What a worker needs. */
export interface WorkerOptions {
  readonly store: Store;
  readonly harvester: Harvester;
  /** Stops it: nothing more is begun. */
  readonly signal: AbortSignal;
  /** Hears of what goes wrong in the worker itself; it goes on. */
  readonly report: Report;
  /** Checks at once; most of the time they wait for hosts. */
  readonly concurrency?: number;
  /** Seconds that checks under way may take to finish when the worker stops. */
  readonly grace?: number;
  /** Called after each check that was made. */
  readonly afterCheck?: (check: FinishedCheck) => Promise<void>;
  /** How a source is checked, if not by `checkSource`. */
  readonly check?: typeof checkSource;
}

/** A check that was made. */
export interface FinishedCheck {
  readonly source: number;
  readonly result: CheckResult;
  /** When it began, UTC seconds. */
  readonly began: number;
}
