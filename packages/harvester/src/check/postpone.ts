import { sql } from "kysely";
import type { Harvester } from "./harvester.ts";
import type { Held } from "./lease.ts";
import type { CheckResult } from "./result.ts";

/** Seconds after which a source or a host that somebody else has is tried again. */
const HELD = 5;

/** Puts off a check that cannot be made now. */
export async function postpone(
  { database, now }: Harvester,
  sourceId: number,
  held: Held,
): Promise<CheckResult> {
  const until = held.held === "busy" ? held.until : now() + HELD;
  // Whoever checks the source says itself when it is checked next.
  if (held.held === "source") return { kind: "postponed", until };
  await database
    .updateTable("source")
    // Whoever has checked it meanwhile may have said a later time.
    .set({ next_check: sql<number>`greatest(next_check, ${until})` })
    .where("id", "=", sourceId)
    .where("lease", "is", null)
    .execute();
  return { kind: "postponed", until };
}
