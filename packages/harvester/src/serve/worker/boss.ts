import { PgBoss } from "pg-boss";
import type { Store } from "../../store/database.ts";

/** What is told of something that went wrong in the background and is tried again. */
export type Report = (problem: unknown) => void;

/** Seconds between looks at jobs whose worker has died, and at what else has to be put in order. */
const SUPERVISE = 15;
/** Seconds between removals of jobs that ended otherwise than by being done. */
const TIDY = 3600;

/**
 * Opens the job queues of a database; several processes may.
 *
 * @param report hears of everything that goes wrong later, such as a database that is away for a while
 * @returns pg-boss at work, to be stopped by `closeBoss`
 */
export async function openBoss({ jobs }: Store, report: Report): Promise<PgBoss> {
  const boss = new PgBoss({
    ...jobs,
    // Which source is checked when stands with the source itself.
    schedule: false,
    superviseIntervalSeconds: SUPERVISE,
    monitorIntervalSeconds: SUPERVISE,
    maintenanceIntervalSeconds: TIDY,
  });
  boss.on("error", report);
  await boss.start();
  return boss;
}

/** Seconds that jobs under way may take to end. */
const GRACE = 20;

/** Stops pg-boss, when its own workers have ended what they do; the database stays open. */
export async function closeBoss(boss: PgBoss): Promise<void> {
  await boss.stop({ close: false, timeout: GRACE * 1000 });
}
